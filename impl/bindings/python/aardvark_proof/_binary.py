"""Proofs of answers as bytes (docs/format.md, "Proofs of answers"): half as long as their JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from .errors import Unreadable
from .question import Keys, Predecessor, Question, Range, Successor
from .slot import Slot

T = TypeVar("T")

PLAIN, FOLDED = 2, 3
"""The first byte of a proof with plain openings, and of one whose openings are folded."""


class ByteReader:
    """Reads bytes from their begin to their end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def fail(self, why: str) -> NoReturn:
        """Refuses the bytes."""
        raise Unreadable(f"the proof: {why} (at byte {self._at})")

    def take(self, length: int) -> bytes:
        """So many bytes."""
        if length > len(self._data) - self._at:
            self.fail("bytes are missing")
        self._at += length
        return self._data[self._at - length : self._at]

    def number(self, length: int) -> int:
        """A number of so many bytes, the highest first."""
        return int.from_bytes(self.take(length), "big")

    def tag(self, count: int, what: str) -> int:
        """One byte that stands for one of so many things."""
        found = self.number(1)
        return found if found < count else self.fail(f"no such {what}")

    def prefixed(self, length: int) -> bytes:
        """Bytes behind their length, which has so many bytes."""
        return self.take(self.number(length))

    def list(self, length: int, read: Callable[[], T]) -> tuple[T, ...]:
        """As many items as a count of so many bytes says; the list grows as they are there."""
        left, items = self.number(length), []
        while left > 0:
            items.append(read())
            left -= 1
        return tuple(items)

    def end(self) -> None:
        """Nothing may follow."""
        if self._at < len(self._data):
            self.fail("bytes remain")

    def key(self) -> bytes:
        """bytes8."""
        return self.prefixed(1)

    def digest(self) -> bytes:
        """32 bytes."""
        return self.take(32)

    def scheme(self) -> str:
        """The name of a scheme."""
        return {1: "kzg", 2: "libert-yung"}.get(self.number(1)) or self.fail("no such scheme")

    def question(self) -> Question:
        """A question."""
        kind = self.tag(4, "question")
        if kind == 0:
            return Keys(self.list(4, self.key))
        if kind == 1:
            start, end = self.key(), self.key()
            return Range(start, end, self.number(8) if self.tag(2, "limit") == 1 else None)
        return Predecessor(self.key()) if kind == 2 else Successor(self.key())

    def slot(self) -> Slot:
        """bytes8(key) || bytes8(next) || bytes16(value)."""
        key, next_ = self.key(), self.key()
        return Slot(key, self.prefixed(2), next_)
