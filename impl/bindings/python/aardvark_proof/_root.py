"""State roots: what one is over, the path from a commitment to it, and what a dictionary's id is over."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import sha256

from ._bytes import tagged_hash
from .proof import Identity, Tie


def state_root(dictionary: bytes, version: int, tie: Tie) -> bytes:
    """The state root over the parts that a proof brings, of a dictionary and version."""
    numbers = (number.to_bytes(8, "big") for number in (version, tie.size, tie.tail_start))
    digests = (tie.commitment_root, tie.tail_digest, tie.replay_digest, tie.window_digest)
    return tagged_hash(b"AARDVARK-V1-STATE", [dictionary, *numbers, *digests])


def root_of_path(vectors: int, vector: int, commitment: bytes, path: Sequence[bytes]) -> bytes | None:
    """The root to which a path ties a commitment (RFC 9162, 2.1.3.2).

    None where there is no such vector, or the path has a digest too few or too many. The number of
    vectors follows from what the root covers, the vector from a claim's position.
    """
    if vector >= vectors or len(path) > 64:
        return None
    digest, width, siblings = sha256(b"\0" + commitment).digest(), vectors, iter(path)
    while width > 1:
        if vector % 2 == 1 or vector + 1 < width:
            sibling = next(siblings, None)
            if sibling is None:
                return None
            pair = sibling + digest if vector % 2 == 1 else digest + sibling
            digest = sha256(b"\1" + pair).digest()
        vector, width = vector // 2, (width + 1) // 2
    return digest if next(siblings, None) is None else None


def vector_size_of(identity: Identity) -> tuple[int, int] | None:
    """Scheme and vector size of an identity; None where no dictionary can have it."""
    (
        scheme,
        vector_size,
        window,
        key_length,
        value_length,
        transaction_operations,
        transaction_claims,
        transaction_bytes,
        block_transactions,
        block_operations,
        block_claims,
        block_bytes,
    ) = struct.unpack(">BIIHHIIIIIII", identity.parameters)
    if not 1 <= len(identity.name) <= 255 or vector_size < 1 or 4096 % vector_size != 0:
        return None
    slot = 2 * key_length + value_length
    tail = -(-transaction_operations // vector_size) * vector_size
    legal = (
        scheme in (1, 2)
        and window <= 65_535
        and 1 <= key_length <= 255
        and value_length <= 1024
        and 1 <= transaction_operations <= min(65_535, block_operations)
        and 2 <= transaction_claims <= min(65_535, block_claims)
        and block_transactions >= 1
        and transaction_bytes >= 2048 + 2 * (66 + slot)
        and block_bytes >= 17 + transaction_bytes + 4 + tail * (6 + slot)
    )
    return (scheme, vector_size) if legal else None


def id_of_identity(identity: Identity) -> bytes:
    """The id of the dictionary that has an identity."""
    name = bytes([len(identity.name)]) + identity.name
    digests = (identity.setup_digest, identity.content_digest)
    parts = [name, identity.salt, identity.parameters, *digests, identity.binding]
    return tagged_hash(b"AARDVARK-V2-DICTIONARY", parts)
