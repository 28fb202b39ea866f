(** The number of a block's tail vectors is bounded before any of them is looked at, and no block that is otherwise good is
    refused by the bound.

    - [least_size_below]: a block leaves at least [least_size] slots, which is one less for each of its deletes;
    - [needed_at_most]: so it needs no more tail vectors than the bound allows;
    - [phase_tail_number_needed]: a block with as many as it needs passes. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis Dictionary.Changes
  Block.Tail Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution
  Block.Phases.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.ChangeMaps
  Spec.Block.Tail Spec.Dictionary.Changes.
Import ListNotations.
Local Open Scope N_scope.

(** ** Changes that remove a key *)

Lemma count_of_app : forall kind a b, count_of kind (a ++ b) = count_of kind a + count_of kind b.
Proof. intros. unfold count_of. rewrite filter_app. apply seq_length_app. Qed.

(** A net change that changes nothing removes nothing. *)
Lemma net_removals : forall changes, count_of is_removal (net_changes changes) <= count_of is_removal changes.
Proof.
  intros changes. rewrite net_changes_filter. induction changes as [|c changes IH]; [reflexivity|]. cbn [filter].
  rewrite count_of_cons. destruct (changes_something c); [rewrite count_of_cons|]; destruct (is_removal c); lia.
Qed.

Lemma size_after_least : forall changes s, s - count_of is_removal changes <= size_after s changes.
Proof.
  intros changes s. unfold size_after. rewrite (loop_over_elements _ _ _ size_after_step). revert s.
  induction changes as [|c changes IH]; intros s; cbn [fold_left]; [unfold count_of; cbn; lia|].
  rewrite count_of_cons. specialize (IH (size_after_step s c)). unfold size_after_step, is_removal in *.
  destruct (is_present (change_before c)), (is_present (change_after c)); cbn [negb andb] in *;
    try (destruct (N.ltb_spec 0 s)); lia.
Qed.

(** A put change takes the place of that of its key, and no other's. *)
Lemma put_change_removals : forall changes c,
  count_of is_removal (put_change changes c) <= count_of is_removal changes + 1 /\
  (is_removal c = false -> count_of is_removal (put_change changes c) <= count_of is_removal changes) /\
  (forall d, change_of changes (change_key c) = Some d -> is_removal d = true ->
    count_of is_removal (put_change changes c) <= count_of is_removal changes).
Proof.
  intros changes c. rewrite put_change_filters, !count_of_app. change [c] with (c :: []). rewrite count_of_cons.
  change (count_of is_removal []) with 0.
  assert (G : forall (l : ChangeMap), let kept := count_of is_removal (filter (below_by change_key (change_key c)) l) +
    count_of is_removal (filter (above_by change_key (change_key c)) l) in
    kept <= count_of is_removal l /\
    (forall d, In d l -> change_key d = change_key c -> is_removal d = true -> kept + 1 <= count_of is_removal l)).
  { intros l. induction l as [|d l [IH IHd]]; [split; [reflexivity|intros d []]|]. cbn [filter].
    assert (E : change_key d = change_key c -> below_by change_key (change_key c) d = false /\
      above_by change_key (change_key c) d = false).
    { intros E. unfold below_by, above_by. rewrite E. split; apply bytes_less_false, blt_irreflexive. }
    assert (N : below_by change_key (change_key c) d = true -> above_by change_key (change_key c) d = true -> False).
    { intros B A. exact (blt_asymmetric _ _ B A). }
    split.
    - destruct (below_by change_key (change_key c) d), (above_by change_key (change_key c) d);
        rewrite ?count_of_cons; destruct (is_removal d); try lia; exfalso; auto.
    - intros x [<-|Ix] K R.
      + destruct (E K) as [-> ->]. rewrite count_of_cons, R. lia.
      + specialize (IHd x Ix K R). destruct (below_by change_key (change_key c) d), (above_by change_key (change_key c) d);
          rewrite ?count_of_cons; destruct (is_removal d); try lia; exfalso; auto. }
  destruct (G changes) as [A B]. split; [destruct (is_removal c); lia|]. split; [intros ->; lia|].
  intros d D R. apply change_of_some in D. destruct D as [I K]. specialize (B d I K R). destruct (is_removal c); lia.
Qed.

Section TailNumber.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Operations that remove a key *)

(** Of [s] slots and the changes so far, at least this many are left. *)
Definition left_if_ok (s least : N) (changed : Result ChangeMap Rejection) : Prop :=
  match changed with
  | Ok changes => least <= s - count_of is_removal changes
  | Err _ => True
  end.

Lemma run_operation_least : forall s least changes op content x j,
  least <= s - count_of is_removal changes ->
  left_if_ok s (least_size_of_operation least op) (run_operation changes op content x j).
Proof.
  intros s least changes op content x j L. unfold run_operation. cbv zeta.
  set (old := change_so_far changes (operation_key op) content).
  destruct (run_action (change_after old) (action op)) as [after|] eqn:R; [|exact I]. cbn [left_if_ok].
  set (new := {| change_key := change_key old; change_before := change_before old; change_after := after |}).
  destruct (put_change_removals changes new) as (P1 & P2 & P3). unfold least_size_of_operation.
  destruct (is_delete (action op)) eqn:D; cbn [andb]; [destruct (N.ltb_spec 0 least); lia|].
  assert (Q : count_of is_removal (put_change changes new) <= count_of is_removal changes); [|lia].
  destruct (is_removal new) eqn:Rn; [|apply P2; reflexivity].
  (* Not a delete, and the key is absent after it: it was absent before. *)
  assert (After : after = None).
  { unfold is_removal in Rn. cbn in Rn. apply andb_true_iff in Rn. destruct Rn as [_ Rn]. destruct after; [discriminate|reflexivity]. }
  assert (Same : change_after old = None).
  { subst after. destruct (action op); cbn [is_delete] in D; try discriminate; cbn [run_action] in R.
    - unfold run_require in R. destruct (contents_equal _ _); [congruence|discriminate].
    - unfold run_require in R. destruct (contents_equal _ _); [congruence|discriminate].
    - unfold run_add in R. repeat match type of R with context [match ?e with _ => _ end] => destruct e end; discriminate.
    - unfold run_sub in R. repeat match type of R with context [match ?e with _ => _ end] => destruct e end; discriminate. }
  assert (Ro : is_removal old = true).
  { unfold is_removal in *. rewrite Same. subst after. exact Rn. }
  subst old. unfold change_so_far in *. destruct (change_of changes (operation_key op)) as [c|] eqn:C.
  - apply (P3 c); [|exact Ro]. cbn. pose proof (change_of_some _ _ _ C) as [_ ->]. exact C.
  - cbn [change_after] in Same. subst content. discriminate Ro.
Qed.

Lemma run_operations_least : forall s least items contents x changes tx, operations tx = items ->
  least <= s - count_of is_removal changes ->
  left_if_ok s (least_size_of_transaction least tx) (run_operations changes items contents x).
Proof.
  intros s least items contents x changes tx <- L. unfold run_operations, least_size_of_transaction.
  assert (G : forall js changed least, left_if_ok s least changed ->
    left_if_ok s (fold_left (fun least j => least_size_of_operation least (seq_at (operations tx) j)) js least)
      (fold_left (fun changed j => run_operations_step changed (seq_at (operations tx) j) (content_at contents j) x j) js changed)).
  { induction js as [|j js IH]; intros changed m H; [exact H|]. cbn [fold_left]. apply IH.
    destruct changed as [known|]; [|exact I]. cbn [run_operations_step]. apply run_operation_least. exact H. }
  apply G. exact L.
Qed.

Lemma run_block_least : forall s block resolved changes,
  run_block block resolved = Ok changes -> least_size s block <= s - count_of is_removal changes.
Proof.
  intros s block resolved changes E. unfold run_block, least_size in *.
  assert (G : forall xs changed least, left_if_ok s least changed ->
    left_if_ok s (fold_left (fun least x => least_size_of_transaction least (seq_at (transactions block) x)) xs least)
      (fold_left (fun changed x => run_block_step changed (seq_at (transactions block) x) (contents_at resolved x) x) xs changed)).
  { induction xs as [|x xs IH]; intros changed m H; [exact H|]. cbn [fold_left]. apply IH.
    destruct changed as [known|]; [|exact I]. cbn [run_block_step]. apply run_operations_least; [reflexivity|exact H]. }
  specialize (G (range 0 (seq_length (transactions block))) (Ok []) s). rewrite E in G. apply G. cbn. lia.
Qed.

Theorem least_size_below : forall s block resolved changes,
  run_block block resolved = Ok changes -> least_size s block <= size_after s (net_changes changes).
Proof.
  intros s block resolved changes E. pose proof (run_block_least s block resolved changes E).
  pose proof (size_after_least (net_changes changes) s). pose proof (net_removals changes). lia.
Qed.

(** ** The bound *)

Lemma tail_needed_antitone : forall start s s' n, 1 <= n -> s <= s' -> tail_needed start s' n <= tail_needed start s n.
Proof.
  intros start s s' n Hn L. unfold tail_needed. destruct (N.ltb_spec s' start); [|lia].
  destruct (N.ltb_spec s start); [|lia]. apply N.div_le_mono; lia.
