"""Byte strings: their notation as hexadecimal, the tagged hash."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from .errors import Unreadable

U32 = 2**32 - 1
U64 = 2**64 - 1

_NOT_A_DIGIT = re.compile("[^0-9a-f]")


def to_hex(data: bytes) -> str:
    """``0x`` and two lower-case digits a byte."""
    return "0x" + data.hex()


def from_hex(text: str, what: str = "the text", length: int | None = None) -> bytes:
    """The bytes of lower-case hexadecimal after ``0x``; exactly so many where that is given."""
    digits = text[2:]
    if not text.startswith("0x") or _NOT_A_DIGIT.search(digits) or len(digits) % 2 == 1:
        raise Unreadable(f"{what} is not hexadecimal in lower-case digits after 0x")
    if length is not None and len(digits) != 2 * length:
        raise Unreadable(f"{what} has {len(digits) // 2} bytes where {length} are needed")
    return bytes.fromhex(digits)


def as_bytes(key: bytes | str) -> bytes:
    """Bytes as they are, text in UTF-8."""
    return key.encode() if isinstance(key, str) else bytes(key)


def as_digest(digest: bytes | str, what: str) -> bytes:
    """32 bytes, or their hexadecimal."""
    if isinstance(digest, str):
        return from_hex(digest, what, 32)
    if len(digest) != 32:
        raise ValueError(f"{what} has {len(digest)} bytes where 32 are needed")
    return bytes(digest)


def tagged_hash(tag: bytes, parts: Iterable[bytes]) -> bytes:
    """H(tag, x) = SHA-256(u8 len(tag) || tag || x), with x in parts."""
    digest = sha256(bytes([len(tag)]) + tag)
    for part in parts:
        digest.update(part)
    return digest.digest()
