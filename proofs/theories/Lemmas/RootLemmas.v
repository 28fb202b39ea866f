(** The encodings that the state root hashes can be told apart, also with something behind them: lists, writes, previous
    commitments, records, slots of the tail, entries of the replay set. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Hash Dictionary.Slot Dictionary.Writes Block.State
  Block.Root.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

Section RootLemmas.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What fits into the encodings: what a decoder of snapshots lets in *)

Definition fits_slot (x : Slot) : Prop :=
  seq_length (key x) < 2 ^ 8 /\ seq_length (next x) < 2 ^ 8 /\ seq_length (value x) < 2 ^ 16.

Definition fits_content (content : option Slot) : Prop := match content with None => True | Some x => fits_slot x end.

Definition fits_write (w : Write) : Prop := write_position w < 2 ^ 64 /\ fits_content (write_content w).

Definition fits_previous (c : HashedPrevious) : Prop :=
  hashed_previous_vector c < 2 ^ 64 /\
  match hashed_previous_commitment c with None => True | Some bytes => seq_length bytes = 48 end.

Definition fits_entry (e : ReplayEntry) : Prop := seq_length (replay_id e) = 32 /\ replay_last_valid e < 2 ^ 64.

Definition fits_list {A : Type} (fits : A -> Prop) (l : list A) : Prop := seq_length l < 2 ^ 64 /\ Forall fits l.

Definition fits_record (r : HashedRecord) : Prop :=
  hashed_record_version r < 2 ^ 64 /\ hashed_record_size r < 2 ^ 64 /\
  fits_list fits_write (hashed_record_writes r) /\ fits_list fits_previous (hashed_record_commitments r).

(** ** Telling apart *)

(** Of two encodings with something behind them, what is encoded and what is behind can be read back. *)
Definition splits {A : Type} (fits : A -> Prop) (encode : A -> ByteString) : Prop :=
  forall x y c d, fits x -> fits y -> encode x ++ c = encode y ++ d -> x = y /\ c = d.

Lemma u64_splits : splits (fun x => x < 2 ^ 64) u64_bytes.
Proof.
  intros x y c d X Y E. unfold u64_bytes, u128_of_usize in E.
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [E ->]. split; [|reflexivity].
  apply big_endian_injective in E; assumption.
Qed.

Lemma u64_length : forall x, seq_length (u64_bytes x) = 8.
Proof. intros. apply big_endian_length. Qed.

Lemma flat_map_splits : forall A (fits : A -> Prop) encode, splits fits encode -> forall a b c d,
  length a = length b -> Forall fits a -> Forall fits b -> flat_map encode a ++ c = flat_map encode b ++ d -> a = b /\ c = d.
Proof.
  intros A fits encode S. induction a as [|x a IH]; intros [|y b] c d L X Y E; try discriminate; [auto|].
  inversion X; inversion Y; subst. cbn [flat_map] in E. rewrite <- !app_assoc in E. apply S in E; auto. destruct E as [-> E].
  apply IH in E; auto. destruct E as [-> ->]. auto.
Qed.

Lemma list_splits : forall A (fits : A -> Prop) encode, splits fits encode ->
  splits (fits_list fits) (fun l => u64_bytes (seq_length l) ++ flat_map encode l).
Proof.
  intros A fits encode S a b c d [La X] [Lb Y] E. rewrite <- !app_assoc in E. apply u64_splits in E; auto.
  destruct E as [L E]. apply (flat_map_splits _ fits encode S) in E; auto. unfold seq_length in L. lia.
Qed.

Lemma fold_append : forall A (encode : A -> ByteString) l start,
  fold_left (fun encoded x => encoded ++ encode x) l start = start ++ flat_map encode l.
Proof.
  induction l as [|x l IH]; intros start; cbn; [now rewrite app_nil_r|]. now rewrite IH, <- app_assoc.
Qed.

Lemma slot_splits : splits fits_slot slot_bytes.
Proof.
  intros [k v n] [k' v' n'] c d (K & N' & V) (K2 & N2 & V2) E. unfold slot_bytes in E. cbn [key value next] in *.
  rewrite <- !app_assoc in E. apply bytes8_split in E; auto. destruct E as [-> E].
  apply bytes8_split in E; auto. destruct E as [-> E]. apply bytes16_split in E; auto. destruct E as [-> ->]. auto.
Qed.

Lemma content_splits : splits fits_content content_bytes.
Proof.
  intros [x|] [y|] c d X Y E; try discriminate E.
  - apply (f_equal (@tl N)) in E. change (slot_bytes x ++ c = slot_bytes y ++ d) in E.
    apply slot_splits in E; auto. destruct E as [-> ->]. auto.
  - apply (f_equal (@tl N)) in E. auto.
Qed.

Lemma write_splits : splits fits_write write_bytes.
Proof.
  intros [p x] [q y] c d [P X] [Q Y] E. unfold write_bytes in E. cbn in *. rewrite <- !app_assoc in E.
  apply u64_splits in E; auto. destruct E as [-> E]. apply content_splits in E; auto. destruct E as [-> ->]. auto.
Qed.

