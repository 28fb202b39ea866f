(** How many slots there can be after so many versions: where the bound on the number of slots comes from.

    - [block_grows_by_operations]: an accepted block adds at most as many slots as a block may hold operations;
    - [size_by_version]: so at version v there are at most 1 + (entries at genesis) + v * (operations a block) slots;
    - [next_in_memory]: with fewer than 2^60 entries at genesis, and at most 2^32 - 1 operations a block as all legal
      parameters have it, no array outgrows a machine within the first 2^29 versions: there, the premise
      [state_in_memory] (AcceptedSafe.v) always holds. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.ChangeMaps Spec.Dictionary.Changes
  Spec.Dictionary.Genesis Lemmas.PhaseLemmas Spec.Block.State Spec.Block.Checks Lemmas.BlockChecks
  Lemmas.ReplayLemmas Safety.LengthsSafe Safety.BoundsSafe Safety.RunSafe Safety.GenesisStateSafe
  Lemmas.AnyBlock Safety.ApplySafe Safety.AcceptedSafe.
Import ListNotations.
Local Open Scope N_scope.

(** ** Changes on an array *)

(** At most [most] slots, if there is an array. *)
Definition size_if_some (most : N) (a : option Array) : Prop :=
  match a with
  | Some known => array_size known <= most
  | None => True
  end.

Lemma pass_size_most : forall (apply : Array -> Change -> option Array) (cost : N) changes most start,
  (forall most a c, array_size a <= most -> size_if_some (most + cost) (apply a c)) ->
  size_if_some most start -> size_if_some (most + cost * seq_length changes) (fold_left (pass_step apply) changes start).
Proof.
  intros apply cost changes most start H. revert most start. induction changes as [|c changes IH]; intros most start S; cbn [fold_left].
  - rewrite seq_length_nil, N.mul_0_r, N.add_0_r. exact S.
  - rewrite seq_length_cons. replace (most + cost * (seq_length changes + 1)) with (most + cost + cost * seq_length changes) by lia.
    apply IH. destruct start as [a|]; [|exact I]. cbn [pass_step]. apply H. exact S.
Qed.

Theorem apply_changes_size_most : forall a changes b,
  apply_changes a changes = Some b -> array_size b <= array_size a + seq_length changes.
Proof.
  intros a changes b E. unfold apply_changes in E. rewrite apply_updates_pass in E.
  assert (U : size_if_some (array_size a + 0 * seq_length changes) (fold_left (pass_step apply_update) changes (Some a))).
  { apply pass_size_most; [|cbn; lia]. intros most known c L. unfold apply_update, array_update.
    repeat match goal with |- context [match ?x with _ => _ end] => destruct x end; cbn; try lia; exact I. }
  destruct (fold_left (pass_step apply_update) changes (Some a)) as [u|]; [|discriminate]. rewrite apply_inserts_pass in E.
  assert (N : size_if_some (array_size u + 1 * seq_length changes) (fold_left (pass_step apply_insert) changes (Some u))).
  { apply pass_size_most; [|cbn; lia]. intros most known c L. unfold apply_insert, array_insert. cbv zeta.
    repeat match goal with |- context [match ?x with _ => _ end] => destruct x end; cbn; try lia; exact I. }
  destruct (fold_left (pass_step apply_insert) changes (Some u)) as [i|]; [|discriminate]. rewrite apply_deletes_pass in E.
  assert (D : size_if_some (array_size i + 0 * seq_length changes) (fold_left (pass_step apply_delete) changes (Some i))).
  { apply pass_size_most; [|cbn; lia]. intros most known c L. unfold apply_delete, array_delete, swap_remove. cbv zeta.
    cbn [array_size array_slots]. destruct (N.ltb_spec 0 (array_size known));
    repeat match goal with |- context [match ?x with _ => _ end] => destruct x end; cbn; try lia; exact I. }
  rewrite E in D. cbn [size_if_some] in *. lia.
Qed.

(** ** Changes of a block *)

Section Sizes.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** At most [most] changes, unless an operation failed. *)
Definition length_if_ok (most : N) (changed : Result ChangeMap Rejection) : Prop :=
  match changed with
  | Ok changes => seq_length changes <= most
  | Err _ => True
  end.

Lemma run_operations_length : forall most items contents x changes,
  seq_length changes <= most -> length_if_ok (most + seq_length items) (run_operations changes items contents x).
Proof.
  intros most items contents x changes L. unfold run_operations.
  apply (loop_invariant _ (fun j => length_if_ok (most + j))); [lia|cbn; lia|]. intros j [known|e] Hj K; [|exact I].
  cbn [run_operations_step length_if_ok] in *. unfold run_operation. cbv zeta.
  destruct (run_action _ _) as [after|]; [|exact I]. cbn [length_if_ok].
  match goal with |- seq_length (put_change known ?c) <= _ => pose proof (put_change_length known c) end. lia.
Qed.

Lemma sum_of_firstn : forall A (D : Default A) (len : A -> N) (s : list A) x, x < seq_length s ->
  sum_of len (firstn (N.to_nat (x + 1)) s) = sum_of len (firstn (N.to_nat x) s) + len (seq_at s x).
