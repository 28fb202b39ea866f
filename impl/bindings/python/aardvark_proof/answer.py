"""What a proof that holds says, at its version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class Entry:
    """A key that is there, and its value."""

    key: bytes
    value: bytes


@dataclass(frozen=True)
class KeyAnswer:
    """A key that was asked for, and its value; None where the key is absent."""

    key: bytes
    value: bytes | None


@dataclass(frozen=True)
class KeysAnswer:
    """To a list of keys: each with its value, or absent."""

    version: int
    keys: tuple[KeyAnswer, ...]


@dataclass(frozen=True)
class RangeAnswer:
    """To a range: its entries in order, and the key to go on with where the limit ended them."""

    version: int
    entries: tuple[Entry, ...]
    next: bytes | None


@dataclass(frozen=True)
class PredecessorAnswer:
    """The greatest live key below the asked one; None where there is none."""

    version: int
    entry: Entry | None


@dataclass(frozen=True)
class SuccessorAnswer:
    """The least live key above the asked one; None where there is none."""

    version: int
    key: bytes | None


Answer = Union[KeysAnswer, RangeAnswer, PredecessorAnswer, SuccessorAnswer]
"""An answer."""
