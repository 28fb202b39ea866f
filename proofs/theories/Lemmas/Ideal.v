(** What a block does to the whole array, and that it is what its transactions do to a map.

    - [ideal_array_is_map]: the whole array after a block is there exactly when the transactions succeed one after the other
      on the array's map; it is well-formed, and its map is the map that they end with. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Block.Rejection Block.Operation Dictionary.Changes Block.Transaction
  Block.BlockData Block.Execution Block.Map.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.DictionaryLemmas
  Lemmas.ChangeMaps Spec.Dictionary.KeyMap Spec.Dictionary.Changes Spec.Block.Execution Spec.Block.Map.
Import ListNotations.
Local Open Scope N_scope.

Section Ideal.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The content of each operation's key in the whole array, by transaction and operation. *)
Definition whole_contents (a : Array) (items : list Transaction) : list Contents :=
  map (fun tx => map (fun op => map_of a (operation_key op)) (operations tx)) items.

(** The net changes of the block's operations on the whole array. *)
Definition ideal_changes (a : Array) (block : Block) : Result ChangeMap Rejection :=
  match run_block block (whole_contents a (transactions block)) with
  | Ok changes => Ok (net_changes changes)
  | Err e => Err e
  end.

(** The whole array after the block; none when an operation fails. *)
Definition ideal_array (a : Array) (block : Block) : option Array :=
  match ideal_changes a block with
  | Ok net => apply_changes a net
  | Err _ => None
  end.

(** No operation names the sentinel's key. *)
Definition block_keys_good (block : Block) : Prop :=
  forall tx op, In tx (transactions block) -> In op (operations tx) -> operation_key op <> [].

Lemma whole_contents_of_map : forall a block,
  well_formed a -> contents_of_map (map_of_array a) block (whole_contents a (transactions block)).
Proof.
  intros a block W. unfold contents_of_map, whole_contents. apply map_ext. intros tx. apply map_ext. intros op.
  symmetry. apply map_of_array_correct. assumption.
Qed.

Lemma ideal_changes_good : forall a block net,
  well_formed a -> block_keys_good block -> ideal_changes a block = Ok net ->
  changes_ascend net /\ changes_net net /\ changes_true a net.
Proof.
  intros a block net W K E. unfold ideal_changes in E.
  destruct (run_block block (whole_contents a (transactions block))) as [changes|] eqn:R; [|discriminate].
  injection E as <-. eapply (block_changes_apply_to_array (map_of_array a) a block _ changes).
  - apply map_of_array_correct. assumption.
  - apply whole_contents_of_map. assumption.
  - intros k (tx & op & Htx & Hop & <-). eapply K; eassumption.
  - exact R.
Qed.

Theorem ideal_array_is_map : forall a block,
  well_formed a -> block_keys_good block ->
  match map_transactions (map_of_array a) (transactions block) with
  | Ok after => exists a', ideal_array a block = Some a' /\ well_formed a' /\ map_of_array a' = after
  | Err e => ideal_array a block = None /\ ideal_changes a block = Err e
  end.
Proof.
  intros a block W K. pose proof (whole_contents_of_map a block W) as C.
  pose proof (block_refines_sequential_map (map_of_array a) block _ C) as R.
  destruct (run_block block (whole_contents a (transactions block))) as [changes|e] eqn:E.
  - destruct (map_transactions (map_of_array a) (transactions block)) as [after|] eqn:M; [|contradiction].
    assert (I : ideal_changes a block = Ok (net_changes changes)) by (unfold ideal_changes; rewrite E; reflexivity).
    destruct (ideal_changes_good a block _ W K I) as (S & _ & T).
    destruct (apply_changes_succeeds a _ W S T) as (a' & A & W'). exists a'.
    unfold ideal_array. rewrite I. split; [assumption|]. split; [assumption|].
    apply map_of_array_unique; [assumption|exact (map_transactions_ascend _ _ _ (map_of_array_ascends a) M)|].
    intros k. rewrite (net_changes_lead_to_map _ _ _ R), (apply_changes_map a a' _ W S T A).
    unfold content_after, map_after. rewrite (map_of_array_correct a W). reflexivity.
  - destruct (map_transactions (map_of_array a) (transactions block)) as [after|e']; [contradiction|]. subst e'.
    unfold ideal_array, ideal_changes. rewrite E. auto.
Qed.

End Ideal.
