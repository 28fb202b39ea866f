(** Theorems for auditors: tables of private rows. What a certificate means is in Certificates.v.

    To understand a statement of this file you need this file and the generated definitions, and [begins], [ends]
    (Spec/Table/Sheet.v): the position of a segment's first row, and the one behind its last row.

    - [accepted_segments_lie_apart]: the segments of an accepted certificate stand where a sheet has rows, and apart;
    - [verify_certificate_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.CertificateSafe.
From Aardvark Require Import Spec.Table.Sheet.
From Aardvark Require Safety.TablesSafe.
Import ListNotations.
Local Open Scope N_scope.

Section Tables.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Where a certificate is accepted, every segment has a row, stands on the sheet's domain from position 1 to before the
    guard, and of two segments the later begins behind the earlier, with a free position between them. *)
Theorem accepted_segments_lie_apart : forall setup about items shown,
  verify_certificate setup about items shown = Ok tt ->
  (forall placed, In placed items ->
    record_log (item_record placed) = sheet_log items /\ 1 <= record_rows (item_record placed) /\ 1 <= begins placed /\
    ends placed <= guard_position (sheet_size (sheet_log items))) /\
  (forall before earlier between later after,
    items = before ++ earlier :: between ++ later :: after -> ends earlier + 1 <= begins later).
Proof.
  intros setup about items shown H. unfold verify_certificate, verify_certificate_drawn in H. cbv zeta in H.
  destruct (sheet_legal (sheet_log items) (about_moments about) items) eqn:L; cbn [negb] in H; [|discriminate].
  apply TablesSafe.sheet_legal_parts in L. destruct L as (_ & _ & L). split.
  - intros placed I. exact (laid_out_each _ _ _ _ L I).
  - intros before earlier between later after E. exact (laid_out_apart _ _ _ _ _ _ _ _ L E).
Qed.

(** Whatever the segments and the certificate; of the schema, which is the verifier's, only sizes are asked. *)
Theorem verify_certificate_never_panics : forall setup about items shown,
  about_bits about < 2 ^ 32 -> about_moments about < 2 ^ 32 -> verify_certificate_safe setup about items shown = true.
Proof. intros. apply TablesSafe.verify_certificate_never_panics; assumption. Qed.

End Tables.
