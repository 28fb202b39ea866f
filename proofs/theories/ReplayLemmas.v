(** What the loops over the replay set compute. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Scalar Hash Bytes Scheme Transaction State BlockData Block Validator.
From Aardvark Require Import LoopLemmas VectorLemmas ChangeMaps.
Import ListNotations.
Local Open Scope N_scope.

Section Replay.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The ids of a block's transactions, in their order. *)
Lemma transaction_ids_map : forall dictionary items, transaction_ids dictionary items = map (id_of_transaction dictionary) items.
Proof.
  intros dictionary items. unfold transaction_ids.
  rewrite (loop_over_elements _ _ _ (fun ids tx => transaction_ids_step ids dictionary tx)).
  apply (fold_left_append _ _ (id_of_transaction dictionary) items []).
Qed.

(** What is remembered of a transaction. *)
Definition replay_entry (dictionary : ByteString) (tx : Transaction) : ReplayEntry :=
  {| replay_id := id_of_transaction dictionary tx; replay_last_valid := last_valid tx |}.

Lemma replay_entries_map : forall dictionary old items,
  replay_entries old (transaction_ids dictionary items) items = old ++ map (replay_entry dictionary) items.
Proof.
  intros dictionary old items. rewrite <- (fold_left_append _ _ (replay_entry dictionary)).
  rewrite <- (loop_over_elements _ _ Default_Transaction (fun entries tx => entries ++ [replay_entry dictionary tx])).
  unfold replay_entries. apply fold_left_same. intros entries x Hx. apply in_range in Hx. unfold replay_entries_step.
  rewrite transaction_ids_map, (seq_at_map _ _ Default_Transaction _) by lia. reflexivity.
Qed.

(** The entry is still needed at version [b]. *)
Definition lasts (b : N) (e : ReplayEntry) : bool := negb (replay_last_valid e <? b).

Lemma replay_set_at_filter : forall entries b, replay_set_at entries b = filter (lasts b) entries.
Proof.
  intros entries b. unfold replay_set_at. rewrite (loop_over_elements _ _ _ (fun lasting e => replay_set_at_step lasting e b)).
  transitivity (fold_left (fun acc e => if lasts b e then acc ++ [e] else acc) entries []).
  - apply fold_left_same. intros acc e _. unfold replay_set_at_step, lasts. destruct (_ <? _); reflexivity.
  - apply (fold_left_filter (lasts b) entries []).
Qed.

Lemma in_replay_set_at : forall entries b e, In e (replay_set_at entries b) <-> In e entries /\ b <= replay_last_valid e.
Proof.
  intros entries b e. rewrite replay_set_at_filter, filter_In. unfold lasts. rewrite negb_true_iff, N.ltb_ge. reflexivity.
Qed.

End Replay.