Lemma writes_bytes_flat : forall l, writes_bytes l = u64_bytes (seq_length l) ++ flat_map write_bytes l.
Proof. intros. unfold writes_bytes, writes_bytes_step. rewrite (loop_over_elements _ _ _ (fun e x => e ++ write_bytes x)). apply fold_append. Qed.

Lemma previous_splits : splits fits_previous previous_bytes.
Proof.
  intros [p x] [q y] c d [P X] [Q Y] E. unfold previous_bytes in E. cbn [hashed_previous_vector hashed_previous_commitment] in *.
  destruct x as [x|], y as [y|]; rewrite <- !app_assoc in E; apply u64_splits in E; auto; destruct E as [-> E];
    try discriminate E; apply (f_equal (@tl N)) in E.
  - change (x ++ c = y ++ d) in E. apply app_split in E; [|congruence]. destruct E as [-> ->]. auto.
  - auto.
Qed.

Lemma all_previous_bytes_flat : forall l, all_previous_bytes l = u64_bytes (seq_length l) ++ flat_map previous_bytes l.
Proof. intros. unfold all_previous_bytes, all_previous_bytes_step. rewrite (loop_over_elements _ _ _ (fun e x => e ++ previous_bytes x)). apply fold_append. Qed.

Lemma record_injective : forall r s, fits_record r -> fits_record s -> record_bytes r = record_bytes s -> r = s.
Proof.
  intros [v n w c] [v' n' w' c'] (V & N' & W & C) (V2 & N2 & W2 & C2) E. unfold record_bytes in E.
  cbn [hashed_record_version hashed_record_size hashed_record_writes hashed_record_commitments] in *.
  rewrite writes_bytes_flat, (writes_bytes_flat w'), !all_previous_bytes_flat in E.
  apply u64_splits in E; auto. destruct E as [-> E]. apply u64_splits in E; auto. destruct E as [-> E].
  apply (list_splits _ _ _ write_splits) in E; auto. destruct E as [-> E].
  apply (f_equal (fun x => x ++ [])) in E. apply (list_splits _ _ _ previous_splits) in E; auto. destruct E as [-> _]. auto.
Qed.

Lemma tail_injective : forall a b, fits_list fits_slot a -> fits_list fits_slot b -> tail_bytes a = tail_bytes b -> a = b.
Proof.
  intros a b A B E. unfold tail_bytes, tail_bytes_step in E. rewrite !(loop_over_elements _ _ _ (fun e x => e ++ slot_bytes x)), !fold_append in E.
  apply (f_equal (fun x => x ++ [])) in E. apply (list_splits _ _ _ slot_splits) in E; tauto.
Qed.

Lemma entry_splits : splits fits_entry (fun e => replay_id e ++ u64_bytes (replay_last_valid e)).
Proof.
  intros [i v] [j w] c d [I V] [J W] E. cbn in *. rewrite <- !app_assoc in E. apply app_split in E; [|congruence].
  destruct E as [-> E]. apply u64_splits in E; auto. destruct E as [-> ->]. auto.
Qed.

Lemma replay_injective : forall a b, fits_list fits_entry a -> fits_list fits_entry b -> replay_bytes a = replay_bytes b -> a = b.
Proof.
  intros a b A B E. unfold replay_bytes, replay_bytes_step in E.
  rewrite !(loop_over_elements _ _ _ (fun e x => e ++ replay_id x ++ u64_bytes (replay_last_valid x))) in E.
  rewrite !(fold_append _ (fun e => replay_id e ++ u64_bytes (replay_last_valid e))) in E.
  apply (f_equal (fun x => x ++ [])) in E. apply (list_splits _ _ _ entry_splits) in E; tauto.
Qed.

Lemma window_bytes_flat : forall l, window_bytes l = u64_bytes (seq_length l) ++ flat_map record_digest l.
Proof. intros. unfold window_bytes, window_bytes_step. rewrite (loop_over_elements _ _ _ (fun e x => e ++ record_digest x)). apply fold_append. Qed.

(** ** The parts *)

Definition fits_parts (p : RootParts) : Prop :=
  seq_length (parts_dictionary p) = 32 /\ parts_version p < 2 ^ 64 /\ parts_size p < 2 ^ 64 /\ parts_tail_start p < 2 ^ 64 /\
  seq_length (parts_commitment_root p) = 32 /\ seq_length (parts_tail_digest p) = 32 /\
  seq_length (parts_replay_digest p) = 32 /\ seq_length (parts_window_digest p) = 32.

Lemma parts_injective : forall p q, fits_parts p -> fits_parts q -> parts_bytes p = parts_bytes q -> p = q.
Proof.
  intros [a b c d e f g h] [a' b' c' d' e' f' g' h'] (A & B & C & D & E & G & H & I) (A' & B' & C' & D' & E' & G' & H' & I') X.
  unfold parts_bytes in X. cbn in *.
  apply app_split in X; [|congruence]. destruct X as [-> X]. apply u64_splits in X; auto. destruct X as [-> X].
  apply u64_splits in X; auto. destruct X as [-> X]. apply u64_splits in X; auto. destruct X as [-> X].
  apply app_split in X; [|congruence]. destruct X as [-> X]. apply app_split in X; [|congruence]. destruct X as [-> X].
  apply app_split in X; [|congruence]. destruct X as [-> ->]. reflexivity.
Qed.

End RootLemmas.
