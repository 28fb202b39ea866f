(* Translated from spec/src/answer/answer_reason.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Why a proof does not hold: the reasons, and their three classes. Source: docs/answers.md. *)
From AardvarkSpec Require Export Prelude.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Why a proof does not hold. *)
Inductive AnswerReason : Type :=
(** Malformed: nobody can ask this. *)
| AnswerReason_QuestionIllegal
(** Malformed: a slot's key, next key or value is longer than any may be. *)
| AnswerReason_AnswerSlotTooLong
(** Malformed: nothing ties the commitments to the root, or something does where commitments are
    trusted. *)
| AnswerReason_TieMismatched
(** Malformed: a digest among the parts has not 32 bytes, or what the dictionary's id is over
    breaks the format's rules. *)
| AnswerReason_PartsMalformed
(** Malformed: the tied vectors are not those of the claims, in ascending order. *)
| AnswerReason_TiedVectorsMismatched
(** Malformed: the bytes of a commitment break the format's rule. *)
| AnswerReason_CommitmentMalformed
(** Malformed: the bytes of an opening break the format's rule. *)
| AnswerReason_AnswerOpeningMalformed
(** About something else: another dictionary. *)
| AnswerReason_OtherDictionary
(** About something else: another vector size. *)
| AnswerReason_OtherVectorSize
(** About something else: another version. *)
| AnswerReason_OtherVersion
(** About something else: another question. *)
| AnswerReason_OtherQuestion
(** False: the parts do not hash to the root. *)
| AnswerReason_RootFalse
(** False: a path does not tie its commitment to the root. *)
| AnswerReason_PathFalse
(** False: the position is not in use. *)
| AnswerReason_AnswerPositionOutOfRange
(** False: an opening does not verify. *)
| AnswerReason_AnswerOpeningFalse
(** False: a slot does not cover what it has to, or does not precede it. *)
| AnswerReason_ChainNotCovering
(** False: there are slots after the answer's end. *)
| AnswerReason_ChainSuperfluous
(** False: the slots end before the answer does. *)
| AnswerReason_ChainMissing.

(** Whether a proof that does not hold is malformed, about something else, or false. *)
Inductive ReasonClass : Type :=
(** It is none of the format's proofs. *)
| ReasonClass_ClassMalformed
(** It is about something else. *)
| ReasonClass_ClassOther
(** It says what is not so, or does not prove what it says. *)
| ReasonClass_ClassFalse.

(** The class of a reason. *)
Definition class_of_reason (why : AnswerReason) : ReasonClass :=
  match why with
  | AnswerReason_QuestionIllegal => ReasonClass_ClassMalformed
  | AnswerReason_AnswerSlotTooLong => ReasonClass_ClassMalformed
  | AnswerReason_TieMismatched => ReasonClass_ClassMalformed
  | AnswerReason_PartsMalformed => ReasonClass_ClassMalformed
  | AnswerReason_TiedVectorsMismatched => ReasonClass_ClassMalformed
  | AnswerReason_CommitmentMalformed => ReasonClass_ClassMalformed
  | AnswerReason_AnswerOpeningMalformed => ReasonClass_ClassMalformed
  | AnswerReason_OtherDictionary => ReasonClass_ClassOther
  | AnswerReason_OtherVectorSize => ReasonClass_ClassOther
  | AnswerReason_OtherVersion => ReasonClass_ClassOther
  | AnswerReason_OtherQuestion => ReasonClass_ClassOther
  | AnswerReason_RootFalse => ReasonClass_ClassFalse
  | AnswerReason_PathFalse => ReasonClass_ClassFalse
  | AnswerReason_AnswerPositionOutOfRange => ReasonClass_ClassFalse
  | AnswerReason_AnswerOpeningFalse => ReasonClass_ClassFalse
  | AnswerReason_ChainNotCovering => ReasonClass_ClassFalse
  | AnswerReason_ChainSuperfluous => ReasonClass_ClassFalse
  | AnswerReason_ChainMissing => ReasonClass_ClassFalse
  end.

(** A refusal: the reason, and the claim or tied vector that gave it, from 0. *)
Record AnswerRefusal : Type := {
  (** The reason. *)
  refusal_reason : AnswerReason;
  (** The item; none for reasons about the proof as a whole. *)
  refusal_item : Option usize;
}.

(** A refusal of the proof as a whole. *)
Definition refuse_answer (why : AnswerReason) : AnswerRefusal :=
  {| refusal_reason := why; refusal_item := None |}.

(** A refusal for one of its items. *)
Definition refuse_answer_item (why : AnswerReason) (i : usize) : AnswerRefusal :=
  {| refusal_reason := why; refusal_item := Some i |}.
