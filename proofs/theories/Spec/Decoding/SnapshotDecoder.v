(** Snapshots are read back from their bytes, and from no others.

    - [records_inverts], [replays_inverts]: records; entries of the replay set;
    - [decode_encoded_snapshot], [decode_snapshot_iff]: whole snapshots;
    - [snapshot_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Block.State Block.Root
  Decoding.DecodeReason Decoding.Cursor Decoding.SlotDecoder Decoding.AggregatedDecoder Decoding.RecordDecoder
  Decoding.SnapshotDecoder Decoding.CursorSafe Decoding.SlotDecoderSafe Decoding.AggregatedDecoderSafe
  Decoding.RecordDecoderSafe Decoding.SnapshotDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.SlotMapSafe Safety.BoundsSafe
  Lemmas.Readers Spec.Decoding.SlotDecoder Spec.Decoding.AggregatedDecoder Spec.Decoding.RecordDecoder.
Import ListNotations.
Local Open Scope N_scope.

Section SnapshotDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A state of this dictionary that a snapshot can hold. *)
Definition fits_snapshot (dictionary : ByteString) (state : HashedState) : Prop :=
  hashed_dictionary state = dictionary /\ hashed_version state < 2 ^ 64 /\ hashed_size state < 2 ^ 64 /\
  hashed_tail_start state < 2 ^ 64 /\ fits_list fits_point (hashed_commitments state) /\ fits_list fits_slot (hashed_tail state) /\
  fits_list fits_entry (hashed_replay_set state) /\ fits_list fits_received_record (hashed_window state).

Theorem records_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_received_record l) (flat_map record_bytes)
    (fun bytes => read_records bytes count).
Proof. exact (many_inverts fits_received_record record_bytes read_record record_inverts (fun r _ => record_some r)). Qed.

Definition entry_bytes (e : ReplayEntry) : ByteString := replay_id e ++ u64_bytes (replay_last_valid e).

Theorem replay_inverts : inverts fits_entry entry_bytes read_replay.
Proof.
  split.
  - intros [i v] rest [I V]. cbn [replay_id replay_last_valid] in *. unfold read_replay, entry_bytes.
    cbn [replay_id replay_last_valid]. rewrite <- app_assoc. reads (take_inverts ID_LENGTH). reads u64_inverts. reflexivity.
  - intros bytes e rest O E. unfold read_replay in E. took (take_inverts ID_LENGTH). took u64_inverts. injection E as <- <-.
    split; [split; assumption|]. unfold entry_bytes. cbn [replay_id replay_last_valid]. apply app_assoc.
Qed.

Lemma entry_some : forall e, fits_entry e -> 0 < seq_length (entry_bytes e).
Proof. intros e [L _]. unfold entry_bytes. rewrite seq_length_app, L. lia. Qed.

Theorem replays_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_entry l) (flat_map entry_bytes) (fun bytes => read_replays bytes count).
Proof. exact (many_inverts fits_entry entry_bytes read_replay replay_inverts entry_some). Qed.

(** ** The encoding, one thing after the other *)

Lemma encode_records_flat : forall items, encode_records items = flat_map record_bytes items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ record_bytes x) items [])|].
  rewrite RootLemmas.fold_append. reflexivity.
Qed.

Lemma tail_bytes_flat : forall items, tail_bytes items = u64_bytes (seq_length items) ++ flat_map slot_bytes items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ slot_bytes x) items _)|].
  apply RootLemmas.fold_append.
Qed.

Lemma replay_bytes_flat : forall items, replay_bytes items = u64_bytes (seq_length items) ++ flat_map entry_bytes items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ entry_bytes x) items _)|].
  apply RootLemmas.fold_append.
Qed.

Lemma encode_snapshot_parts : forall state, encode_snapshot state =
  u64_bytes (hashed_version state) ++ u64_bytes (hashed_size state) ++ u64_bytes (hashed_tail_start state) ++
  u64_bytes (seq_length (hashed_commitments state)) ++ flat_map (fun x => x) (hashed_commitments state) ++
  u64_bytes (seq_length (hashed_window state)) ++ flat_map record_bytes (hashed_window state) ++
  u64_bytes (seq_length (hashed_tail state)) ++ flat_map slot_bytes (hashed_tail state) ++
  u64_bytes (seq_length (hashed_replay_set state)) ++ flat_map entry_bytes (hashed_replay_set state).
