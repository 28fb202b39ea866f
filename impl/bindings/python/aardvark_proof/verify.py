"""Verifying an answer: the one function that everyone who reads a dictionary calls.

The phases run in this order over the whole proof, and in the first that fails the lowest item names
the reason (docs/answers.md, "Order of checks"):

    form       the question can be asked; slots have lengths of the format
    about      dictionary, scheme, vector size, version, question
    root       parts hash to the root; each vector's path leads to it         (under a root)
    positions  each is in use, and its vector's commitment is known
    openings   none malformed; each opens its vector's commitment to its slot's scalar
    chain      the slots answer the question
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from ._basis import Basis, Known
from ._folded import Statement, check_folded
from ._kzg import domain_point, opens
from ._scan import answer_of_slots
from .answer import Answer, KeysAnswer, PredecessorAnswer, RangeAnswer, SuccessorAnswer
from .errors import Reason, Refusal
from .proof import Claim, Proof
from .question import (
    MOST_KEY_BYTES,
    MOST_VALUE_BYTES,
    Keys,
    Predecessor,
    Question,
    Range,
    Successor,
)
from .trusted import Trusted


@overload
def verify(trusted: Trusted, question: Keys, proof: str | bytes | Proof) -> KeysAnswer: ...
@overload
def verify(trusted: Trusted, question: Range, proof: str | bytes | Proof) -> RangeAnswer: ...
@overload
def verify(
    trusted: Trusted, question: Predecessor, proof: str | bytes | Proof
) -> PredecessorAnswer: ...
@overload
def verify(trusted: Trusted, question: Successor, proof: str | bytes | Proof) -> SuccessorAnswer: ...
@overload
def verify(trusted: Trusted, question: Question, proof: str | bytes | Proof) -> Answer: ...
def verify(trusted: Trusted, question: Question, proof: str | bytes | Proof) -> Answer:
    """The answer that a proof gives to a question, under what is trusted.

    The proof is JSON, its binary form, or what is already read of either.

    Raises:
        Refusal: where it gives none.
        Unreadable: where it is no proof.
        Unsupported: where its openings are folded, and the extra ``folded`` is not installed.
    """
    read = proof if isinstance(proof, Proof) else Proof.read(proof)
    known = Known.of(trusted, read)
    _check_form(question, read.claims)
    _check_about(known, question, read)
    basis = Basis.of(known, read)
    commitments = basis.commitments_of(known.vector_size, read.claims)
    _check_openings(known, read, commitments)
    return answer_of_slots(question, read.version, [claim.slot for claim in read.claims])


def _check_form(question: Question, claims: Sequence[Claim]) -> None:
    if not question.is_legal():
        raise Refusal(Reason.QUESTION_ILLEGAL)
    for c, claim in enumerate(claims):
        keys = max(len(claim.slot.key), len(claim.slot.next))
        if keys > MOST_KEY_BYTES or len(claim.slot.value) > MOST_VALUE_BYTES:
            raise Refusal(Reason.ANSWER_SLOT_TOO_LONG, c)


def _check_about(known: Known, question: Question, proof: Proof) -> None:
    if proof.dictionary != known.dictionary:
        raise Refusal(Reason.OTHER_DICTIONARY)
    if proof.scheme != "kzg":
        raise Refusal(Reason.OTHER_SCHEME)
    if proof.vector_size != known.vector_size:
        raise Refusal(Reason.OTHER_VECTOR_SIZE)
    # A root says its version by its parts.
    if known.version is not None and proof.version != known.version:
        raise Refusal(Reason.OTHER_VERSION)
    if proof.question != question:
        raise Refusal(Reason.OTHER_QUESTION)


def _check_openings(known: Known, proof: Proof, commitments: Sequence[bytes]) -> None:
    statements = [
        Statement(commitment, claim.position % known.vector_size, claim.slot.scalar())
        for claim, commitment in zip(proof.claims, commitments)
    ]
    if proof.folded is not None:
        check_folded(known.vector_size, known.dictionary, proof.version, statements, proof.folded)
        return
    # A malformed opening names the reason even where a claim before it is false.
    first_false: int | None = None
    for c, (claim, statement) in enumerate(zip(proof.claims, statements)):
        point = domain_point(known.vector_size, statement.index)
        holds = opens(statement.commitment, point, statement.scalar, claim.opening or b"")
        if holds is None:
            raise Refusal(Reason.ANSWER_OPENING_MALFORMED, c)
        if not holds and first_false is None:
            first_false = c
    if first_false is not None:
        raise Refusal(Reason.ANSWER_OPENING_FALSE, first_false)
