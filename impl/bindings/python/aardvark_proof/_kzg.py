"""Openings of KZG commitments on the Ethereum ceremony, judged by ckzg.

A slot with scalar m stands at index i of the vector with commitment C exactly if the polynomial under C
has the value m at w^i, with w = 7^((r-1)/N): that is what ``verify_kzg_proof`` verifies.
"""

from __future__ import annotations

import functools
import os
import tempfile
from typing import Any

import ckzg

from .slot import SCALAR_ORDER

_G1 = (
    "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac58"
    "6c55e83ff97a1aeffb3af00adb22c6bb"
)
_G2 = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
TAU_G2 = (
    "b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72"
    "185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2"
)
"""[tau]_2 of the Ethereum ceremony, all of it that a verifier needs."""

_INFINITY = bytes([0xC0]) + bytes(47)


@functools.cache
def _settings() -> Any:
    """ckzg's settings, made once: under a second.

    ckzg loads all that provers need. Verifying reads [1]_2 and [tau]_2 alone, so the generators stand
    in the place of the other points.
    """
    g2 = [_G2, TAU_G2, *[_G2] * 63]
    lines = ["4096", "65", *[_G1] * 4096, *g2, *[_G1] * 4096]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "setup.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(lines))
        return ckzg.load_trusted_setup(path, 0)


def scalar_bytes(scalar: int) -> bytes:
    """32 bytes, the highest first."""
    return scalar.to_bytes(32, "big")


@functools.lru_cache(maxsize=4096)
def domain_point(vector_size: int, index: int) -> int:
    """The element of the domain of N elements at an index."""
    root = pow(7, (SCALAR_ORDER - 1) // vector_size, SCALAR_ORDER)
    return pow(root, index, SCALAR_ORDER)


def opens(commitment: bytes, point: int, value: int, opening: bytes) -> bool | None:
    """Whether an opening shows that the polynomial under a commitment has a value at a point.

    None where commitment or opening are not the encoding of a point of the group.
    """
    try:
        judged = ckzg.verify_kzg_proof(
            commitment, scalar_bytes(point), scalar_bytes(value), opening, _settings()
        )
    except (RuntimeError, ValueError):
        return None
    return bool(judged)


def is_point(encoded: bytes) -> bool:
    """Whether 48 bytes are the encoding of a point of the group."""
    return opens(encoded, 0, 0, _INFINITY) is not None
