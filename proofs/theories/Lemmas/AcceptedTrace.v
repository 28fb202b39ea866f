(** What the answer to a query says, whose proofs were accepted, of servers that may lie.

    - [ShownTest], [tests_accepted], [tests_justified]: zero tests, one server after the other.
    - [ShownShares], [shares_accepted], [shares_counted], [shares_justified]: the servers' shares of the decrypted rows.
    - [ShownTrace], [trace_accepted], [trace_breaks], [shown_answer]: all that is shown for a query.
    - [answer_justified_or_breaks]. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field Permutation.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Permutation
  Mixnet.Column Mixnet.Sharing Mixnet.Threshold Mixnet.ZeroTest Mixnet.TracePacked Mixnet.Trace Mixnet.TraceRun.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Batch
  Spec.Mixnet.LinearRelation Spec.Mixnet.Column Spec.Mixnet.Sharing Spec.Mixnet.Lagrange Spec.Mixnet.Threshold
  Spec.Mixnet.ZeroTest Lemmas.ColumnCount Lemmas.MatrixCount Lemmas.PermutationCount Spec.Mixnet.Trace Spec.Mixnet.TraceRun
  Lemmas.HonestTrace Lemmas.AcceptedColumns.
Import ListNotations.
Local Open Scope N_scope.

Section Accepted.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** * Zero tests *)

(** What a server left of the targets, and the witness that two accepted proofs give. *)
Record ShownTest : Type := {
  shown_blinded : list (list G1);
  shown_factors : list Scalar;
}.

Fixpoint tests_accepted (targets : list (list G1)) (tests : list ShownTest) : Prop :=
  match tests with
  | [] => True
  | test :: rest =>
      seq_length targets = seq_length (shown_blinded test) /\ zero_test_legal (shown_blinded test) = true /\
      relation_met (zero_test_matrix targets) (zero_test_image (shown_blinded test)) (shown_factors test) = true /\
      tests_accepted (shown_blinded test) rest
  end.

Definition last_blinded (targets : list (list G1)) (tests : list ShownTest) : list (list G1) :=
  fold_left (fun _ test => shown_blinded test) tests targets.

Lemma tests_justified (tests : list ShownTest) (secret : Scalar) : forall targets,
  tests_accepted targets tests ->
  seq_length (last_blinded targets tests) = seq_length targets /\
  forall p, p < seq_length targets -> exists zeta, zeta <> scalar_of_N 0 /\
    decrypted (seq_at (last_blinded targets tests) p) secret 1 = g1_scale zeta (decrypted (seq_at targets p) secret 1).
