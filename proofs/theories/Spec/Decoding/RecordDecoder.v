(** Records of the window are read back from their bytes, and from no others.

    - [presence_inverts], [write_inverts], [previous_inverts]: the parts;
    - [record_inverts], [decode_record_iff]: a record, the vectors of its previous commitments in strictly ascending order;
    - [record_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.Writes Block.Root
  Decoding.DecodeReason Decoding.Cursor Decoding.SlotDecoder Decoding.TransactionDecoder Decoding.RecordDecoder
  Decoding.CursorSafe Decoding.SlotDecoderSafe Decoding.RecordDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.SlotMapSafe Safety.BoundsSafe
  Lemmas.Readers Lemmas.OrderedReaders Spec.Decoding.SlotDecoder.
Import ListNotations.
Local Open Scope N_scope.

Definition presence_bytes (present : bool) : ByteString := u8_bytes (if present then 1 else 0).

Theorem presence_inverts : inverts (fun _ => True) presence_bytes read_presence.
Proof.
  split.
  - intros [] rest _; unfold read_presence, presence_bytes; (reads u8_inverts; [reflexivity|reflexivity]).
  - intros bytes present rest O E. unfold read_presence in E. took u8_inverts.
    destruct (N.leb_spec n 1); [|discriminate E]. injection E as <- <-. split; [exact I|]. unfold presence_bytes.
    destruct (N.eqb_spec n 1) as [->|]; [reflexivity|]. assert (n = 0) as -> by lia. reflexivity.
Qed.

Section RecordDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A version's commitments stand in the order of their vectors. *)
Definition vector_before (c c' : HashedPrevious) : bool := hashed_previous_vector c <? hashed_previous_vector c'.

(** A record that a snapshot can hold. *)
Definition fits_received_record (r : HashedRecord) : Prop :=
  fits_record r /\ ascends vector_before (hashed_record_commitments r).

(** ** Writes *)

Theorem content_inverts : inverts fits_content content_bytes read_content.
Proof.
  split.
  - intros [x|] rest X; unfold read_content, content_bytes; rewrite <- ?app_assoc.
    + change (u8_bytes 1) with (presence_bytes true). rewrite (proj1 presence_inverts) by exact I; cbv beta iota. unfold read_present_slot.
      reads slot_inverts. reflexivity.
    + change (u8_bytes 0) with (presence_bytes false). rewrite (proj1 presence_inverts) by exact I; cbv beta iota. reflexivity.
  - intros bytes x rest O E. unfold read_content in E. took presence_inverts. destruct b.
    + unfold read_present_slot in E. took slot_inverts. injection E as <- <-. split; [assumption|]. unfold content_bytes.
      rewrite <- app_assoc. reflexivity.
    + injection E as <- <-. split; [exact I|reflexivity].
Qed.

Theorem write_inverts : inverts fits_write write_bytes read_write.
Proof.
  split.
  - intros [p x] rest [P X]. cbn [write_position write_content] in *. unfold read_write, write_bytes.
    cbn [write_position write_content]. rewrite <- app_assoc. reads u64_inverts. reads content_inverts. reflexivity.
  - intros bytes w rest O E. unfold read_write in E. took u64_inverts. took content_inverts. injection E as <- <-.
    split; [split; assumption|]. unfold write_bytes. cbn [write_position write_content]. apply app_assoc.
Qed.

Lemma write_some : forall w, 0 < seq_length (write_bytes w).
Proof. intros w. unfold write_bytes. rewrite seq_length_app, u64_length. lia. Qed.

Theorem writes_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_write l) (flat_map write_bytes) (fun bytes => read_writes bytes count).
Proof. exact (many_inverts fits_write write_bytes read_write write_inverts (fun w _ => write_some w)). Qed.

(** ** Previous commitments *)

Theorem previous_inverts : inverts fits_previous previous_bytes read_previous.
Proof.
  split.
  - intros [v c] rest [V C]. cbn [hashed_previous_vector hashed_previous_commitment] in *. unfold read_previous, previous_bytes.
    cbn [hashed_previous_vector hashed_previous_commitment]. destruct c as [c|]; rewrite <- !app_assoc; reads u64_inverts;
      unfold read_commitment_before.
    + change (u8_bytes 1) with (presence_bytes true). rewrite (proj1 presence_inverts) by exact I; cbv beta iota. unfold read_present_commitment.
      reads (take_inverts OPENING_LENGTH). reflexivity.
    + change (u8_bytes 0) with (presence_bytes false). rewrite (proj1 presence_inverts) by exact I; cbv beta iota. reflexivity.
  - intros bytes c rest O E. unfold read_previous in E. took u64_inverts. unfold read_commitment_before in E.
    took presence_inverts. match goal with E : context [if ?present then _ else _] |- _ => destruct present end.
    + unfold read_present_commitment in E. took (take_inverts OPENING_LENGTH). injection E as <- <-.
      split; [split; assumption|]. unfold previous_bytes. cbn [hashed_previous_vector hashed_previous_commitment].
      rewrite <- !app_assoc. reflexivity.
    + injection E as <- <-. split; [split; [assumption|exact I]|]. unfold previous_bytes.
      cbn [hashed_previous_vector hashed_previous_commitment]. rewrite <- !app_assoc. reflexivity.
Qed.

Lemma previous_some : forall c, 0 < seq_length (previous_bytes c).
Proof. intros [v [c|]]; unfold previous_bytes; cbn [hashed_previous_vector hashed_previous_commitment];
  rewrite !seq_length_app, u64_length; lia. Qed.

Theorem all_previous_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_previous l /\ ascends vector_before l) (flat_map previous_bytes)
    (fun bytes => read_all_previous bytes count).
Proof.
  refine (ordered_inverts fits_previous previous_bytes read_previous previous_inverts (fun c _ => previous_some c) vector_before
    expect_later_vector DecodeReason_UnorderedVectors _ _).
  - reflexivity.
  - intros before y x. unfold expect_later_vector. rewrite last_of, seq_length_app.
    destruct (N.eqb_spec (seq_length before + seq_length [y]) 0) as [Z|_]; [change (seq_length [y]) with 1 in Z; lia|reflexivity].
Qed.

(** ** Records *)

Theorem record_inverts : inverts fits_received_record record_bytes read_record.
Proof.
  split.
  - intros [v s w c] rest [(V & S & [Lw W] & [Lc C]) A].
    cbn [hashed_record_version hashed_record_size hashed_record_writes hashed_record_commitments] in *.
    unfold read_record, record_bytes.
    cbn [hashed_record_version hashed_record_size hashed_record_writes hashed_record_commitments].
    rewrite writes_bytes_flat, all_previous_bytes_flat, <- !app_assoc. do 2 reads u64_inverts. reads u64_inverts.
    reads (writes_inverts (seq_length w)); [|split; [reflexivity|exact W]]. reads u64_inverts.
    reads (all_previous_inverts (seq_length c)); [|repeat split; assumption]. reflexivity.
  - intros bytes r rest O E. unfold read_record in E. took u64_inverts. took u64_inverts. took u64_inverts.
    took (writes_inverts n1). took u64_inverts. took (all_previous_inverts n2). injection E as <- <-.
    repeat match goal with X : _ /\ _ |- _ => destruct X end. subst. split.
    + repeat split; assumption.
    + unfold record_bytes. cbn [hashed_record_version hashed_record_size hashed_record_writes hashed_record_commitments].
      rewrite writes_bytes_flat, all_previous_bytes_flat, <- !app_assoc. reflexivity.
Qed.

Lemma record_some : forall r, 0 < seq_length (record_bytes r).
Proof. intros r. unfold record_bytes. rewrite !seq_length_app, u64_length. lia. Qed.

Lemma decode_encoded_record : forall r, fits_received_record r -> decode_record (record_bytes r) = Ok r.
Proof.
  intros r X. unfold decode_record. rewrite <- (app_nil_r (record_bytes r)). reads record_inverts. reflexivity.
Qed.

Theorem decode_record_iff : forall bytes r, of_bytes bytes ->
  decode_record bytes = Ok r <-> fits_received_record r /\ bytes = record_bytes r.
Proof.
  intros bytes r O. split.
  - intros E. unfold decode_record in E. took record_inverts. destruct (expect_end _) eqn:Z; [|discriminate E].
    apply expect_end_ok in Z. injection E as <-. subst. rewrite app_nil_r. auto.
  - intros [X ->]. apply decode_encoded_record, X.
Qed.

(** ** Without panics *)

Lemma presence_never_panics : forall bytes, of_bytes bytes -> read_presence_safe bytes = true.
Proof. intros bytes O. apply number_never_panics; [lia|exact O]. Qed.

Lemma write_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_write_safe bytes = true.
Proof.
  intros bytes O H. unfold read_write_safe. rewrite number_never_panics by (lia || exact O). safe_behind u64_inverts.
  unfold read_content_safe. rewrite presence_never_panics by assumption. safe_behind presence_inverts.
  match goal with |- context [if ?present then _ else _] => destruct present end; [|reflexivity]. apply slot_never_panics; assumption.
Qed.

Lemma previous_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_previous_safe bytes = true.
Proof.
  intros bytes O H. unfold read_previous_safe. rewrite number_never_panics by (lia || exact O). safe_behind u64_inverts.
  unfold read_commitment_before_safe. rewrite presence_never_panics by assumption. safe_behind presence_inverts.
  match goal with |- context [if ?present then _ else _] => destruct present end; [|reflexivity]. apply take_never_panics.
Qed.

Lemma later_vector_never_panics : forall before found, expect_later_vector_safe before found = true.
Proof.
  intros before found. unfold expect_later_vector_safe. destruct (N.eqb_spec (seq_length before) 0); [reflexivity|].
  rewrite ?andb_true_iff, ?N.leb_le, ?N.ltb_lt. lia.
Qed.

Theorem record_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_record_safe bytes = true.
Proof.
  intros bytes O H. unfold read_record_safe. rewrite number_never_panics by (lia || exact O). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  assert (W : forall bytes count, of_bytes bytes -> held bytes -> read_writes_safe bytes count = true).
  { intros. unfold read_writes_safe. rewrite turns_never_panic by assumption. cbn [andb].
    apply (many_safe fits_write write_bytes read_write write_inverts read_write_safe); [exact write_never_panics|assumption|assumption]. }
  rewrite W by assumption. safe_behind (writes_inverts n1).
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  unfold read_all_previous_safe. rewrite turns_never_panic by assumption. cbn [andb].
  apply (ordered_safe fits_previous previous_bytes read_previous previous_inverts expect_later_vector
    read_previous_safe expect_later_vector_safe); [exact previous_never_panics| |assumption|assumption].
  intros. apply later_vector_never_panics.
Qed.

End RecordDecoder.
