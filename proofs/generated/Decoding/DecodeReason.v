(* Translated from spec/src/decoding/decode_reason.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Why bytes are not an encoding. *)
From AardvarkSpec Require Export Prelude.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Why bytes are not an encoding. What is read first decides where there are several reasons. *)
Inductive DecodeReason : Type :=
(** The bytes end before the value does. *)
| DecodeReason_Truncated
(** Bytes are left over behind the value. *)
| DecodeReason_Trailing
(** The format number is another. *)
| DecodeReason_UnknownFormat
(** No operation has this tag. *)
| DecodeReason_UnknownOperation
(** The byte that says whether something is there is neither 0 nor 1. *)
| DecodeReason_UnknownPresence
(** The signers of a transaction are not in strictly ascending order. *)
| DecodeReason_UnorderedSigners
(** The vectors of a record are not in strictly ascending order. *)
| DecodeReason_UnorderedVectors
(** The keys of an import are not in strictly ascending order. *)
| DecodeReason_UnorderedKeys
(** The encoding has more bytes than are allowed. *)
| DecodeReason_Oversized
(** A block announces more transactions than are allowed. *)
| DecodeReason_ExcessTransactions
(** A block announces more operations than are allowed. *)
| DecodeReason_ExcessOperations
(** A block announces more claims than are allowed. *)
| DecodeReason_ExcessClaims
(** A block announces more tail vectors than are allowed. *)
| DecodeReason_ExcessTailVectors
(** An aggregated block announces more points than a vector has elements. *)
| DecodeReason_ExcessPoints
(** A list of transactions has a frame and nothing that it frames. *)
| DecodeReason_FrameAlone
(** The first of a list of transactions is not a frame. *)
| DecodeReason_NoFrame.

#[global] Instance Default_DecodeReason : Default DecodeReason := DecodeReason_Truncated.