Qed.

Theorem needed_at_most : forall start s n block resolved changes, 1 <= n -> run_block block resolved = Ok changes ->
  tail_needed start (size_after s (net_changes changes)) n <= tail_needed start (least_size s block) n.
Proof. intros. apply tail_needed_antitone; [assumption|]. eapply least_size_below; eassumption. Qed.

Lemma phase_tail_number_ok : forall state block, 1 <= vector_size (parameters state) ->
  (exists k, tail_start state = vector_size (parameters state) * k) ->
  seq_length (tail_vectors block) <= tail_needed (tail_start state) (least_size (size state) block) (vector_size (parameters state)) ->
  phase_tail_number state block = Ok tt.
Proof.
  intros state block Hn M L. unfold phase_tail_number. cbv zeta.
  pose proof (tail_needed_most (tail_start state) (least_size (size state) block) _ Hn M) as A.
  assert (B : seq_length (tail_vectors block) <= tail_start state / vector_size (parameters state)).
  { apply N.div_le_lower_bound; [lia|]. nia. }
  destruct (N.ltb_spec (tail_start state / vector_size (parameters state)) (seq_length (tail_vectors block))); [lia|].
  destruct (N.ltb_spec (tail_needed (tail_start state) (least_size (size state) block) (vector_size (parameters state)))
    (seq_length (tail_vectors block))); [lia|reflexivity].
Qed.

(** The bound refuses no block that has as many tail vectors as it needs. *)
Theorem phase_tail_number_needed : forall state block resolved changes, 1 <= vector_size (parameters state) ->
  (exists k, tail_start state = vector_size (parameters state) * k) -> run_block block resolved = Ok changes ->
  phase_tail_count state block (size_after (size state) (net_changes changes)) = Ok tt -> phase_tail_number state block = Ok tt.
Proof.
  intros state block resolved changes Hn M R C. apply phase_tail_number_ok; [assumption|assumption|].
  unfold phase_tail_count in C. cbv zeta in C.
  pose proof (needed_at_most (tail_start state) (size state) _ _ _ _ Hn R).
  repeat match type of C with (if ?a <? ?b then _ else _) = _ => destruct (N.ltb_spec a b); [discriminate|] end. lia.
Qed.

End TailNumber.
