(** What the loops over the replay set compute, and what a block and an import leave in it. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.SlotMap Dictionary.Array
  Commitment.Scheme Block.Rejection Dictionary.Genesis Block.Transaction Block.State Block.BlockData
  Block.Execution Block.Phases Block.Validator Block.AggregatedBlock Block.Import.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.VectorLemmas Lemmas.ChangeMaps Lemmas.PhaseLemmas
  Spec.Block.State Lemmas.AnyBlock.
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

(** What an accepted block of either form leaves of a state, takes over, and adds. *)
Lemma applied_block_fields : forall setup state any state' effects,
  apply_any setup state any = Ok (state', effects) ->
  parameters state' = parameters state /\ dictionary_id state' = dictionary_id state /\ version state' = version state + 1 /\
  replay_set state' =
    replay_set_at (replay_set state ++ map (replay_entry (dictionary_id state)) (transactions (block_in any)))
      (version state + 1) /\
  effect_ids effects = map (id_of_transaction (dictionary_id state)) (transactions (block_in any)) /\
  phase_interval state (block_in any) = Ok tt /\
  phase_replay state (map (id_of_transaction (dictionary_id state)) (transactions (block_in any))) = Ok tt.
Proof.
  intros setup state any state' effects A. destruct (apply_any_passed setup state any state' effects A) as (e & P & _ & _ & E).
  clear A. unfold apply_executed in E. cbv zeta in E. pose proof (passed_ids _ _ _ _ P) as I.
  pose proof (passed_replay _ _ _ _ P) as R. unfold advance_or_reject in E.
  destruct (advance _ _ _ _ _ _) as [s|] eqn:A; [|discriminate]. injection E as <- <-. cbn [effect_ids].
  destruct (advance_fields _ _ _ _ _ _ _ A) as (Pa & D & V & _ & _ & Rs). rewrite I in *.
  rewrite replay_entries_map in Rs. rewrite transaction_ids_map in R |- *.
  repeat (split; [assumption || reflexivity|]). split; [exact (passed_interval _ _ _ _ P)|exact R].
Qed.

(** And an import. *)
Lemma applied_import_fields : forall setup state array block state' after,
  apply_import setup state array block = Ok (state', after) ->
  parameters state' = parameters state /\ dictionary_id state' = dictionary_id state /\ version state' = version state + 1 /\
  replay_set state' = replay_set_at (replay_set state) (version state + 1).
Proof.
  intros setup state array block state' after E. unfold apply_import in E.
  destruct (check_import state block); [|discriminate]. unfold import_state in E. cbv zeta in E.
  destruct (import_into array (import_changes block)) as [b|]; [|discriminate].
  destruct (advance _ _ _ _ _ _) as [s|] eqn:A; [|discriminate]. injection E as <- <-.
  destruct (advance_fields _ _ _ _ _ _ _ A) as (Pa & D & V & _ & _ & R). auto.
Qed.

End Replay.