Proof.
  intros state. unfold encode_snapshot. rewrite encode_points_flat, encode_records_flat, tail_bytes_flat, replay_bytes_flat,
    <- ?app_assoc. reflexivity.
Qed.

(** ** Snapshots *)

Lemma decode_encoded_snapshot : forall dictionary state, fits_snapshot dictionary state ->
  decode_snapshot dictionary (encode_snapshot state) = Ok state.
Proof.
  intros dictionary state (D & V & S & T & [Lc C] & [Lt A] & [Lr R] & [Lw W]). rewrite encode_snapshot_parts.
  unfold decode_snapshot. do 3 reads u64_inverts. reads u64_inverts.
  reads (points_inverts (seq_length (hashed_commitments state))); [|split; [reflexivity|exact C]]. reads u64_inverts.
  reads (records_inverts (seq_length (hashed_window state))); [|split; [reflexivity|exact W]]. reads u64_inverts.
  reads (slots_inverts (seq_length (hashed_tail state))); [|split; [reflexivity|exact A]]. reads u64_inverts.
  rewrite <- (app_nil_r (flat_map entry_bytes _)).
  reads (replays_inverts (seq_length (hashed_replay_set state))); [|split; [reflexivity|exact R]]. subst dictionary.
  destruct state. reflexivity.
Qed.

Theorem decode_snapshot_iff : forall dictionary bytes state, of_bytes bytes ->
  decode_snapshot dictionary bytes = Ok state <-> fits_snapshot dictionary state /\ bytes = encode_snapshot state.
Proof.
  intros dictionary bytes state O. split.
  - intros E. unfold decode_snapshot in E. took u64_inverts. took u64_inverts. took u64_inverts. took u64_inverts.
    took (points_inverts n2). took u64_inverts. took (records_inverts n3). took u64_inverts. took (slots_inverts n4).
    took u64_inverts. took (replays_inverts n5). destruct (expect_end _) eqn:Z; [|discriminate E]. apply expect_end_ok in Z.
    injection E as <-. repeat match goal with X : _ /\ _ |- _ => destruct X end. subst. rewrite encode_snapshot_parts.
    unfold fits_snapshot, fits_list.
    cbn [hashed_dictionary hashed_version hashed_size hashed_tail_start hashed_commitments hashed_tail hashed_replay_set
      hashed_window]. rewrite app_nil_r, <- ?app_assoc. repeat split; assumption.
  - intros [X ->]. apply decode_encoded_snapshot, X.
Qed.

(** ** Without panics *)

Theorem snapshot_never_panics : forall dictionary bytes, of_bytes bytes -> held bytes ->
  decode_snapshot_safe dictionary bytes = true.
Proof.
  intros dictionary bytes O H. unfold decode_snapshot_safe.
  rewrite number_never_panics by (lia || exact O). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite points_never_panic by assumption. safe_behind (points_inverts n2).
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  assert (R : forall bytes count, of_bytes bytes -> held bytes -> read_records_safe bytes count = true).
  { intros. unfold read_records_safe. rewrite turns_never_panic by assumption. cbn [andb].
    apply (many_safe fits_received_record record_bytes read_record record_inverts read_record_safe);
      [exact record_never_panics|assumption|assumption]. }
  rewrite R by assumption. safe_behind (records_inverts n3).
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite slots_never_panic by assumption. safe_behind (slots_inverts n4).
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  unfold read_replays_safe. rewrite turns_never_panic by assumption. cbn [andb].
  apply (many_safe fits_entry entry_bytes read_replay replay_inverts read_replay_safe); [|assumption|assumption].
  intros bytes' O' H'. unfold read_replay_safe. rewrite take_never_panics. safe_behind (take_inverts ID_LENGTH).
  apply number_never_panics; [lia|assumption].
Qed.

End SnapshotDecoder.
