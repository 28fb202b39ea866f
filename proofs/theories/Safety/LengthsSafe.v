(** Phase 1 never leaves the range of its integers or sequences.

    All that it computes are sums of lengths, and no part of a sum is larger than the whole. So one condition is enough: the
    length of the encoding, as an exact number, is below 2^64.

    - [transaction_length_never_panics], [block_totals_never_panics], [block_length_never_panics];
    - [check_transaction_size_never_panics], [phase_size_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Commitment.Opening
  Block.Rejection Block.Operation Dictionary.Genesis Block.Tail Block.Transaction Block.State Block.BlockData
  Block.Checks Block.Phases Dictionary.SlotSafe Block.OperationSafe Block.TailSafe Block.TransactionSafe
  Block.BlockDataSafe Block.ChecksSafe Block.PhasesSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe.
Import ListNotations.
Local Open Scope N_scope.

(** ** Loops over the elements of a sequence, and sums *)

(** Whether each turn of a loop over elements is safe. *)
Fixpoint each_safe {A B : Type} (f : B -> A -> B) (safe : B -> A -> bool) (s : list A) (acc : B) : bool :=
  match s with
  | [] => true
  | x :: rest => if safe acc x then each_safe f safe rest (f acc x) else false
  end.

Lemma loop_each_safe : forall A B (D : Default A) (f : B -> A -> B) (safe : B -> A -> bool) (s : list A) acc,
  each_safe f safe s acc = true ->
  loop_safe (fun acc i => f acc (seq_at s i)) (fun acc i => (i <? seq_length s) && safe acc (seq_at s i))
    (range 0 (seq_length s)) acc = true.
Proof.
  intros A B D f safe s acc E.
  apply (loop_is_safe _ (fun i acc => exists done rest, s = done ++ rest /\ seq_length done = i /\
    each_safe f safe rest acc = true)).
  - exists [], s. auto.
  - intros i acc' Hi (done & rest & -> & L & R). rewrite seq_length_app in *. destruct rest as [|x rest].
    + rewrite seq_length_nil in Hi. lia.
    + assert (X : seq_at (done ++ x :: rest) i = x).
      { rewrite seq_at_app, L, N.ltb_irrefl, N.sub_diag. reflexivity. }
      rewrite X. cbn [each_safe] in R. destruct (safe acc' x) eqn:S; [|discriminate]. split.
      * rewrite seq_length_cons. destruct (N.ltb_spec i (seq_length done + (seq_length rest + 1))); [reflexivity|lia].
      * exists (done ++ [x]), rest. rewrite <- app_assoc, seq_length_app. change (seq_length [x]) with 1.
        split; [reflexivity|]. split; [lia|assumption].
Qed.

(** The sum of the elements' lengths. *)
Definition sum_of {A : Type} (len : A -> N) (s : list A) : N := fold_left (fun total x => total + len x) s 0.

Section Sums.

Context {A : Type} {D : Default A}.
Variables (len : A -> N) (len_safe : A -> bool).

Lemma sum_of_start : forall s start, fold_left (fun total x => total + len x) s start = start + sum_of len s.
Proof.
  unfold sum_of. intros s. induction s as [|x s IH]; intros start; cbn [fold_left]; [lia|]. rewrite IH, (IH (0 + len x)). lia.
Qed.

Lemma sum_of_cons : forall x s, sum_of len (x :: s) = len x + sum_of len s.
Proof. intros. unfold sum_of at 1. cbn [fold_left]. rewrite sum_of_start. lia. Qed.

Lemma sum_of_in : forall s x, In x s -> len x <= sum_of len s.
Proof.
  intros s x. induction s as [|y s IH]; intros I; [destruct I|]. rewrite sum_of_cons.
  destruct I as [->|I]; [lia|]. specialize (IH I). lia.
Qed.

Lemma sum_of_length : (forall x, 1 <= len x) -> forall s, seq_length s <= sum_of len s.
Proof.
  intros H s. induction s as [|x s IH]; [rewrite seq_length_nil; lia|]. rewrite seq_length_cons, sum_of_cons.
  specialize (H x). lia.
Qed.

Lemma sum_of_loop : forall s, fold_left (fun total i => total + len (seq_at s i)) (range 0 (seq_length s)) 0 = sum_of len s.
Proof. intros. exact (loop_over_elements _ _ _ (fun total x => total + len x) s 0). Qed.

Lemma sum_is_safe : forall s,
  (forall x, In x s -> len x < 2 ^ 64 -> len_safe x = true) -> sum_of len s < 2 ^ 64 ->
  loop_safe (fun total i => total + len (seq_at s i))
    (fun total i => (i <? seq_length s) && (len_safe (seq_at s i) && within_usize (total + len (seq_at s i))))
    (range 0 (seq_length s)) 0 = true.
Proof.
  intros s S B. apply (loop_each_safe _ _ _ (fun total x => total + len x)
    (fun total x => len_safe x && within_usize (total + len x))).
  assert (G : 0 + sum_of len s < 2 ^ 64) by lia. revert G. generalize 0 as total. clear B.
  induction s as [|x s IH]; intros total G; [reflexivity|]. rewrite sum_of_cons in G. cbn [each_safe].
  rewrite (S x (or_introl eq_refl)) by lia. unfold within_usize at 1. destruct (N.ltb_spec (total + len x) (2 ^ 64)); [|lia].
  cbn [andb]. apply IH; [intros y I; apply S; right; exact I|lia].
Qed.

End Sums.

Ltac fit := unfold within_usize; rewrite ?andb_true_iff, ?N.ltb_lt; repeat split; try lia.

(** ** Operations and slots *)

Lemma operations_length_sum : forall items, operations_length items = sum_of operation_length items.
Proof. intros. exact (sum_of_loop operation_length items). Qed.

Lemma operation_length_least : forall op, 1 <= operation_length op.
Proof. intros op. unfold operation_length. cbv zeta. destruct (action op); lia. Qed.

Theorem operations_length_never_panics : forall items, operations_length items < 2 ^ 64 -> operations_length_safe items = true.
Proof.
  intros items B. rewrite operations_length_sum in B. apply (sum_is_safe operation_length operation_length_safe); [|exact B].
  intros op _ L. unfold operation_length in L. unfold operation_length_safe. cbv zeta in *. destruct (action op); fit.
Qed.

Section Lengths.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma slots_length_sum : forall slots, slots_length slots = sum_of slot_bytes_length slots.
Proof. intros. exact (sum_of_loop slot_bytes_length slots). Qed.

Lemma slot_length_in_range : forall x, slot_bytes_length x < 2 ^ 64 -> slot_bytes_length_safe x = true.
Proof. intros x L. unfold slot_bytes_length in L. unfold slot_bytes_length_safe. fit. Qed.

Lemma slots_length_never_panics : forall slots, slots_length slots < 2 ^ 64 -> slots_length_safe slots = true.
Proof.
  intros slots B. rewrite slots_length_sum in B. apply (sum_is_safe slot_bytes_length slot_bytes_length_safe); [|exact B].
  intros x _. apply slot_length_in_range.
Qed.

Theorem vectors_length_never_panics : forall vectors, vectors_length vectors < 2 ^ 64 -> vectors_length_safe vectors = true.
Proof.
  intros vectors B. unfold vectors_length, vectors_length_step in B. rewrite (sum_of_loop slots_length) in B.
  apply (sum_is_safe slots_length slots_length_safe); [|exact B]. intros slots _. apply slots_length_never_panics.
Qed.

(** ** Transactions *)

Lemma claims_length_sum : forall items, claims_length items = sum_of claim_length items.
Proof. intros. exact (sum_of_loop claim_length items). Qed.

Theorem claims_length_never_panics : forall items, claims_length items < 2 ^ 64 -> claims_length_safe items = true.
Proof.
  intros items B. rewrite claims_length_sum in B. apply (sum_is_safe claim_length claim_length_safe); [|exact B].
  intros c _ L. unfold claim_length in L. unfold claim_length_safe. rewrite slot_length_in_range by lia. fit.
Qed.

Theorem transaction_length_never_panics : forall tx, transaction_length tx < 2 ^ 64 -> transaction_length_safe tx = true.
Proof.
  intros tx B. unfold transaction_length in B. unfold transaction_length_safe.
  rewrite operations_length_never_panics, claims_length_never_panics by lia. fit.
Qed.

(** Operations and claims take at least a byte each. *)
Lemma transaction_length_counts : forall tx, seq_length (operations tx) + seq_length (claims tx) <= transaction_length tx.
Proof.
  intros tx. unfold transaction_length. rewrite operations_length_sum, claims_length_sum.
  pose proof (sum_of_length operation_length operation_length_least (operations tx)).
  assert (C : forall c, 1 <= claim_length c) by (intros c; unfold claim_length; lia).
  pose proof (sum_of_length claim_length C (claims tx)). lia.
Qed.

(** ** Blocks *)

Lemma block_totals_sums : forall block,
  let totals := block_totals block in
  total_operations totals = sum_of (fun tx => seq_length (operations tx)) (transactions block) /\
  total_claims totals = sum_of (fun tx => seq_length (claims tx)) (transactions block) /\
  total_length totals = sum_of (fun tx => 4 + transaction_length tx) (transactions block).
Proof.
  intros block totals. unfold totals, block_totals.
  rewrite (loop_over_elements _ _ _ block_totals_step).
  assert (G : forall items start,
    let totals := fold_left block_totals_step items start in
    total_operations totals = total_operations start + sum_of (fun tx => seq_length (operations tx)) items /\
    total_claims totals = total_claims start + sum_of (fun tx => seq_length (claims tx)) items /\
    total_length totals = total_length start + sum_of (fun tx => 4 + transaction_length tx) items).
  { induction items as [|tx items IH]; intros start; cbv zeta; cbn [fold_left]; [unfold sum_of; cbn [fold_left]; lia|].
    destruct (IH (block_totals_step start tx)) as (-> & -> & ->). rewrite !sum_of_cons.
    unfold block_totals_step. cbn [total_operations total_claims total_length]. lia. }
  apply (G (transactions block)).
Qed.

Theorem block_totals_never_panics : forall block, total_length (block_totals block) < 2 ^ 64 -> block_totals_safe block = true.
Proof.
  intros block B. destruct (block_totals_sums block) as (_ & _ & E). rewrite E in B. clear E.
  apply (loop_each_safe _ _ _ block_totals_step block_totals_step_safe).
  assert (G : forall items start,
    total_operations start <= total_length start -> total_claims start <= total_length start ->
    total_length start + sum_of (fun tx => 4 + transaction_length tx) items < 2 ^ 64 ->
    each_safe block_totals_step block_totals_step_safe items start = true).
  { clear B. induction items as [|tx items IH]; intros start O C L; [reflexivity|]. rewrite sum_of_cons in L.
    pose proof (transaction_length_counts tx) as T. cbn [each_safe].
    assert (S : block_totals_step_safe start tx = true).
    { unfold block_totals_step_safe. rewrite transaction_length_never_panics by lia. fit. }
    rewrite S. apply IH; unfold block_totals_step; cbn [total_operations total_claims total_length]; lia. }
  apply G; cbn [total_operations total_claims total_length]; lia.
Qed.

Theorem block_length_never_panics : forall block, block_length block < 2 ^ 64 -> block_length_safe block = true.
Proof.
  intros block B. unfold block_length in B. unfold block_length_safe. cbv zeta in *.
  rewrite block_totals_never_panics, vectors_length_never_panics by lia. fit.
Qed.

Lemma block_length_totals : forall block, total_length (block_totals block) <= block_length block.
Proof. intros. unfold block_length. cbv zeta. lia. Qed.

Lemma block_length_transaction : forall block tx, In tx (transactions block) -> transaction_length tx <= block_length block.
Proof.
  intros block tx I. pose proof (block_length_totals block) as L. destruct (block_totals_sums block) as (_ & _ & E).
  rewrite E in L. pose proof (sum_of_in (fun tx => 4 + transaction_length tx) _ tx I). cbv beta in *. lia.
Qed.

(** ** Phase 1 *)

Theorem check_transaction_size_never_panics : forall p tx x,
  transaction_length tx < 2 ^ 64 -> check_transaction_size_safe p tx x = true.
Proof.
  intros p tx x B. unfold check_transaction_size_safe. rewrite transaction_length_never_panics by assumption.
  destruct (_ <? _); [reflexivity|]. destruct (_ <? _); reflexivity.
Qed.

Theorem phase_size_never_panics : forall state block,
  version state + 1 < 2 ^ 64 -> block_length block < 2 ^ 64 -> phase_size_safe state block = true.
Proof.
  intros state block V B. pose proof (block_length_totals block). unfold phase_size_safe. apply andb_true_iff. split.
  - unfold check_block_size_safe. cbv zeta. rewrite block_totals_never_panics, block_length_never_panics by lia.
    unfold within_usize. destruct (N.ltb_spec (version state + 1) (2 ^ 64)); [|lia]. cbn [andb].
    destruct (negb _); [reflexivity|]. destruct (_ <? _); [reflexivity|]. destruct (_ <? _); [reflexivity|].
    destruct (_ <? _); reflexivity.
  - apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros x checked Hx _. split; [|exact I].
    destruct (N.ltb_spec x (seq_length (transactions block))); [|lia]. cbn [andb].
    destruct checked as [[]|]; [|reflexivity]. apply check_transaction_size_never_panics.
    pose proof (block_length_transaction block (seq_at (transactions block) x) ltac:(apply seq_at_in; lia)). lia.
Qed.

End Lengths.
