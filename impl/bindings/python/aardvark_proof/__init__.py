"""Verifies what a dictionary of Aardvark says.

Trusted are the commitments of a version, a state root of 32 bytes, or a note that somebody signed; a
proof may come from anybody. No byte of it is believed.
"""

from ._bytes import from_hex, to_hex
from .answer import (
    Answer,
    Entry,
    KeyAnswer,
    KeysAnswer,
    PredecessorAnswer,
    RangeAnswer,
    SuccessorAnswer,
)
from .errors import Class, ProofError, Reason, Refusal, Unreadable, Unsigned, Unsupported
from .key_proof import KeyProof, KeyStatement, verify_key
from .note import Note, Signature
from .proof import Claim, Identity, Proof, Tie, TiedVector
from .question import Keys, Predecessor, Question, Range, Successor
from .slot import Slot
from .trusted import Commitments, Root, Trusted
from .verify import verify

__all__ = [
    "Answer",
    "Claim",
    "Class",
    "Commitments",
    "Entry",
    "Identity",
    "KeyAnswer",
    "KeyProof",
    "KeyStatement",
    "Keys",
    "KeysAnswer",
    "Note",
    "Predecessor",
    "PredecessorAnswer",
    "Proof",
    "ProofError",
    "Question",
    "Range",
    "RangeAnswer",
    "Reason",
    "Refusal",
    "Root",
    "Signature",
    "Slot",
    "Successor",
    "SuccessorAnswer",
    "Tie",
    "TiedVector",
    "Trusted",
    "Unreadable",
    "Unsigned",
    "Unsupported",
    "from_hex",
    "to_hex",
    "verify",
    "verify_key",
]
