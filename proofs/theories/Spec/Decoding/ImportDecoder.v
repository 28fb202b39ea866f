(** Import blocks are read back from their bytes, and from no others.

    - [import_change_inverts], [import_changes_inverts]: one change; so many, in strictly ascending order of keys;
    - [decode_encoded_import], [decode_import_iff], [import_never_panics]: whole blocks. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Block.Import Decoding.DecodeReason Decoding.Cursor
  Decoding.RecordDecoder Decoding.ImportDecoder Base.BytesSafe Decoding.CursorSafe Decoding.RecordDecoderSafe
  Decoding.ImportDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.SlotMapSafe Safety.BoundsSafe
  Lemmas.Readers Lemmas.OrderedReaders Spec.Decoding.RecordDecoder.
Import ListNotations.
Local Open Scope N_scope.

Section ImportDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A new content, and a change, that the encoding can hold. *)
Definition fits_import_content (content : option ByteString) : Prop :=
  match content with
  | Some present => seq_length present < 2 ^ 16
  | None => True
  end.
Definition fits_import_change (change : ImportChange) : Prop :=
  seq_length (import_key change) < 2 ^ 8 /\ fits_import_content (import_content change).

(** Changes stand in the order of their keys. *)
Definition key_before (change change' : ImportChange) : bool := bytes_less (import_key change) (import_key change').

(** A block that the encoding can hold: no key twice. *)
Definition fits_import (block : ImportBlock) : Prop :=
  import_version block < 2 ^ 64 /\ seq_length (import_changes block) < 2 ^ 32 /\
  Forall fits_import_change (import_changes block) /\ ascends key_before (import_changes block).

(** ** Changes *)

Theorem import_content_inverts : inverts fits_import_content import_content_bytes read_import_content.
Proof.
  split.
  - intros [present|] rest X; unfold read_import_content, import_content_bytes; rewrite <- ?app_assoc.
    + change (u8_bytes 1) with (presence_bytes true). rewrite (proj1 presence_inverts) by exact I; cbv beta iota.
      unfold read_present_value. reads bytes16_inverts. reflexivity.
    + change (u8_bytes 0) with (presence_bytes false). rewrite (proj1 presence_inverts) by exact I; cbv beta iota. reflexivity.
  - intros bytes content rest O E. unfold read_import_content in E. took presence_inverts.
    match goal with E : context [if ?present then _ else _] |- _ => destruct present end.
    + unfold read_present_value in E. took bytes16_inverts. injection E as <- <-. split; [assumption|].
      unfold import_content_bytes. rewrite <- app_assoc. reflexivity.
    + injection E as <- <-. split; [exact I|reflexivity].
Qed.

Theorem import_change_inverts : inverts fits_import_change encode_import_change read_import_change.
Proof.
  split.
  - intros [k content] rest [K C]. cbn [import_key import_content] in *. unfold read_import_change, encode_import_change.
    cbn [import_key import_content]. rewrite <- app_assoc. reads bytes8_inverts. reads import_content_inverts. reflexivity.
  - intros bytes change rest O E. unfold read_import_change in E. took bytes8_inverts. took import_content_inverts.
    injection E as <- <-. split; [split; assumption|]. unfold encode_import_change. cbn [import_key import_content].
    apply app_assoc.
Qed.

Lemma import_change_some : forall change, 0 < seq_length (encode_import_change change).
Proof.
  intros change. unfold encode_import_change, bytes8, u8_bytes. rewrite !seq_length_app, big_endian_length. lia.
Qed.

Theorem import_changes_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_import_change l /\ ascends key_before l) (flat_map encode_import_change)
    (fun bytes => read_import_changes bytes count).
Proof.
  refine (ordered_inverts fits_import_change encode_import_change read_import_change import_change_inverts
    (fun change _ => import_change_some change) key_before expect_later_key DecodeReason_UnorderedKeys _ _).
  - reflexivity.
  - intros before y x. unfold expect_later_key. rewrite last_of, seq_length_app.
    destruct (N.eqb_spec (seq_length before + seq_length [y]) 0) as [Z|_]; [change (seq_length [y]) with 1 in Z; lia|reflexivity].
