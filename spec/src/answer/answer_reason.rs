//! Why a proof does not hold: the reasons, and their three classes. Source: docs/answers.md.

/// Why a proof does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerReason {
    /// Malformed: nobody can ask this.
    QuestionIllegal,
    /// Malformed: a slot's key, next key or value is longer than any may be.
    AnswerSlotTooLong,
    /// Malformed: nothing ties the commitments to the root, or something does where commitments are
    /// trusted.
    TieMismatched,
    /// Malformed: a digest among the parts has not 32 bytes, or what the dictionary's id is over
    /// breaks the format's rules.
    PartsMalformed,
    /// Malformed: the tied vectors are not those of the claims, in ascending order.
    TiedVectorsMismatched,
    /// Malformed: the bytes of a commitment break the format's rule.
    CommitmentMalformed,
    /// Malformed: the bytes of an opening break the format's rule.
    AnswerOpeningMalformed,
    /// About something else: another dictionary.
    OtherDictionary,
    /// About something else: another vector size.
    OtherVectorSize,
    /// About something else: another version.
    OtherVersion,
    /// About something else: another question.
    OtherQuestion,
    /// False: the parts do not hash to the root.
    RootFalse,
    /// False: a path does not tie its commitment to the root.
    PathFalse,
    /// False: the position is not in use.
    AnswerPositionOutOfRange,
    /// False: an opening does not verify.
    AnswerOpeningFalse,
    /// False: a slot does not cover what it has to, or does not precede it.
    ChainNotCovering,
    /// False: there are slots after the answer's end.
    ChainSuperfluous,
    /// False: the slots end before the answer does.
    ChainMissing,
}

/// Whether a proof that does not hold is malformed, about something else, or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonClass {
    /// It is none of the format's proofs.
    ClassMalformed,
    /// It is about something else.
    ClassOther,
    /// It says what is not so, or does not prove what it says.
    ClassFalse,
}

/// The class of a reason.
pub fn class_of_reason(why: &AnswerReason) -> ReasonClass {
    match why {
        AnswerReason::QuestionIllegal => ReasonClass::ClassMalformed,
        AnswerReason::AnswerSlotTooLong => ReasonClass::ClassMalformed,
        AnswerReason::TieMismatched => ReasonClass::ClassMalformed,
        AnswerReason::PartsMalformed => ReasonClass::ClassMalformed,
        AnswerReason::TiedVectorsMismatched => ReasonClass::ClassMalformed,
        AnswerReason::CommitmentMalformed => ReasonClass::ClassMalformed,
        AnswerReason::AnswerOpeningMalformed => ReasonClass::ClassMalformed,
        AnswerReason::OtherDictionary => ReasonClass::ClassOther,
        AnswerReason::OtherVectorSize => ReasonClass::ClassOther,
        AnswerReason::OtherVersion => ReasonClass::ClassOther,
        AnswerReason::OtherQuestion => ReasonClass::ClassOther,
        AnswerReason::RootFalse => ReasonClass::ClassFalse,
        AnswerReason::PathFalse => ReasonClass::ClassFalse,
        AnswerReason::AnswerPositionOutOfRange => ReasonClass::ClassFalse,
        AnswerReason::AnswerOpeningFalse => ReasonClass::ClassFalse,
        AnswerReason::ChainNotCovering => ReasonClass::ClassFalse,
        AnswerReason::ChainSuperfluous => ReasonClass::ClassFalse,
        AnswerReason::ChainMissing => ReasonClass::ClassFalse,
    }
}

/// A refusal: the reason, and the claim or tied vector that gave it, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerRefusal {
    /// The reason.
    pub refusal_reason: AnswerReason,
    /// The item; none for reasons about the proof as a whole.
    pub refusal_item: Option<usize>,
}

/// A refusal of the proof as a whole.
pub fn refuse_answer(why: AnswerReason) -> AnswerRefusal {
    AnswerRefusal { refusal_reason: why, refusal_item: None }
}

/// A refusal for one of its items.
pub fn refuse_answer_item(why: AnswerReason, i: usize) -> AnswerRefusal {
    AnswerRefusal { refusal_reason: why, refusal_item: Some(i) }
}
