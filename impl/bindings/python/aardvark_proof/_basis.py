"""What follows from what is trusted, before any opening is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ._kzg import is_point
from ._root import id_of_identity, root_of_path, state_root, vector_size_of
from .errors import Reason, Refusal
from .note import Note
from .proof import Claim, Proof, TiedVector
from .trusted import Commitments, Root, Trusted

_CEREMONY_DIGEST = bytes.fromhex("bfe6bde32861347be66bd8af2f1be07c541971b46eb485cfa403eb1a2e846695")
"""SHA-256 of the ceremony file: the digest of the setup of every dictionary on KZG."""


@dataclass(frozen=True)
class Known:
    """What a verifier believes, with the dictionary's id and vector size.

    A root alone takes these from the identity in the proof.
    """

    dictionary: bytes
    vector_size: int
    version: int | None
    commitments: Commitments | None
    root: bytes

    @staticmethod
    def of(trusted: Trusted, proof: Proof) -> Known:
        """What follows from what is trusted, and from a proof's identity where that is needed."""
        if isinstance(trusted, Commitments):
            return Known(trusted.dictionary, trusted.vector_size, trusted.version, trusted, b"")
        if not isinstance(trusted, (Root, Note)):
            raise TypeError("trusted: Commitments, Root or Note")
        root = trusted.root
        assert isinstance(root, bytes)
        if isinstance(trusted, Root) and trusted.dictionary is not None and trusted.vector_size is not None:
            assert isinstance(trusted.dictionary, bytes)
            return Known(trusted.dictionary, trusted.vector_size, None, None, root)
        identity = proof.tie.identity if proof.tie else None
        if identity is None:
            raise Refusal(Reason.TIE_MISMATCHED)
        parameters = vector_size_of(identity)
        if parameters is None:
            raise Refusal(Reason.PARTS_MALFORMED)
        scheme, vector_size = parameters
        if scheme != 1 or identity.setup_digest != _CEREMONY_DIGEST:
            raise Refusal(Reason.OTHER_SCHEME)
        if isinstance(trusted, Note) and identity.name != trusted.origin.encode():
            raise Refusal(Reason.OTHER_DICTIONARY)
        version = trusted.version if isinstance(trusted, Note) else None
        return Known(id_of_identity(identity), vector_size, version, None, root)


@dataclass(frozen=True)
class Basis:
    """What openings are checked against: the number of slots, and commitments of vectors."""

    size: int
    commitment_of: Callable[[int], bytes | None]

    @staticmethod
    def of(known: Known, proof: Proof) -> Basis:
        """What is known of the version that a proof is about."""
        if known.commitments is not None:
            if proof.tie is not None:
                raise Refusal(Reason.TIE_MISMATCHED)
            return Basis(known.commitments.slots, known.commitments.commitment_of)
        tie = proof.tie
        if tie is None:
            raise Refusal(Reason.TIE_MISMATCHED)
        _check_tied(tie.vectors, {claim.position // known.vector_size for claim in proof.claims})
        if state_root(known.dictionary, proof.version, tie) != known.root:
            raise Refusal(Reason.ROOT_FALSE)
        count = -(-tie.size // known.vector_size)
        for i, vector in enumerate(tie.vectors):
            found = root_of_path(count, vector.number, vector.commitment, vector.path)
            if found != tie.commitment_root:
                raise Refusal(Reason.PATH_FALSE, i)
        return Basis(tie.size, {vector.number: vector.commitment for vector in tie.vectors}.get)

    def commitments_of(self, vector_size: int, claims: Sequence[Claim]) -> list[bytes]:
        """The commitments of the claims' vectors, in the order of the claims."""
        known: dict[int, bytes | None] = {}
        found = []
        for c, claim in enumerate(claims):
            if claim.position >= self.size:
                raise Refusal(Reason.ANSWER_POSITION_OUT_OF_RANGE, c)
            vector = claim.position // vector_size
            if vector not in known:
                known[vector] = self.commitment_of(vector)
            commitment = known[vector]
            if commitment is None:
                raise Refusal(Reason.TIED_VECTORS_MISMATCHED, c)
            if not commitment:
                raise Refusal(Reason.COMMITMENT_MALFORMED, c)
            found.append(commitment)
        return found


def _check_tied(vectors: Sequence[TiedVector], claimed: set[int]) -> None:
    """The tied vectors must be some of the claimed ones, ascending, and well-formed."""
    before = -1
    for i, vector in enumerate(vectors):
        if vector.number <= before or vector.number not in claimed:
            raise Refusal(Reason.TIED_VECTORS_MISMATCHED, i)
        if not is_point(vector.commitment):
            raise Refusal(Reason.COMMITMENT_MALFORMED, i)
        before = vector.number
