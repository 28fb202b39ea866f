(** What queries mean, and what servers have to decrypt for them.

    - [trace_rows_equal_iff], [trace_stands_iff]: equal values, and values that stand among chosen rows.
    - [trace_each_map], [trace_targets_any_map], [trace_rows_of_filter], [trace_moved_count],
      [trace_total_count]: the loops, as maps and filters.
    - [said_of]: what a target's bits, summed up, say; [said_in_ideal], [said_out_ideal]: that they say what the ideal does. *)

From Coq Require Import Arith NArith List Bool Lia Permutation.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Mixnet.TracePacked Mixnet.Trace Mixnet.TraceRun.
From Aardvark Require Export Spec.Mixnet.TracePacked.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Group Spec.Mixnet.LinearRelation Spec.Mixnet.Column
  Lemmas.ColumnCount.
Import ListNotations.
Local Open Scope N_scope.

Section Trace.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Lemma fold_filter {A : Type} (p : N -> bool) (f : N -> A) (s : list N) (acc : list A) :
  fold_left (fun acc i => if p i then acc ++ [f i] else acc) s acc = acc ++ map f (filter p s).
Proof.
  revert acc. induction s as [| i s IH]; intros acc; simpl; [now rewrite app_nil_r |].
  destruct (p i); simpl; rewrite IH; [now rewrite <- app_assoc | reflexivity].
Qed.

Lemma trace_rows_equal_iff (a b : list G1) : trace_rows_equal a b = true <-> a = b.
Proof.
  unfold trace_rows_equal, trace_rows_equal_step.
  rewrite (fold_and (fun l => g1_equal (seq_at a l) (g1_at b l))), andb_true_iff, N.eqb_eq, forallb_forall. split.
  - intros [L E]. apply g1_list_ext; [exact L |]. intros i I. specialize (E i (proj2 (range_in _ _ _) (conj (N.le_0_l i) I))).
    apply g1_equal_iff in E. now rewrite g1_at_in.
  - intros <-. split; [reflexivity |]. intros l I. apply range_in in I. apply g1_equal_iff. now rewrite g1_at_in by lia.
Qed.

Lemma fold_or (f : N -> bool) (s : list N) (b : bool) :
  fold_left (fun found i => found || f i) s b = b || existsb f s.
Proof.
  revert b. induction s as [| x s IH]; intros b; simpl; [now rewrite orb_false_r |]. now rewrite IH, orb_assoc.
Qed.

Lemma trace_stands_iff (values : list (list G1)) (chosen : list bool) (sought : list G1) :
  trace_stands values chosen sought = true <->
  exists i, i < seq_length values /\ trace_chosen chosen i = true /\ seq_at values i = sought.
Proof.
  unfold trace_stands, trace_stands_step.
  rewrite (fold_or (fun i => trace_chosen chosen i && trace_rows_equal (seq_at values i) sought)). simpl.
  rewrite existsb_exists. split.
  - intros (i & I & E). apply range_in in I. apply andb_true_iff in E as [C E]. apply trace_rows_equal_iff in E.
    exists i. split; [lia | now split].
  - intros (i & L & C & E). exists i. split; [apply range_in; lia |]. rewrite C. simpl. now apply trace_rows_equal_iff.
Qed.

Lemma trace_each_map (asked : list bool) (values : list (list G1)) (among : list bool) (others : list (list G1)) :
  trace_each asked values among others
  = map (fun i => bit_of (trace_stands others among (seq_at values i)))
      (filter (trace_chosen asked) (range 0 (seq_length values))).
Proof.
  exact (fold_filter (trace_chosen asked) (fun i => bit_of (trace_stands others among (seq_at values i))) _ []).
Qed.

Lemma filter_chosen (asked : list bool) (n : N) :
  seq_length asked = n -> filter (seq_at asked) (range 0 n) = filter (trace_chosen asked) (range 0 n).
Proof.
  intros L. apply filter_ext_in. intros i I. apply range_in in I. unfold trace_chosen.
  now rewrite (proj2 (N.ltb_lt i _)) by lia.
Qed.

Lemma trace_asked_rows_filter (asked : list bool) (n : N) :
  seq_length asked = n -> trace_asked_rows asked = filter (trace_chosen asked) (range 0 n).
Proof.
  intros L. rewrite <- (filter_chosen asked n L), <- L. rewrite <- (map_id (filter _ _)).
  exact (fold_filter (seq_at asked) (fun i => i) (range 0 (seq_length asked)) []).
Qed.

Lemma trace_rows_of_filter (outputs : list (list G1)) (sought : list G1) :
  trace_rows_of outputs sought
  = filter (fun j => trace_rows_equal (seq_at outputs j) sought) (range 0 (seq_length outputs)).
Proof.
  rewrite <- (map_id (filter _ _)).
  exact (fold_filter (fun j => trace_rows_equal (seq_at outputs j) sought) (fun i => i) _ []).
Qed.

Lemma trace_targets_any_map (outputs : list (list G1)) (chosen : list bool) :
  trace_targets_any outputs chosen
  = map (fun j => trace_rows_of outputs (seq_at outputs j))
      (filter (trace_first_of_value outputs chosen) (range 0 (seq_length outputs))).
Proof.
  exact (fold_filter (trace_first_of_value outputs chosen) (fun j => trace_rows_of outputs (seq_at outputs j)) _ []).
Qed.

Lemma trace_firsts_chosen (outputs : list (list G1)) (chosen : list bool) (j : N) :
  j < seq_length outputs -> trace_chosen (trace_firsts outputs chosen) j = trace_first_of_value outputs chosen j.
Proof.
  intros L. assert (trace_firsts outputs chosen = map (trace_first_of_value outputs chosen) (range 0 (seq_length outputs))) as ->.
  { unfold trace_firsts, trace_firsts_step. now rewrite fold_range_append. }
  unfold trace_chosen. rewrite seq_length_map, seq_length_range, (proj2 (N.ltb_lt _ _) L). simpl. now apply nth_map_range.
Qed.

Lemma trace_unique_at (outputs : list (list G1)) (chosen : list bool) (j k : N) :
  trace_unique outputs chosen = true -> j < seq_length outputs -> k < seq_length outputs -> trace_chosen chosen j = true ->
  seq_at outputs k = seq_at outputs j -> k = j.
Proof.
  unfold trace_unique, trace_unique_step.
  rewrite (fold_and (fun j => negb (trace_chosen chosen j) || (seq_length (trace_rows_of outputs (seq_at outputs j)) =? 1))).
  simpl. rewrite forallb_forall. intros U Lj Lk C E. specialize (U j (proj2 (range_in _ _ _) (conj (N.le_0_l j) Lj))).
  rewrite C in U. simpl in U. apply N.eqb_eq in U. rewrite trace_rows_of_filter in U.
  set (rows := filter _ _) in U.
  assert (forall i, i < seq_length outputs -> seq_at outputs i = seq_at outputs j -> In i rows) as In_rows.
  { intros i L Ei. apply filter_In. split; [apply range_in; lia | now apply trace_rows_equal_iff]. }
  pose proof (In_rows j Lj eq_refl) as Ij. pose proof (In_rows k Lk E) as Ik.
  destruct rows as [| a [| b rows]]; [contradiction | | unfold seq_length in U; simpl in U; lia].
  destruct Ij as [-> | []]. destruct Ik as [-> | []]. reflexivity.
Qed.

Lemma fold_count (p : N -> bool) (s : list N) (n : N) :
  fold_left (fun total i => if p i then total + 1 else total) s n = n + count_true p s.
Proof.
  revert n. unfold count_true. induction s as [| i s IH]; intros n; simpl; [lia |]. rewrite IH.
  destruct (p i); simpl; lia.
Qed.

Lemma trace_moved_count (query : TraceQuery) (assignment : list N) :
  trace_moved query assignment
  = count_true (fun i => trace_chosen (trace_inputs query) i && trace_chosen (trace_outputs query) (seq_at assignment i))
      (range 0 (seq_length assignment)).
Proof.
  exact (fold_count (fun i => trace_chosen (trace_inputs query) i && trace_chosen (trace_outputs query) (seq_at assignment i))
    (range 0 (seq_length assignment)) 0).
Qed.

Lemma trace_total_count (p : N -> bool) (s : list N) : trace_total (map (fun i => bit_of (p i)) s) = count_true p s.
Proof.
  unfold trace_total, trace_total_step. rewrite (fold_range_elements (fun total x => total + x)).
  enough (forall n, fold_left (fun total x => total + x) (map (fun i => bit_of (p i)) s) n = n + count_true p s) as E by apply E.
  unfold count_true, bit_of. induction s as [| i s IH]; intros n; simpl; [lia |]. rewrite IH. destruct (p i); simpl; lia.
Qed.

Lemma count_permutation (p : N -> bool) (s t : list N) : Permutation s t -> count_true p s = count_true p t.
Proof.
  unfold count_true. induction 1; simpl; [reflexivity | | | congruence].
  - destruct (p x); simpl; lia.
  - destruct (p x), (p y); simpl; lia.
Qed.

Lemma count_positive (p : N -> bool) (s : list N) : 0 < count_true p s <-> exists i, In i s /\ p i = true.
Proof.
  unfold count_true. split.
  - intros L. destruct (filter p s) as [| i rest] eqn:E; [simpl in L; lia |]. exists i. apply filter_In. rewrite E. now left.
  - intros (i & I & P). assert (In i (filter p s)) as M by now apply filter_In. destruct (filter p s); [contradiction | simpl; lia].
Qed.

Lemma count_at_most (p : N -> bool) (s : list N) : count_true p s <= seq_length s.
Proof.
  unfold count_true, seq_length. induction s as [| i s IH]; simpl; [lia |]. destruct (p i); simpl; lia.
Qed.

(** * What targets say *)

(** What is read of a target whose rows have these bits. *)
Definition said_of (reveal : TraceReveal) (bits : N -> bool) (target : list N) : N :=
  if trace_tested reveal target then bit_of (0 <? count_true bits target) else count_true bits target.

(** Trace-in: input i's bit says whether its value stands among the asked outputs. *)
Lemma said_in_ideal (query : TraceQuery) (inputs outputs : list (list G1)) (assignment : list N) (bits : N -> bool) :
  trace_direction query = TraceDirection_TraceIn -> trace_legal query outputs = true ->
  seq_length inputs = seq_length outputs ->
  (forall i, i < seq_length inputs -> bits i = trace_stands outputs (trace_outputs query) (seq_at inputs i)) ->
  trace_answer query (map (said_of (trace_reveal query) bits) (trace_targets query outputs))
  = trace_ideal query inputs outputs assignment.
Proof.
  intros D Legal LI B. unfold trace_legal in Legal. rewrite D in Legal. apply andb_true_iff in Legal as [Fits Allowed].
  apply andb_true_iff in Fits as [FI _]. apply N.eqb_eq in FI.
  unfold trace_answer, trace_targets, trace_asked, trace_ideal. rewrite D. rewrite trace_each_map, LI.
  destruct (trace_reveal query); [| discriminate |].
  - change (said_of TraceReveal_RevealEach bits) with (count_true bits). cbv zeta.
    rewrite unpacked_packs, (trace_asked_rows_filter _ _ FI). apply map_ext_in. intros i I. apply filter_In in I as [I _].
    apply range_in in I. rewrite B by lia. reflexivity.
  - simpl app. simpl map. f_equal. unfold said_of. simpl trace_tested. cbv iota.
    rewrite trace_total_count, (trace_asked_rows_filter _ _ FI). unfold count_true. f_equal. f_equal.
    apply filter_ext_in. intros i I. apply filter_In in I as [I _]. apply range_in in I. apply B. lia.
Qed.

(** Trace-out: the bit of output j says whether the input that went there was asked for. *)
Lemma said_out_ideal (query : TraceQuery) (inputs outputs : list (list G1)) (assignment : list N) (bits : N -> bool) :
  trace_direction query = TraceDirection_TraceOut -> trace_legal query outputs = true ->
  seq_length inputs = seq_length outputs -> permutes assignment (seq_length outputs) ->
  (forall i, i < seq_length inputs -> seq_at outputs (seq_at assignment i) = seq_at inputs i) ->
  (forall i, i < seq_length inputs -> bits (seq_at assignment i) = trace_chosen (trace_inputs query) i) ->
  trace_answer query (map (said_of (trace_reveal query) bits) (trace_targets query outputs))
  = trace_ideal query inputs outputs assignment.
Proof.
  intros D Legal LI P Same B. unfold trace_legal in Legal. rewrite D in Legal. apply andb_true_iff in Legal as [Fits Allowed].
  apply andb_true_iff in Fits as [_ FO]. apply N.eqb_eq in FO. set (n := seq_length outputs) in *. rewrite LI in *.
  assert (forall j, j < n -> exists i, i < n /\ seq_at assignment i = j) as Onto.
  { intros j L. pose proof (images_permutation _ _ P) as R. assert (In j (range 0 n)) as I by (apply range_in; lia).
    apply (Permutation_in _ (Permutation_sym R)) in I. apply in_map_iff in I as (i & E & I). apply range_in in I.
    exists i. split; [lia | exact E]. }
  (* A row of j's value has its bit set exactly if the value stands among the inputs asked for. *)
  assert (forall j, j < n -> ((exists k, In k (trace_rows_of outputs (seq_at outputs j)) /\ bits k = true) <->
    trace_stands inputs (trace_inputs query) (seq_at outputs j) = true)) as Stands.
  { intros j L. rewrite trace_stands_iff, trace_rows_of_filter. split.
    - intros (k & I & K). apply filter_In in I as [I E]. apply range_in in I. apply trace_rows_equal_iff in E.
      destruct (Onto k) as (i & Li & <-); [unfold n; lia |]. exists i. rewrite <- Same by exact Li. rewrite <- B by exact Li.
      split; [rewrite LI; exact Li | now split].
    - intros (i & Li & C & E). rewrite LI in Li. exists (seq_at assignment i). split; [| now rewrite B].
      apply filter_In. split; [apply range_in; split; [lia | now apply (proj1 (proj2 P))] |].
      apply trace_rows_equal_iff. now rewrite Same. }
  unfold trace_answer, trace_targets, trace_asked, trace_ideal. rewrite D. destruct (trace_reveal query).
  - (* each *)
    change (said_of TraceReveal_RevealEach bits) with (count_true bits). cbv zeta.
    rewrite trace_each_map, unpacked_packs, (trace_asked_rows_filter _ _ FO). apply map_ext_in. intros j I.
    apply filter_In in I as [I C]. apply range_in in I. f_equal. apply eq_true_iff_eq. rewrite <- Stands by lia. split.
    + intros K. exists j. split; [| exact K]. rewrite trace_rows_of_filter. apply filter_In.
      split; [now apply range_in | now apply trace_rows_equal_iff].
    + intros (k & Ik & K). rewrite trace_rows_of_filter in Ik. apply filter_In in Ik as [Ik E]. apply range_in in Ik.
      apply trace_rows_equal_iff in E. rewrite <- (trace_unique_at outputs _ j k Allowed) by (try exact C; try exact E; unfold n in *; lia).
      exact K.
  - (* any *)
    rewrite trace_each_map, trace_targets_any_map, map_map. fold n.
    rewrite (filter_ext_in (trace_chosen (trace_firsts outputs (trace_outputs query))) (trace_first_of_value outputs (trace_outputs query))
      (range 0 n)) by (intros j I; apply range_in in I; apply trace_firsts_chosen; unfold n in I; lia).
    apply map_ext_in. intros j I. apply filter_In in I as [I _]. apply range_in in I.
    specialize (Stands j ltac:(lia)). unfold said_of.
    destruct (trace_tested TraceReveal_RevealAny (trace_rows_of outputs (seq_at outputs j))) eqn:T.
    + f_equal. apply eq_true_iff_eq. now rewrite <- Stands, N.ltb_lt, count_positive.
    + (* a value that one output has *)
      assert (trace_rows_of outputs (seq_at outputs j) = [j]) as E.
      { assert (In j (trace_rows_of outputs (seq_at outputs j))) as Ij.
        { rewrite trace_rows_of_filter. apply filter_In. split; [now apply range_in | now apply trace_rows_equal_iff]. }
        simpl in T. apply N.ltb_ge in T. destruct (trace_rows_of outputs (seq_at outputs j)) as [| a [| b rest]].
        - contradiction.
        - now destruct Ij as [-> | []].
        - unfold seq_length in T. simpl in T. lia. }
      rewrite E in *. rewrite count_single. f_equal. apply eq_true_iff_eq. rewrite <- Stands. split.
      * intros K. exists j. split; [now left | exact K].
      * intros (k & [<- | []] & K). exact K.
  - (* count *)
    simpl app. simpl map. f_equal. unfold said_of. simpl trace_tested. cbv iota.
    rewrite trace_moved_count, (proj1 P), (trace_asked_rows_filter _ _ FO).
    transitivity (count_true (fun j => trace_chosen (trace_outputs query) j && bits j) (range 0 n)).
    + unfold count_true. f_equal. clear. induction (range 0 n) as [| j s IH]; simpl; [reflexivity |].
      destruct (trace_chosen (trace_outputs query) j); simpl; [| exact IH]. destruct (bits j); simpl; now rewrite IH.
    + rewrite <- (count_permutation _ _ _ (images_permutation _ _ P)). unfold count_true. f_equal.
      transitivity (length (filter (fun i => trace_chosen (trace_inputs query) i
        && trace_chosen (trace_outputs query) (seq_at assignment i)) (range 0 n))); [| reflexivity].
      assert (forall s, (forall i, In i s -> i < n) ->
        length (filter (fun j => trace_chosen (trace_outputs query) j && bits j) (map (seq_at assignment) s))
        = length (filter (fun i => trace_chosen (trace_inputs query) i && trace_chosen (trace_outputs query) (seq_at assignment i)) s)) as G.
      { induction s as [| i s IH]; intros Low; simpl; [reflexivity |]. rewrite B by (apply Low; now left).
        rewrite andb_comm. destruct (_ && _); simpl; rewrite IH by (intros; apply Low; now right); reflexivity. }
      apply G. intros i I. apply range_in in I. lia.
Qed.

End Trace.
