"""What a verifier believes: the commitments of a version, a state root, a signed note."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from ._bytes import U32, as_digest, from_hex
from ._json import Field, JsonReader, format_field, read_json
from ._kzg import is_point
from .errors import Unreadable
from .note import Note
from .proof import U64_FIELD, digest, scheme

LARGEST = 2**30
"""Most bytes of the text of commitments."""


def is_vector_size(size: int) -> bool:
    """Whether a vector can have so many slots: a power of two from 1 to 4096."""
    return 1 <= size <= 4096 and 4096 % size == 0


@dataclass(frozen=True)
class Commitments:
    """The commitments of one version; each stays text until it is used."""

    dictionary: bytes
    vector_size: int
    version: int
    slots: int
    commitments: tuple[str, ...] = field(repr=False)

    @staticmethod
    def from_json(text: str | bytes) -> Commitments:
        """Reads commitments, as ``aardvark commitments`` writes them.

        Raises:
            Unreadable: where the text is none.
        """
        return read_json(text, LARGEST, "commitments", _commitments)

    def commitment_of(self, vector: int) -> bytes | None:
        """The commitment of a vector, None where there is none; empty where it is malformed."""
        if vector >= len(self.commitments):
            return None
        try:
            found = from_hex(self.commitments[vector], "a commitment", 48)
        except Unreadable:
            return b""
        return found if is_point(found) else b""


def _commitments(json: JsonReader) -> Commitments:
    read = json.object(
        {
            "format": format_field(1),
            "dictionary": Field(digest),
            "scheme": Field(scheme),
            "vector_size": Field(lambda json: json.integer(U32)),
            "version": U64_FIELD,
            "slots": U64_FIELD,
            "commitments": Field(lambda json: json.list(JsonReader.string)),
        }
    )
    size, slots, commitments = read["vector_size"], read["slots"], read["commitments"]
    if read["scheme"] != "kzg":
        json.fail(f"of scheme {read['scheme']}, where KZG is verified here")
    if not is_vector_size(size):
        json.fail("the vector size is not a power of two from 1 to 4096")
    if slots == 0 or len(commitments) != -(-slots // size):
        json.fail(f"{len(commitments)} commitments are not those of {slots} slots")
    return Commitments(read["dictionary"], size, read["version"], slots, commitments)


@dataclass(frozen=True)
class Root:
    """A state root, of a dictionary with a number of slots in a vector.

    Without both the proof must bring along what the dictionary's id is over. Digests are 32 bytes,
    or their hexadecimal after ``0x``.

    Raises:
        ValueError: where one is none.
    """

    root: bytes | str
    dictionary: bytes | str | None = None
    vector_size: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", as_digest(self.root, "the root"))
        if (self.dictionary is None) != (self.vector_size is None):
            raise ValueError("dictionary and vector size are known both, or neither")
        if self.dictionary is not None:
            object.__setattr__(self, "dictionary", as_digest(self.dictionary, "the dictionary"))
        if self.vector_size is not None and not is_vector_size(self.vector_size):
            raise ValueError("the vector size is not a power of two from 1 to 4096")


Trusted = Union[Commitments, Root, Note]
"""What a verifier believes. All else comes from whoever answers."""
