(** Slots are read back from their bytes, and from no others.

    - [slot_inverts], [slots_inverts]: one slot; so many;
    - [slot_never_panics], [slots_never_panic]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Decoding.DecodeReason Decoding.Cursor
  Decoding.SlotDecoder Decoding.CursorSafe Decoding.SlotDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.BoundsSafe Lemmas.Readers.
Import ListNotations.
Local Open Scope N_scope.

Section SlotDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem slot_inverts : inverts fits_slot slot_bytes read_slot.
Proof.
  split.
  - intros [k v n] rest (K & N' & V). cbn [key next value] in *. unfold read_slot, slot_bytes. cbn [key next value].
    rewrite <- !app_assoc. reads bytes8_inverts. reads bytes8_inverts. reads bytes16_inverts. reflexivity.
  - intros bytes x rest O E. unfold read_slot in E. do 2 took bytes8_inverts. took bytes16_inverts.
    injection E as <- <-. split; [repeat split; assumption|]. unfold slot_bytes. cbn [key next value].
    rewrite <- !app_assoc. reflexivity.
Qed.

Lemma slot_bytes_some : forall x, 0 < seq_length (slot_bytes x).
Proof.
  intros x. unfold slot_bytes, bytes8, u8_bytes. rewrite !seq_length_app, big_endian_length. lia.
Qed.

Theorem slots_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_slot l) (flat_map slot_bytes) (fun bytes => read_slots bytes count).
Proof. exact (many_inverts fits_slot slot_bytes read_slot slot_inverts (fun x _ => slot_bytes_some x)). Qed.

Lemma decode_encoded_slot : forall x, fits_slot x -> decode_slot (slot_bytes x) = Ok x.
Proof.
  intros x X. unfold decode_slot. rewrite <- (app_nil_r (slot_bytes x)). reads slot_inverts. reflexivity.
Qed.

Theorem decode_slot_iff : forall bytes x, of_bytes bytes -> decode_slot bytes = Ok x <-> fits_slot x /\ bytes = slot_bytes x.
Proof.
  intros bytes x O. split.
  - intros E. unfold decode_slot in E. took slot_inverts. destruct (expect_end _) eqn:Z; [|discriminate E]. apply expect_end_ok in Z. injection E as <-. subst.
    rewrite app_nil_r. auto.
  - intros [X ->]. apply decode_encoded_slot, X.
Qed.

Theorem slot_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_slot_safe bytes = true.
Proof.
  intros bytes O H. unfold read_slot_safe.
  rewrite bytes8_never_panics by exact O. safe_behind bytes8_inverts.
  rewrite bytes8_never_panics by assumption. safe_behind bytes8_inverts.
  apply bytes16_never_panics. assumption.
Qed.

Theorem slots_never_panic : forall bytes count, of_bytes bytes -> held bytes -> read_slots_safe bytes count = true.
Proof.
  intros bytes count O H. unfold read_slots_safe. rewrite turns_never_panic by exact H. cbn [andb].
  exact (many_safe fits_slot slot_bytes read_slot slot_inverts read_slot_safe count bytes slot_never_panics O H).
Qed.

End SlotDecoder.
