"""Many openings in one (docs/answers.md).

The equation of a folded opening (W, W') is that of an ordinary opening W' of the commitment
D = sum f_i C_i - W, at z, to the value sum f_i y_i, with f_i = gamma_i / (z - z_i); so ckzg judges it. It
has no sums of points, which the package py-arkworks-bls12381 adds up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._bytes import tagged_hash
from ._kzg import domain_point, is_point, opens, scalar_bytes
from .errors import Reason, Refusal, Unsupported
from .slot import SCALAR_ORDER, hash_to_scalar


@dataclass(frozen=True)
class Statement:
    """That the vector with a commitment has a scalar at an index."""

    commitment: bytes
    index: int
    scalar: int


def check_folded(
    vector_size: int,
    dictionary: bytes,
    version: int,
    statements: Sequence[Statement],
    folded: bytes,
) -> None:
    """Refuses a folded opening that does not prove all statements."""
    quotient, witness = folded[:48], folded[48:]
    if not is_point(quotient) or not is_point(witness):
        raise Refusal(Reason.ANSWER_OPENING_MALFORMED)
    about = [dictionary, version.to_bytes(8, "big"), vector_size.to_bytes(4, "big")]
    context = tagged_hash(b"AARDVARK-V1-FOLD-ANSWER", about)
    points = [domain_point(vector_size, statement.index) for statement in statements]
    bound = (
        statement.commitment + scalar_bytes(point) + scalar_bytes(statement.scalar)
        for statement, point in zip(statements, points)
    )
    count = len(statements).to_bytes(8, "big")
    seed = tagged_hash(b"AARDVARK-V1-FOLD-CLAIMS", [context, count, *bound])
    z = _challenge(tagged_hash(b"AARDVARK-V1-FOLD", [seed, quotient]), 0)
    factors: dict[bytes, int] = {}
    value = 0
    for i, (statement, point) in enumerate(zip(statements, points)):
        if point == z:
            raise Refusal(Reason.ANSWER_OPENING_FALSE)
        factor = _challenge(seed, i) * pow(z - point, -1, SCALAR_ORDER) % SCALAR_ORDER
        factors[statement.commitment] = (factors.get(statement.commitment, 0) + factor) % SCALAR_ORDER
        value = (value + factor * statement.scalar) % SCALAR_ORDER
    if opens(_sum_less(factors, quotient), z, value, witness) is not True:
        raise Refusal(Reason.ANSWER_OPENING_FALSE)


def _challenge(seed: bytes, i: int) -> int:
    return hash_to_scalar(seed + i.to_bytes(8, "big"), b"AARDVARK-V1-CHALLENGE")


def _sum_less(factors: dict[bytes, int], quotient: bytes) -> bytes:
    """The sum of multiples of points less one point; all of them are known to be points."""
    try:
        from py_arkworks_bls12381 import G1Point, Scalar
    except ImportError:
        message = "folded openings need the extra: pip install aardvark-proof[folded]"
        raise Unsupported(message) from None
    points = [G1Point.from_compressed_bytes_unchecked(point) for point in factors]
    scalars = [Scalar.from_be_bytes(scalar_bytes(factor)) for factor in factors.values()]
    total = G1Point.multiexp_unchecked(points, scalars) if points else G1Point.identity()
    return bytes((total - G1Point.from_compressed_bytes_unchecked(quotient)).to_compressed_bytes())