Proof.
  intros A D len s. induction s as [|y s IH]; intros x Hx; [rewrite seq_length_nil in Hx; lia|]. rewrite seq_length_cons in Hx.
  replace (N.to_nat (x + 1)) with (S (N.to_nat x)) by lia. cbn [firstn]. destruct (N.eq_dec x 0) as [->|N].
  - cbn [N.to_nat firstn]. rewrite sum_of_cons, seq_at_cons_zero. unfold sum_of. cbn [fold_left]. lia.
  - replace x with (x - 1 + 1) at 3 by lia. rewrite seq_at_cons_succ.
    replace (N.to_nat x) with (S (N.to_nat (x - 1))) at 2 by lia. cbn [firstn]. rewrite !sum_of_cons.
    specialize (IH (x - 1) ltac:(lia)). replace (x - 1 + 1) with x in IH by lia. lia.
Qed.

Theorem run_block_length : forall block resolved changes,
  run_block block resolved = Ok changes -> seq_length changes <= total_operations (block_totals block).
Proof.
  intros block resolved changes E. destruct (block_totals_sums block) as (-> & _ & _).
  set (count := fun tx : Transaction => seq_length (operations tx)).
  assert (R : length_if_ok (sum_of count (firstn (N.to_nat (seq_length (transactions block))) (transactions block)))
    (run_block block resolved)).
  { unfold run_block. apply (loop_invariant _ (fun x => length_if_ok (sum_of count (firstn (N.to_nat x) (transactions block)))));
      [lia|cbn; lia|].
    intros x [known|e] Hx K; [|exact I]. cbn [run_block_step length_if_ok] in *.
    rewrite (sum_of_firstn _ Default_Transaction) by lia. apply run_operations_length. exact K. }
  rewrite E in R. cbn [length_if_ok] in R. unfold seq_length in R at 2. rewrite Nnat.Nat2N.id, firstn_all in R. exact R.
Qed.

(** ** The state *)

Theorem block_grows_by_operations : forall setup state any state' effects,
  apply_any setup state any = Ok (state', effects) -> size state' <= size state + block_operations (parameters state).
Proof.
  intros setup state any state' effects X. destruct (apply_any_passed setup state any state' effects X) as (e & P & P1 & _ & E).
  unfold apply_executed in E. cbv zeta in E. unfold advance_or_reject in E.
  destruct (advance _ _ _ _ _ _) as [s|] eqn:A; [|discriminate]. injection E as <- _.
  destruct (advance_fields _ _ _ _ _ _ _ A) as (_ & _ & _ & -> & _).
  pose proof (apply_changes_size_most _ _ _ (passed_changes _ _ _ _ P)) as S. cbn [array_size] in S.
  destruct (passed_operations _ _ _ _ P) as (changes & R & N). rewrite N in S. pose proof (net_changes_fewer changes).
  pose proof (run_block_length (block_in any) _ changes R).
  destruct (any_size_passed state any P1) as (_ & T & _). lia.
Qed.

Variables (setup : Setup) (genesis : Genesis).
Hypothesis legal : genesis_legal genesis = true.

Theorem size_by_version : forall state, accepted setup genesis state ->
  parameters state = genesis_parameters genesis /\
  size state <= 1 + seq_length (genesis_entries genesis) + version state * block_operations (genesis_parameters genesis).
Proof.
  intros state A. induction A as [B M|state any state' effects A [P S] B E M].
  - split; [reflexivity|]. destruct (genesis_legal_entries genesis legal) as [G _].
    destruct (genesis_array_well_formed _ G) as [_ Z].
    change (size (genesis_state setup genesis)) with (array_size (genesis_array (genesis_entries genesis))). rewrite Z. lia.
  - destruct (applied_block_fields setup state any state' effects E) as (P' & _ & V & _).
    pose proof (block_grows_by_operations setup state any state' effects E) as L. split; [congruence|].
    rewrite V, P in *. lia.
Qed.

Theorem next_in_memory : forall state any state' effects,
  accepted setup genesis state -> apply_any setup state any = Ok (state', effects) ->
  seq_length (genesis_entries genesis) < 2 ^ 60 -> version state' < 2 ^ 29 -> state_in_memory state'.
Proof.
  intros state any state' effects A E L V. destruct (size_by_version state A) as [P S].
  pose proof (block_grows_by_operations setup state any state' effects E) as G.
  destruct (applied_block_fields setup state any state' effects E) as (_ & _ & W & _).
  pose proof (legal_parameters genesis legal) as Lp. unfold parameters_legal, counts_legal, fits_u32 in Lp.
  rewrite !andb_true_iff, !N.leb_le in Lp.
  assert (O : block_operations (genesis_parameters genesis) <= 4294967295) by lia. rewrite P in G. clear Lp E.
  change (2 ^ 29) with 536870912 in V. change (2 ^ 60) with 1152921504606846976 in L.
  unfold state_in_memory. change (2 ^ 64) with 18446744073709551616. change (2 ^ 62) with 4611686018427387904.
  split; [lia|]. rewrite W in V. nia.
Qed.

End Sizes.
