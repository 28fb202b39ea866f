"""Why something is not believed: the reasons with their classes, and the errors that carry them.

Names, classes and texts of reasons are those of the crate aardvark-proof (docs/answers.md).
"""

from __future__ import annotations

from enum import Enum


class Class(str, Enum):
    """What is wrong with what was given."""

    MALFORMED = "malformed"
    """It is none of the format's."""
    OTHER = "other"
    """It is about something else."""
    FALSE = "false"
    """It says what is not so, or does not prove what it says."""


class Reason(str, Enum):
    """Why a proof does not hold."""

    QUESTION_ILLEGAL = "QuestionIllegal"
    ANSWER_SLOT_TOO_LONG = "AnswerSlotTooLong"
    TIE_MISMATCHED = "TieMismatched"
    TIED_VECTORS_MISMATCHED = "TiedVectorsMismatched"
    COMMITMENT_MALFORMED = "CommitmentMalformed"
    PARTS_MALFORMED = "PartsMalformed"
    ANSWER_OPENING_MALFORMED = "AnswerOpeningMalformed"
    PATH_COUNT = "PathCount"
    OTHER_DICTIONARY = "OtherDictionary"
    OTHER_SCHEME = "OtherScheme"
    OTHER_VECTOR_SIZE = "OtherVectorSize"
    OTHER_VERSION = "OtherVersion"
    OTHER_QUESTION = "OtherQuestion"
    ROOT_FALSE = "RootFalse"
    PATH_FALSE = "PathFalse"
    ANSWER_POSITION_OUT_OF_RANGE = "AnswerPositionOutOfRange"
    ANSWER_OPENING_FALSE = "AnswerOpeningFalse"
    CHAIN_NOT_COVERING = "ChainNotCovering"
    CHAIN_SUPERFLUOUS = "ChainSuperfluous"
    CHAIN_MISSING = "ChainMissing"
    NOT_PREDECESSOR = "NotPredecessor"

    @property
    def class_(self) -> Class:
        """The reason's class."""
        return _TEXTS[self][0]

    @property
    def text(self) -> str:
        """The reason in words."""
        return _TEXTS[self][1]


_TEXTS: dict[Reason, tuple[Class, str]] = {
    Reason.QUESTION_ILLEGAL: (Class.MALFORMED, "nobody can ask this question"),
    Reason.ANSWER_SLOT_TOO_LONG: (
        Class.MALFORMED,
        "a slot's key, next key or value is longer than any may be",
    ),
    Reason.TIE_MISMATCHED: (
        Class.MALFORMED,
        "nothing ties the claims to the root, or something does where commitments are trusted",
    ),
    Reason.TIED_VECTORS_MISMATCHED: (
        Class.MALFORMED,
        "the tied vectors are not those of the claims, in ascending order",
    ),
    Reason.COMMITMENT_MALFORMED: (
        Class.MALFORMED,
        "the bytes of a commitment are not a point of the group",
    ),
    Reason.PARTS_MALFORMED: (Class.MALFORMED, "the identity is none that a dictionary can have"),
    Reason.ANSWER_OPENING_MALFORMED: (
        Class.MALFORMED,
        "the bytes of an opening are not a point of the group",
    ),
    Reason.PATH_COUNT: (Class.MALFORMED, "there is not one path for each claim"),
    Reason.OTHER_DICTIONARY: (Class.OTHER, "the proof is about another dictionary"),
    Reason.OTHER_SCHEME: (Class.OTHER, "the proof is for another commitment scheme"),
    Reason.OTHER_VECTOR_SIZE: (Class.OTHER, "the proof is for another vector size"),
    Reason.OTHER_VERSION: (Class.OTHER, "the proof is about another version"),
    Reason.OTHER_QUESTION: (Class.OTHER, "the proof is about another question"),
    Reason.ROOT_FALSE: (Class.FALSE, "the parts do not hash to the root"),
    Reason.PATH_FALSE: (Class.FALSE, "a path does not tie its commitment to the root"),
    Reason.ANSWER_POSITION_OUT_OF_RANGE: (Class.FALSE, "the claimed position is not in use"),
    Reason.ANSWER_OPENING_FALSE: (Class.FALSE, "an opening does not prove its claim"),
    Reason.CHAIN_NOT_COVERING: (
        Class.FALSE,
        "a slot does not cover what it has to, or does not precede it",
    ),
    Reason.CHAIN_SUPERFLUOUS: (Class.FALSE, "there are slots after the answer's end"),
    Reason.CHAIN_MISSING: (Class.FALSE, "the slots end before the answer does"),
    Reason.NOT_PREDECESSOR: (
        Class.FALSE,
        "the second claim is not that of the key's predecessor",
    ),
}


class ProofError(Exception):
    """What this package raises about what it is given to read or to verify, and nothing else is."""

    def __init__(self, message: str, class_: Class) -> None:
        super().__init__(message)
        self.class_ = class_

    @property
    def exit_code(self) -> int:
        """With which code a program ends: 1 for what is false, 2 for the others."""
        return 1 if self.class_ is Class.FALSE else 2


class Unreadable(ProofError):
    """Text that is no proof, no commitments, no note or no key, whatever it may say."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Class.MALFORMED)


class Refusal(ProofError):
    """A proof that does not hold.

    ``item`` is the claim or tied vector that gave the reason, from 0; None where the reason is
    about the whole proof.
    """

    def __init__(self, reason: Reason, item: int | None = None) -> None:
        place = "" if item is None else f"item {item + 1}: "
        super().__init__(f"{place}{reason.text} ({reason.value})", reason.class_)
        self.reason = reason
        self.item = item


class Unsigned(ProofError):
    """A note that one of the keys has not signed; or, of class false, not this text of it."""

    def __init__(self, name: str, *, is_false: bool) -> None:
        said = f"the signature of {name} is false" if is_false else f"the note is not signed by {name}"
        super().__init__(said, Class.FALSE if is_false else Class.OTHER)


class Unsupported(ProofError):
    """A proof that this installation cannot verify, and of which it says nothing."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Class.OTHER)
