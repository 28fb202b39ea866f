"""Proofs of format 1: one key, and for a deletion its predecessor.

Such a proof is two proofs in one, and :func:`aardvark_proof.verify` judges both.
"""

from __future__ import annotations

from dataclasses import dataclass

from ._bytes import as_bytes
from ._json import Field, JsonReader, format_field, read_json
from .errors import Reason, Refusal
from .proof import (
    ROOT_FIELDS,
    U32_FIELD,
    U64_FIELD,
    Claim,
    Proof,
    Tie,
    TiedVector,
    bytes_field,
    claim,
    digest,
    key,
    scheme,
)
from .question import Question
from .trusted import Commitments, Root
from .verify import verify

LARGEST = 2**16
"""Most bytes of a proof's text."""


@dataclass(frozen=True)
class KeyStatement:
    """What a proof that holds says of its key.

    ``value`` is None where the key is absent; ``shows_predecessor`` says whether the proof is good
    for a deletion, too.
    """

    version: int
    value: bytes | None
    shows_predecessor: bool


@dataclass(frozen=True)
class _Root:
    version: int
    tie: Tie
    paths: tuple[tuple[bytes, tuple[bytes, ...]], ...]


@dataclass(frozen=True)
class KeyProof:
    """A proof of format 1, as it says of itself: nothing of it is checked but its form."""

    dictionary: bytes
    scheme: str
    vector_size: int
    version: int
    key: bytes
    claims: tuple[Claim, ...]
    _root: _Root | None

    @staticmethod
    def from_json(text: str | bytes) -> KeyProof:
        """Reads a proof of format 1.

        Raises:
            Unreadable: where the text is none.
        """
        return read_json(text, LARGEST, "the proof", _key_proof)

    def _answer(self, tied: bool, question: Question, c: int) -> Proof:
        """One claim of it, as a proof of format 2."""
        tie = None
        if tied and self._root is not None:
            commitment, path = self._root.paths[c]
            number = self.claims[c].position // max(self.vector_size, 1)
            parts = self._root.tie
            tie = Tie(
                parts.size,
                parts.tail_start,
                parts.commitment_root,
                parts.tail_digest,
                parts.replay_digest,
                parts.window_digest,
                (TiedVector(number, commitment, path),),
                None,
            )
        about = (self.dictionary, self.scheme, self.vector_size, self.version)
        return Proof(*about, question, (self.claims[c],), None, tie)


def _path(json: JsonReader) -> tuple[bytes, tuple[bytes, ...]]:
    path = Field(lambda json: json.list(digest))
    read = json.object({"commitment": bytes_field("a commitment", 48), "path": path})
    return read["commitment"], read["path"]


def _root(json: JsonReader) -> _Root:
    claims = Field(lambda json: json.list(_path))
    read = json.object({"version": U64_FIELD, **ROOT_FIELDS, "claims": claims})
    version, paths = read.pop("version"), read.pop("claims")
    return _Root(version, Tie(**read, vectors=(), identity=None), paths)


def _key_proof(json: JsonReader) -> KeyProof:
    read = json.object(
        {
            "format": format_field(1),
            "dictionary": Field(digest),
            "scheme": Field(scheme),
            "vector_size": U32_FIELD,
            "version": U64_FIELD,
            "key": Field(key),
            "claims": Field(lambda json: json.list(claim)),
            "root": Field(_root, optional=True),
        }
    )
    if not 1 <= len(read["claims"]) <= 2:
        json.fail("a proof has one claim or two")
    del read["format"]
    return KeyProof(_root=read.pop("root"), **read)


def verify_key(
    trusted: Commitments | Root, key: bytes | str, proof: str | bytes | KeyProof
) -> KeyStatement:
    """What a proof of format 1 says of a key, under what is trusted.

    Raises:
        Refusal: where it does not hold.
        Unreadable: where the text is no proof.
    """
    read = proof if isinstance(proof, KeyProof) else KeyProof.from_json(proof)
    root = None if isinstance(trusted, Commitments) else read._root
    if root is not None and len(root.paths) != len(read.claims):
        raise Refusal(Reason.PATH_COUNT)
    tied = root is not None
    first = verify(trusted, Question.key(key), read._answer(tied, Question.key(read.key), 0))
    if root is not None and root.version != read.version:
        raise Refusal(Reason.ROOT_FALSE)
    value = first.keys[0].value
    if len(read.claims) == 2:
        question = Question.predecessor(as_bytes(key))
        try:
            verify(trusted, question, read._answer(tied, question, 1))
        except Refusal as refusal:
            if refusal.reason is Reason.CHAIN_NOT_COVERING:
                raise Refusal(Reason.NOT_PREDECESSOR, 1) from None
            raise Refusal(refusal.reason, None if refusal.item is None else 1) from None
        if value is None:
            raise Refusal(Reason.NOT_PREDECESSOR, 1)
    return KeyStatement(read.version, value, len(read.claims) == 2)
