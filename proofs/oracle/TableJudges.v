(** The oracle's names for the generated definitions about tables: answers, certificates, comparisons, changes of keys, steps of runs.
    Extract.v extracts them with the others. *)

From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Kzg Commitment.Scheme
  Commitment.FoldedOpening Answer.AnswerProof
  Table.RunRecord Table.Sheet Table.TableSchema Table.SchemaDecoder Table.TablePolicy Table.RunSegments
  Table.CertificateTranscript Table.Certificate Table.LinkedCertificate Table.Comparison Table.TableQuery
  Table.TableAnswer Table.TableAnswerVerifier.
From AardvarkSpec Require Import Table.TablePolicySafe Table.RunSegmentsSafe Table.CertificateSafe
  Table.LinkedCertificateSafe Table.ComparisonSafe Table.TableAnswerVerifierSafe.
From Aardvark Require Import Examples.ModularScalars.
Local Open Scope bool_scope.
Local Open Scope N_scope.

Section Oracle.

Context {given : @HashGiven modular}.

(** What an answer about a table says. *)
Definition oracle_table (setup : Setup) (trusted : Trusted) (query : TableQuery) (schema : TableSchema) (answer : TableAnswer) :
    Result TableOutcome TableRefusal :=
  verify_table_answer setup trusted query schema answer.

Definition oracle_table_safe (setup : Setup) (trusted : Trusted) (query : TableQuery) (schema : TableSchema)
    (answer : TableAnswer) : bool :=
  verify_table_answer_safe setup trusted query schema answer.

(** Whether a certificate holds, and one behind another segment. *)
Definition oracle_certificate (tau : Scalar) (n : N) (about : CertificateAbout) (items : list SheetItem)
    (shown : Certificate) : Result unit CertificateFault :=
  verify_certificate (kzg_setup n tau) about items shown.

Definition oracle_certificate_safe (tau : Scalar) (n : N) (about : CertificateAbout) (items : list SheetItem)
    (shown : Certificate) : bool :=
  verify_certificate_safe (kzg_setup n tau) about items shown.

Definition oracle_linked (tau : Scalar) (n : N) (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem)
    (shown : LinkedCertificate) : Result unit CertificateFault :=
  verify_linked_certificate (kzg_setup n tau) about previous items shown.

Definition oracle_linked_safe (tau : Scalar) (n : N) (about : CertificateAbout) (previous : RunRecord)
    (items : list SheetItem) (shown : LinkedCertificate) : bool :=
  verify_linked_certificate_safe (kzg_setup n tau) about previous items shown.

(** What a comparison claims under challenges. *)
Definition oracle_comparison (bits : N) (items : list ComparedRow) (drawn : ComparisonChallenges) (shown : Comparison) :
    Result (list FoldedClaim) ComparisonFault :=
  claims_of_comparison bits items drawn shown.

Definition oracle_comparison_safe (bits : N) (items : list ComparedRow) (drawn : ComparisonChallenges)
    (shown : Comparison) : bool :=
  claims_of_comparison_safe bits items drawn shown.

(** The schema that bytes are. *)
Definition oracle_schema (x : ByteString) : Result TableSchema SchemaReason := decode_schema x.

(** Which changes of a table's keys are legal, and which steps of a run. *)
Definition oracle_change (standing : option TableSchema) (changed : ByteString) (before after : option ByteString) :
    Result TableChange TableFault :=
  judge_change standing changed before after.

Definition oracle_change_safe (standing : option TableSchema) (changed : ByteString) (before after : option ByteString) :
    bool :=
  judge_change_safe standing changed before after.

Definition oracle_step (append_only : bool) (moments : N) (before : option LongHead) (after : LongHead)
    (put : list RunPiece) : Result unit StepFault :=
  judge_step append_only moments before after put.

Definition oracle_step_safe (append_only : bool) (moments : N) (before : option LongHead) (after : LongHead)
    (put : list RunPiece) : bool :=
  judge_step_safe append_only moments before after put.

End Oracle.
