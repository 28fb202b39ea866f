"""What is asked of a dictionary at one version, and which questions can be asked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from ._bytes import as_bytes

MOST_KEY_BYTES = 255
MOST_VALUE_BYTES = 1024


def _askable(key: bytes) -> bool:
    return 1 <= len(key) <= MOST_KEY_BYTES


class Question:
    """A question. Its static methods make questions; a key is bytes, or text in UTF-8."""

    __slots__ = ()

    @staticmethod
    def key(key: bytes | str) -> Keys:
        """What is the value of one key?"""
        return Keys((as_bytes(key),))

    @staticmethod
    def keys(keys: Iterable[bytes | str]) -> Keys:
        """What are the values of these keys? They are put in order, each is asked for once."""
        return Keys(tuple(sorted({as_bytes(key) for key in keys})))

    @staticmethod
    def range(start: bytes | str, end: bytes | str, limit: int | None = None) -> Range:
        """What are the entries with ``start <= key < end``?

        An empty end is no end; ``limit`` is the most that is wanted of them.
        """
        return Range(as_bytes(start), as_bytes(end), limit)

    @staticmethod
    def predecessor(key: bytes | str) -> Predecessor:
        """Which is the greatest key below this one, and its value?"""
        return Predecessor(as_bytes(key))

    @staticmethod
    def successor(key: bytes | str) -> Successor:
        """Which is the least key above this one?"""
        return Successor(as_bytes(key))

    def is_legal(self) -> bool:
        """Whether it can be asked."""
        raise NotImplementedError


@dataclass(frozen=True)
class Keys(Question):
    """The values of keys, which must strictly ascend."""

    asked: tuple[bytes, ...]

    def is_legal(self) -> bool:
        """Whether it can be asked."""
        ascends = all(earlier < later for earlier, later in zip(self.asked, self.asked[1:]))
        return len(self.asked) > 0 and all(map(_askable, self.asked)) and ascends

    def asked_from(self, key: bytes) -> bytes | None:
        """The least asked key that is at least this one."""
        place = bisect_left(self.asked, key)
        return self.asked[place] if place < len(self.asked) else None


@dataclass(frozen=True)
class Range(Question):
    """The entries from one key up to, and not including, another."""

    start: bytes
    end: bytes
    limit: int | None = None

    def _below_end(self, key: bytes) -> bool:
        return not self.end or key < self.end

    def is_legal(self) -> bool:
        """Whether it can be asked."""
        ends = len(self.start) <= MOST_KEY_BYTES and len(self.end) <= MOST_KEY_BYTES
        return ends and self._below_end(self.start) and (self.limit is None or self.limit > 0)

    def asked_from(self, key: bytes) -> bytes | None:
        """The least key of the range that is at least this one."""
        least = max(key, self.start)
        return least if self._below_end(least) else None


@dataclass(frozen=True)
class Predecessor(Question):
    """The greatest live key below this one, and its value."""

    key_above: bytes

    def is_legal(self) -> bool:
        """Whether it can be asked."""
        return _askable(self.key_above)


@dataclass(frozen=True)
class Successor(Question):
    """The least live key above this one."""

    key_below: bytes

    def is_legal(self) -> bool:
        """Whether it can be asked."""
        return _askable(self.key_below)
