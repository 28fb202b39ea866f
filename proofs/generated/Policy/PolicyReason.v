(* Translated from spec/src/policy/policy_reason.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Why a policy refuses a transaction. *)
From AardvarkSpec Require Export Prelude.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The rule that is broken. A policy looks at its rules in a fixed order, and the first one that is
    broken gives the reason. *)
Inductive PolicyReason : Type :=
(** A key is none of an account. *)
| PolicyReason_KeyNotAccount
(** The policy knows no such operation. *)
| PolicyReason_OperationForbidden
(** A `Delete` without the requirement, right before it, that the balance is zero. *)
| PolicyReason_DeleteUnguarded
(** Nobody pays. *)
| PolicyReason_PayerMissing
(** The sum of what is added is not the sum of what is subtracted. *)
| PolicyReason_SumsDiffer
(** Somebody who has to sign did not, or nobody signed. *)
| PolicyReason_SignerMissing
(** Somebody signed who is not asked for. *)
| PolicyReason_SignerSuperfluous
(** The account of fees gets less than the transaction costs. *)
| PolicyReason_FeeTooLow
(** An account could be left with less than the minimum. *)
| PolicyReason_BelowMinimum
(** The operations are no write of a table. *)
| PolicyReason_WriteMalformed
(** The first operation requires no schema of a table. *)
| PolicyReason_SchemaNotPinned
(** A head or a segment is not what its step asks for. *)
| PolicyReason_RecordRefused
(** A key is below the watermark. *)
| PolicyReason_KeyClosed
(** The table does not allow that runs or segments are replaced or deleted so. *)
| PolicyReason_RunImmutable
(** Certificates are none, or do not cover what is put. *)
| PolicyReason_CertificatesMalformed
(** A certificate does not hold. *)
| PolicyReason_CertificateRefused
(** The operations are no posts of a board. *)
| PolicyReason_PostMalformed
(** A post of a ceremony whose organiser genesis does not name. *)
| PolicyReason_OrganiserUnknown
(** A post of the organiser's kind by somebody else, or of a server without a number. *)
| PolicyReason_PostForbidden
(** A post does not require its author's admission. *)
| PolicyReason_AdmissionNotRequired
(** A post does not require that its gates are absent, and nothing else. *)
| PolicyReason_GateNotRequired.
