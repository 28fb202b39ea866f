(** The challenges of a certificate bind all that was sent before them: one seed, one statement and the same bytes sent, or two
    different strings with one digest are at hand. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.FoldedOpening Table.RunRecord Table.Sheet
  Table.Certificate.
From Aardvark Require Import Lemmas.Sequences Spec.Commitment.Challenge Spec.Table.Certificate.
From Aardvark Require Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

Section Transcript.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The bytes of the points of the first message. *)
Definition first_message (shown : Certificate) : ByteString :=
  encode_table_points (certificate_bits shown) ++ held_bytes (certificate_values_mask shown) ++ held_bytes (certificate_sums_mask shown).

(** All that a certificate's last seed is drawn from: the statement, the points, the scalars. *)
Definition sent_before (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) : list ByteString :=
  [certificate_statement about items; first_message shown; held_bytes (certificate_quotient shown); certificate_scalar_bytes shown].

(** Two strings with one digest, under one of the tags. *)
Definition transcript_collision (about about' : CertificateAbout) (items items' : list SheetItem) (shown shown' : Certificate) : Prop :=
  tag_collision tag_certificate (certificate_statement about items) (certificate_statement about' items') \/
  tag_collision tag_certificate_bits (drawn_first_seed about items ++ first_message shown)
    (drawn_first_seed about' items' ++ first_message shown') \/
  tag_collision tag_certificate_quotient (drawn_bits_seed about items shown ++ held_bytes (certificate_quotient shown))
    (drawn_bits_seed about' items' shown' ++ held_bytes (certificate_quotient shown')) \/
  tag_collision tag_certificate_values (drawn_quotient_seed about items shown ++ certificate_scalar_bytes shown)
    (drawn_quotient_seed about' items' shown' ++ certificate_scalar_bytes shown').

Lemma one_digest (tag x y : ByteString) : tagged_hash tag x = tagged_hash tag y -> x = y \/ tag_collision tag x y.
Proof. intros E. destruct (Bytes.bytes_dec x y) as [D | D]; [now left | right; now split]. Qed.

Theorem certificate_seeds_bind (about about' : CertificateAbout) (items items' : list SheetItem) (shown shown' : Certificate) :
  (forall tag x tag' y, seq_length (tagged_hash tag x) = seq_length (tagged_hash tag' y)) ->
  drawn_values_seed about items shown = drawn_values_seed about' items' shown' ->
  sent_before about items shown = sent_before about' items' shown' \/ transcript_collision about about' items items' shown shown'.
Proof.
  intros same E. unfold transcript_collision, sent_before.
  destruct (one_digest _ _ _ E) as [E3 | C]; [| tauto]. apply Bytes.app_split in E3; [| apply same]. destruct E3 as [E2 E3].
  destruct (one_digest _ _ _ E2) as [D | C]; [| tauto]. apply Bytes.app_split in D; [| apply same]. destruct D as [E1 D2].
  destruct (one_digest _ _ _ E1) as [D | C]; [| tauto]. apply Bytes.app_split in D; [| apply same]. destruct D as [E0 D1].
  destruct (one_digest _ _ _ E0) as [D0 | C]; [| tauto]. left. unfold first_message in *. now rewrite D0, D1, D2, E3.
Qed.

End Transcript.