Qed.

Lemma encode_import_changes_flat : forall items, encode_import_changes items = flat_map encode_import_change items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ encode_import_change x) items [])|].
  rewrite RootLemmas.fold_append. reflexivity.
Qed.

(** ** Blocks *)

Lemma decode_encoded_import : forall block, fits_import block -> decode_import (encode_import block) = Ok block.
Proof.
  intros block (V & L & X & W). unfold decode_import, encode_import. rewrite encode_import_changes_flat, <- ?app_assoc.
  rewrite expect_format_read by reflexivity. reads u64_inverts. reads u32_inverts. rewrite <- (app_nil_r (flat_map _ _)).
  reads (import_changes_inverts (seq_length (import_changes block))); [|repeat split; assumption]. destruct block. reflexivity.
Qed.

Theorem decode_import_iff : forall bytes block, of_bytes bytes ->
  decode_import bytes = Ok block <-> fits_import block /\ bytes = encode_import block.
Proof.
  intros bytes block O. split.
  - intros E. unfold decode_import in E. destruct (expect_format bytes IMPORT_FORMAT) as [r|] eqn:T; [|discriminate E].
    apply expect_format_ok in T; [|exact O]. destruct T as [-> O0]. clear O.
    took u64_inverts. took u32_inverts. took (import_changes_inverts n0).
    destruct (expect_end _) eqn:Z; [|discriminate E]. apply expect_end_ok in Z. injection E as <-.
    repeat match goal with X : _ /\ _ |- _ => destruct X end. subst. unfold fits_import, encode_import.
    cbn [import_version import_changes]. rewrite encode_import_changes_flat, app_nil_r, <- ?app_assoc. repeat split; assumption.
  - intros [X ->]. apply decode_encoded_import, X.
Qed.

(** ** Without panics *)

Lemma import_change_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_import_change_safe bytes = true.
Proof.
  intros bytes O H. unfold read_import_change_safe. rewrite bytes8_never_panics by exact O. safe_behind bytes8_inverts.
  unfold read_import_content_safe. rewrite presence_never_panics by assumption. safe_behind presence_inverts.
  match goal with |- context [if ?present then _ else _] => destruct present end; [|reflexivity].
  unfold read_present_value_safe. apply bytes16_never_panics. assumption.
Qed.

Lemma later_key_never_panics : forall before found, Forall fits_import_change before ->
  expect_later_key_safe before found = true.
Proof.
  intros before found X. unfold expect_later_key_safe. destruct (N.eqb_spec (seq_length before) 0); [reflexivity|].
  rewrite !andb_true_iff, N.leb_le, N.ltb_lt. split; [lia|]. apply bytes_less_never_panics. rewrite Forall_forall in X.
  unfold short. pose proof (proj1 (X _ (seq_at_in _ _ before (seq_length before - 1) ltac:(lia)))) as K.
  change (2 ^ 8) with 256 in K. lia.
Qed.

Theorem import_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_import_safe bytes = true.
Proof.
  intros bytes O H. unfold decode_import_safe, expect_format_safe. rewrite number_never_panics by (lia || exact O).
  cbn [andb]. destruct (expect_format bytes IMPORT_FORMAT) as [r|] eqn:T; [|reflexivity].
  apply expect_format_ok in T; [|exact O]. destruct T as [-> O0].
  assert (H0 : held r) by (unfold held in *; rewrite seq_length_app in H; lia). clear O H.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u32_inverts.
  unfold read_import_changes_safe. rewrite turns_never_panic by assumption. cbn [andb].
  apply (ordered_safe fits_import_change encode_import_change read_import_change import_change_inverts expect_later_key
    read_import_change_safe expect_later_key_safe).
  - exact import_change_never_panics.
  - intros before x X _. apply later_key_never_panics, X.
  - assumption.
  - assumption.
Qed.

End ImportDecoder.