Proof.
  induction tests as [| test tests IH]; intros targets A.
  { split; [reflexivity |]. intros p _. exists (scalar_of_N 1). split; [exact scalar_one_nonzero |]. simpl. group_solve. }
  destruct A as (L & Legal & M & Rest). destruct (IH _ Rest) as [LB J].
  change (last_blinded targets (test :: tests)) with (last_blinded (shown_blinded test) tests).
  split; [congruence |]. intros p Lp. destruct (J p ltac:(congruence)) as (zeta & Z & ->).
  destruct (met_zero_test _ _ _ p secret L Legal M Lp) as (Z' & -> & _).
  exists (zeta [*] scalar_at (shown_factors test) p). split; [now apply scalar_mul_nonzero |]. group_solve.
Qed.

(** * Shares *)

(** A server's shares of all rows, with the coefficients of their proof and the witness that two accepted proofs give. *)
Record ShownShares : Type := {
  shown_server : N;
  shown_shares : list (list G1);
  shown_weights : list Scalar;
  shown_secret : list Scalar;
}.

(** The relation of a server's shares is met, for its half of the key, which follows from the commitments of the dealing. *)
Definition shares_accepted (committed firsts : list G1) (s : ShownShares) : Prop :=
  seq_length (shown_shares s) = seq_length firsts /\
  relation_met (decryption_matrix 1 (g1_combination firsts (shown_weights s)))
    (decryption_image [share_public committed (shown_server s)] (shown_shares s) (shown_weights s)) (shown_secret s) = true.

(** The coefficients of a decryption proof are counted by [decryption_counted]. *)
Definition shares_counted (coefficients : list Scalar) (firsts : list G1) (s : ShownShares) : Prop :=
  (exists j, j < seq_length firsts /\
    g1_at (seq_at (shown_shares s) j) 0 <> g1_scale (share_of coefficients (shown_server s)) (g1_at firsts j)) /\
  combination (share_error firsts (shown_shares s) (share_of coefficients (shown_server s)) 0) (shown_weights s) (seq_length firsts)
  = scalar_of_N 0.

Lemma shares_justified (coefficients : list Scalar) (firsts : list G1) (s : ShownShares) :
  shares_accepted (share_commitments coefficients) firsts s ->
  (forall j, j < seq_length firsts ->
   g1_at (seq_at (shown_shares s) j) 0 = g1_scale (share_of coefficients (shown_server s)) (g1_at firsts j)) \/
  shares_counted coefficients firsts s.
Proof.
  intros (L & M).
  pose proof (met_decryption_errors [share_public (share_commitments coefficients) (shown_server s)] firsts (shown_shares s)
    (shown_weights s) (shown_secret s) (share_of coefficients (shown_server s)) 0 L eq_refl (share_public_multiple _ _) M) as E.
  destruct (@search (fun j => negb (g1_equal (g1_at (seq_at (shown_shares s) j) 0)
    (g1_scale (share_of coefficients (shown_server s)) (g1_at firsts j)))) (seq_length firsts)) as [(j & Lj & W) | Right].
  - right. split; [| exact E]. exists j. split; [exact Lj |]. intros Q. rewrite (proj2 (g1_equal_iff _ _) Q) in W. discriminate.
  - left. intros j Lj. specialize (Right j Lj). apply negb_false_iff in Right. now apply g1_equal_iff.
Qed.

(** * Queries *)

(** All that is shown for a query: the servers that mixed, in the order in which they did; zero tests; shares. *)
Record ShownTrace : Type := {
  shown_mixers : list ShownMixer;
  shown_tests : list ShownTest;
  shown_decryption : list ShownShares;
}.

(** The servers in the order in which the column goes through them. *)
Definition in_order (direction : TraceDirection) (shown : ShownTrace) : list ShownMixer :=
  match direction with
  | TraceDirection_TraceIn => rev (shown_mixers shown)
  | TraceDirection_TraceOut => shown_mixers shown
  end.

(** The last column, and the rows that are decrypted. *)
Definition shown_column (query : TraceQuery) (outputs : list (list G1)) (shown : ShownTrace) : list (list G1) :=
  last_list (trace_first_column query outputs) (in_order (trace_direction query) shown).

Definition shown_decrypted (query : TraceQuery) (outputs : list (list G1)) (shown : ShownTrace) : list (list G1) :=
  let targets := trace_targets query outputs in
  let column := shown_column query outputs shown in
  trace_decrypted (trace_reveal query) targets column
    (last_blinded (trace_test_sums (trace_reveal query) targets column) (shown_tests shown)).

Definition shown_firsts (rows : list (list G1)) : list G1 := map (fun row => g1_at row 0) rows.

(** Everything that a verifier looks at: columns, zero tests, shares; [committed] are the commitments of the dealing. *)
Definition trace_accepted (generators : MixnetGenerators) (keys committed : list G1) (query : TraceQuery)
    (outputs : list (list G1)) (shown : ShownTrace) : Prop :=
  lists_accepted (trace_direction query) generators keys (trace_first_column query outputs)
    (in_order (trace_direction query) shown) /\
  tests_accepted (trace_test_sums (trace_reveal query) (trace_targets query outputs) (shown_column query outputs shown))
    (shown_tests shown) /\
  forall s, In s (shown_decryption shown) -> shares_accepted committed (shown_firsts (shown_decrypted query outputs shown)) s.

(** A relation among the generators is given away, or one of the counted challenges was met. *)
Definition trace_breaks (generators : MixnetGenerators) (coefficients : list Scalar) (querier : Scalar) (query : TraceQuery)
    (outputs : list (list G1)) (shown : ShownTrace) : Prop :=
  lists_break (trace_direction query) generators (scalar_at coefficients 0 [+] querier) 1 (trace_first_column query outputs)
    (in_order (trace_direction query) shown) \/
  exists s, In s (shown_decryption shown) /\
    shares_counted coefficients (shown_firsts (shown_decrypted query outputs shown)) s.

(** What everybody reads: the plaintexts of the decrypted rows, less the querier's part. *)
Definition shown_results (querier : Scalar) (rows : list (list G1)) (shares : list ShownShares) : list G1 :=
  map (fun number => g1_subtract
      (decryption_plaintext (g1_at (seq_at rows number) 1) (map shown_server shares)
        (map (fun s => g1_at (seq_at (shown_shares s) number) 0) shares))
      (g1_scale querier (g1_at (seq_at rows number) 0)))
    (range 0 (seq_length rows)).

Definition shown_answer (querier : Scalar) (query : TraceQuery) (outputs : list (list G1)) (shown : ShownTrace) : option (list N) :=
  match trace_read (trace_reveal query) (trace_targets query outputs) (seq_length outputs)
    (shown_results querier (shown_decrypted query outputs shown) (shown_decryption shown)) with
  | Some numbers => Some (trace_answer query numbers)
  | None => None
  end.

(** Where inputs went by the permutations that the servers are committed to. *)
Definition shown_assignment (n : N) (shown : ShownTrace) : list N := assignment_of (map as_mixer (shown_mixers shown)) n.

Lemma results_justified (coefficients : list Scalar) (querier : Scalar) (rows : list (list G1)) (shares : list ShownShares) :
  distinct_servers (map shown_server shares) -> (length coefficients <= length shares)%nat ->
  (forall s j, In s shares -> j < seq_length (shown_firsts rows) ->
   g1_at (seq_at (shown_shares s) j) 0 = g1_scale (share_of coefficients (shown_server s)) (g1_at (shown_firsts rows) j)) ->
  forall number, number < seq_length rows ->
  g1_at (shown_results querier rows shares) number
  = decrypted (seq_at rows number) (scalar_at coefficients 0 [+] querier) 1.
Proof.
  intros D L J number Ln. unfold shown_results. rewrite g1_at_map by exact Ln.
  assert (g1_at (shown_firsts rows) number = g1_at (seq_at rows number) 0) as First.
  { unfold shown_firsts. rewrite g1_at_in by (rewrite seq_length_map; exact Ln). unfold seq_at at 1.
    rewrite (nth_indep _ _ (g1_at default 0)) by (rewrite map_length; unfold seq_length in Ln; lia).
    now rewrite (map_nth (fun row => g1_at row 0)). }
  replace (map (fun s => g1_at (seq_at (shown_shares s) number) 0) shares)
    with (map (fun k => g1_scale (share_of coefficients k) (g1_at (seq_at rows number) 0)) (map shown_server shares)).
  - rewrite decryption_plaintext_correct by (rewrite ?map_length; assumption). unfold decrypted. group_solve.
  - rewrite map_map. apply map_ext_in. intros s I. rewrite J, First; [reflexivity | exact I |].
    unfold shown_firsts. now rewrite seq_length_map.
Qed.

Lemma any_counted (coefficients : list Scalar) (firsts : list G1) (shares : list ShownShares) :
  (forall s, In s shares -> shares_accepted (share_commitments coefficients) firsts s) ->
  (forall s j, In s shares -> j < seq_length firsts ->
   g1_at (seq_at (shown_shares s) j) 0 = g1_scale (share_of coefficients (shown_server s)) (g1_at firsts j)) \/
  exists s, In s shares /\ shares_counted coefficients firsts s.
Proof.
  induction shares as [| s shares IH]; intros A; [left; intros s j [] |].
  destruct (shares_justified coefficients firsts s (A s (or_introl eq_refl))) as [J | C].
  - destruct (IH (fun s I => A s (or_intror I))) as [Js | (s' & I & C)]; [left | right; exists s'; split; [now right | exact C]].
    intros s' j [<- | I] Lj; [now apply J | now apply Js].
  - right. exists s. split; [now left | exact C].
Qed.

Theorem answer_justified_or_breaks (generators : MixnetGenerators) (coefficients : list Scalar) (querier : Scalar)
    (query : TraceQuery) (inputs outputs : list (list G1)) (shown : ShownTrace) :
  let n := seq_length outputs in
  let assignment := shown_assignment n shown in
  trace_accepted generators (trace_keys coefficients querier) (share_commitments coefficients) query outputs shown ->
  distinct_servers (map shown_server (shown_decryption shown)) ->
  (length coefficients <= length (shown_decryption shown))%nat -> numbers_differ (n + 2 ^ TRACE_PACKED) ->
  trace_legal query outputs = true -> seq_length inputs = n ->
  (forall i, i < n -> seq_at outputs (seq_at assignment i) = seq_at inputs i) ->
  shown_answer querier query outputs shown = Some (trace_ideal query inputs outputs assignment) \/
  trace_breaks generators coefficients querier query outputs shown.
Proof.
  intros n assignment (Lists & Tests & Shares) D L Numbers Legal LI Same.
  destruct (trace_keys_at coefficients querier) as (K & G & Y).
  set (secret := scalar_at coefficients 0 [+] querier) in *. set (targets := trace_targets query outputs) in *.
  set (column := shown_column query outputs shown) in *.
  destruct (lists_justified (trace_direction query) generators _ secret 1 n (in_order (trace_direction query) shown)
    (conj (N.lt_0_1) K) G Y _ (trace_first_column_length query outputs) Lists) as [(P & LC & Column) | B]; [| right; now left].
  fold (shown_column query outputs shown) in LC, Column. fold column in LC, Column.
  set (rows := shown_decrypted query outputs shown) in *.
  destruct (any_counted coefficients _ _ Shares) as [J | C]; [| right; now right]. left.
  assert (all_permute (map as_mixer (shown_mixers shown)) n) as PM.
  { intros x I. apply P. unfold in_order. destruct (trace_direction query); [| exact I].
    apply in_map_iff in I as (m & <- & I). apply in_map. now apply in_rev in I. }
  pose proof (assignment_permutes _ n PM) as PA. fold (shown_assignment n shown) in PA. fold assignment in PA.
  assert (forall i, i < n -> seq_at assignment i = images_through (map as_mixer (shown_mixers shown)) i) as At
    by (intros i Li; now apply assignment_at).
  destruct (tests_justified (shown_tests shown) secret _ Tests) as [LB Blind].
  assert (seq_length rows = seq_length targets) as LR.
  { unfold rows, shown_decrypted. cbv zeta. now rewrite trace_decrypted_map, seq_length_map, seq_length_range. }
  assert (forall number, number < seq_length targets -> exists zeta,
     zeta <> scalar_of_N 0 /\ (trace_tested (trace_reveal query) (seq_at targets number) = false -> zeta = scalar_of_N 1) /\
     g1_at (shown_results querier rows (shown_decryption shown)) number
     = g1_scale zeta (decrypted (trace_sum column (seq_at targets number)) secret 1)) as Results.
  { intros number Ln. rewrite (results_justified coefficients) by (try assumption; lia). fold secret.
    exact (decrypted_row_at _ targets column _ secret number LB Blind Ln). }
  unfold shown_answer. fold rows. fold targets. fold n.
  destruct (trace_direction query) eqn:Direction.
  - rewrite (read_said (trace_reveal query) targets n column secret _
      (fun i => trace_first_bit query outputs (images_through (map as_mixer (shown_mixers shown)) i)));
      try assumption.
    + cbv iota. f_equal. apply said_in_ideal; try assumption. intros i Li. rewrite LI in Li. unfold trace_first_bit. rewrite Direction.
      pose proof (images_through_below _ n i PM Li) as B. unfold n in B. rewrite (proj2 (N.ltb_lt _ _) B). simpl.
      rewrite <- Same, At by exact Li. reflexivity.
    + intros target j I Ij. pose proof (target_rows query outputs target j Legal I Ij) as Lj. rewrite Column by exact Lj.
      cbn [in_order]. rewrite rev_involutive. apply first_decrypts. now apply images_through_below.
    + intros target I. now apply target_short.
  - set (bits := fun j => existsb (fun i => (seq_at assignment i =? j) && trace_chosen (trace_inputs query) i) (range 0 n)).
    assert (forall i, i < n -> bits (seq_at assignment i) = trace_chosen (trace_inputs query) i) as Bits.
    { intros i Li. unfold bits. apply eq_true_iff_eq. rewrite existsb_exists. split.
      - intros (k & I & E). apply range_in in I. apply andb_true_iff in E as [E C]. apply N.eqb_eq in E.
        apply (proj2 (proj2 PA)) in E; [now subst | lia | exact Li].
      - intros C. exists i. split; [apply range_in; lia |]. now rewrite N.eqb_refl. }
    rewrite (read_said (trace_reveal query) targets n column secret _ bits); try assumption.
    + cbv iota. f_equal. apply said_out_ideal; try assumption; intros i Li; rewrite LI in Li; [now apply Same | now apply Bits].
    + intros target j I Ij. pose proof (target_rows query outputs target j Legal I Ij) as Lj.
      assert (exists i, i < n /\ seq_at assignment i = j) as (i & Li & <-).
      { assert (In j (range 0 n)) as R by (apply range_in; split; [apply N.le_0_l | exact Lj]).
        apply (Permutation_in _ (Permutation_sym (images_permutation _ _ PA))) in R.
        apply in_map_iff in R as (i & E & R). apply range_in in R. exists i. split; [lia | exact E]. }
      rewrite Bits by exact Li. rewrite At by exact Li. cbn [in_order] in Column. rewrite Column by exact Li.
      rewrite first_decrypts by exact Li. unfold trace_first_bit. now rewrite Direction.
    + intros target I. now apply target_short.
Qed.

End Accepted.
