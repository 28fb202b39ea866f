"""Slots: the interval of keys that one covers, and the scalar that stands for it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

SCALAR_ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001


@dataclass(frozen=True)
class Slot:
    """A key, its value, and the next key that is there."""

    key: bytes
    value: bytes
    next: bytes

    def covers(self, key: bytes) -> bool:
        """Whether a key lies in the cyclic interval [self.key, self.next)."""
        behind, before = self.key <= key, key < self.next
        return (behind and before) if self.key < self.next else (behind or before)

    def precedes(self, key: bytes) -> bool:
        """Whether a key lies in the cyclic interval (self.key, self.next]."""
        behind, before = self.key < key, key <= self.next
        return (behind and before) if self.key < self.next else (behind or before)

    def encode(self) -> bytes:
        """u16 len(key) || key || u16 len(next) || next || value."""
        keys = (len(key).to_bytes(2, "big") + key for key in (self.key, self.next))
        return b"".join(keys) + self.value

    def scalar(self) -> int:
        """The scalar that stands for it under a commitment."""
        return hash_to_scalar(self.encode(), b"AARDVARK-V1-SLOT")


def hash_to_scalar(message: bytes, tag: bytes) -> int:
    """RFC 9380's hash_to_field into the scalar field, with expand_message_xmd on SHA-256."""
    suffix = tag + bytes([len(tag)])
    first = sha256(bytes(64) + message + (48).to_bytes(2, "big") + b"\0" + suffix).digest()
    second = sha256(first + b"\1" + suffix).digest()
    mixed = bytes(a ^ b for a, b in zip(first, second))
    third = sha256(mixed + b"\2" + suffix).digest()
    return int.from_bytes((second + third)[:48], "big") % SCALAR_ORDER
