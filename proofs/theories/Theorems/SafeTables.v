(** Theorems for auditors: no bytes make those panic who read tables' schemas and keys, judge changes of tables, scan tables, or verify
    linked certificates, comparisons and answers, with certificates or without, or judge a transaction of the policy `tables`. Of certificates that are not linked, Tables.v says so.

    To understand a statement of this file you need this file, the generated definitions, and what a machine can receive or store: [received]
    and [schema_in_memory] (Safety/TableBytesSafe.v), [content_received] (Safety/TableChangesSafe.v), [box_in_memory] and [slot_received] (Safety/BoxesSafe.v),
    [schema_sized], [query_in_memory] and [answer_in_memory] (Safety/TableAnswersSafe.v),
    [run_received] and [stated_received] (Safety/CertifiedAnswerSafe.v), [operation_received] (Safety/TableWritesSafe.v), [transaction_in_memory] (Safety/PoliciesSafe.v), with what SafeAnswers.v names. Nothing is asked of
    what the bytes say.

    - [decode_schema_never_panics], [decode_table_key_never_panics], [judge_change_never_panics], [table_scan_never_panics],
      [verify_linked_certificate_never_panics], [claims_of_comparison_never_panics], [verify_table_answer_never_panics],
      [check_certified_never_panics], [read_table_write_never_panics], [certify_policy_never_panics]. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Table.RunRecord Table.Sheet Table.TableSchema
  Table.CertificateTranscript Table.LinkedCertificate Table.LinkedCertificateSafe Table.Comparison Table.ComparisonSafe Table.SchemaDecoderSafe
  Table.TableKeySafe Table.TablePolicy Table.TablePolicySafe Table.KeyBox Table.TableScan Table.TableScanSafe
  Table.TableAnswerVerifierSafe Policy.TableWriteSafe Policy.CheckPolicySafe Policy.CertifiedAnswer Policy.CertifiedAnswerSafe.
From Aardvark Require Import Lemmas.Field Safety.TableBytesSafe Safety.TableChangesSafe Safety.BoxesSafe Safety.TableAnswersSafe Safety.TableWritesSafe
  Safety.CertifiedAnswerSafe.
From Aardvark Require Safety.AlgebraSafe Safety.AnswersSafe Safety.LinkedSafe Safety.TableVerifierSafe Safety.PoliciesSafe.
Local Open Scope N_scope.

Section SafeTables.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem decode_schema_never_panics : forall bytes, received bytes -> decode_schema_safe bytes = true.
Proof. exact Aardvark.Safety.TableChangesSafe.decode_schema_never_panics. Qed.

(** Under a schema that is stored. *)
Theorem decode_table_key_never_panics : forall schema bytes, schema_in_memory schema -> received bytes -> decode_table_key_safe schema bytes = true.
Proof. intros schema bytes S R. exact (proj1 (Aardvark.Safety.TableChangesSafe.decode_table_key_never_panics schema bytes S R)). Qed.

(** Whatever slot is changed, from and to whatever it holds, under the schema that stands or none. *)
Theorem judge_change_never_panics : forall standing changed before after,
  (forall schema, standing = Some schema -> schema_in_memory schema) -> received changed -> content_received before -> content_received after ->
  judge_change_safe standing changed before after = true.
Proof. exact Aardvark.Safety.TableChangesSafe.judge_change_never_panics. Qed.

(** Whatever slots are shown for a box that is stored. *)
Theorem table_scan_never_panics : forall key_box chain, box_in_memory (box_columns key_box) -> (forall slot, In slot chain -> slot_received slot) ->
  table_scan_safe key_box chain = true.
Proof. intros key_box chain B C. exact (proj1 (Aardvark.Safety.BoxesSafe.table_scan_never_panics key_box chain B C)). Qed.

(** Whatever operations a transaction has. *)
Theorem read_table_write_never_panics : forall items, (forall op, In op items -> operation_received op) -> read_table_write_safe items = true.
Proof. intros items R. exact (proj1 (Aardvark.Safety.TableWritesSafe.read_table_write_never_panics items R)). Qed.

Context {lawful : LawfulScalars F}.

(** Whatever the segments, the record of the segment before, and the certificate; of the schema, which is the verifier's, only sizes are asked. *)
Theorem verify_linked_certificate_never_panics : forall setup about previous items shown,
  about_bits about < 2 ^ 32 -> about_moments about < 2 ^ 32 -> verify_linked_certificate_safe setup about previous items shown = true.
Proof. intros. apply Aardvark.Safety.LinkedSafe.verify_linked_certificate_never_panics; assumption. Qed.

(** Whatever the compared rows, the challenges and the comparison. *)
Theorem claims_of_comparison_never_panics : forall bits items drawn shown, claims_of_comparison_safe bits items drawn shown = true.
Proof. exact Aardvark.Safety.LinkedSafe.claims_of_comparison_never_panics. Qed.

(** An answer, under a version's commitments or a root, whatever it states, shows and holds: the verifier's schema and query
    are stored, numbers and lists fit what they were received in. *)
Theorem verify_table_answer_never_panics : forall setup trusted query schema answer, AlgebraSafe.small setup -> AnswersSafe.trusted_in_memory trusted ->
  schema_sized schema -> query_in_memory query -> answer_in_memory answer -> verify_table_answer_safe setup trusted query schema answer = true.
Proof. exact Aardvark.Safety.TableVerifierSafe.verify_table_answer_never_panics. Qed.

(** The certificates that come with an answer: whatever the heads of its runs and the pieces that are shown, the statements and the certificates
    say, as they were received. *)
Theorem check_certified_never_panics : forall setup about runs sheets meanings, about_bits about < 2 ^ 32 -> about_moments about < 2 ^ 32 ->
  Forall run_received runs -> Forall stated_received sheets -> check_certified_safe setup about runs sheets meanings = true.
Proof. intros. now apply Aardvark.Safety.CertifiedAnswerSafe.check_certified_never_panics. Qed.

(** What is looked at of a transaction behind the openings, under any policy: whatever it writes and brings, and whatever the points and certificates
    are. Of what comes before them, Policies.v says so. *)
Theorem certify_policy_never_panics : forall policy setup dictionary tx brought points meanings, PoliciesSafe.transaction_in_memory tx ->
  certify_policy_safe policy setup dictionary tx brought points meanings = true.
Proof. exact Aardvark.Safety.PoliciesSafe.certify_policy_never_panics. Qed.

End SafeTables.
