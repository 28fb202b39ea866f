"""Proofs of answers, format 2, as JSON (docs/format.md, "Proofs of answers")."""

from __future__ import annotations

from dataclasses import dataclass

from ._binary import FOLDED, PLAIN, ByteReader
from ._bytes import U32
from ._json import Field, JsonReader, format_field, read_json
from .errors import Unreadable
from .question import MOST_KEY_BYTES, MOST_VALUE_BYTES, Keys, Predecessor, Question, Range, Successor
from .slot import Slot

LARGEST = 64 * 2**20
"""Most bytes of a proof's text."""

PARAMETERS_BYTES = 41


@dataclass(frozen=True)
class Claim:
    """That a slot stands at a position; with an opening, unless all are folded into one."""

    position: int
    slot: Slot
    opening: bytes | None


@dataclass(frozen=True)
class TiedVector:
    """The commitment of a vector, and its path to the root over the commitments."""

    number: int
    commitment: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True)
class Identity:
    """What a dictionary's id is over."""

    name: bytes
    salt: bytes
    parameters: bytes
    setup_digest: bytes
    content_digest: bytes
    binding: bytes


@dataclass(frozen=True)
class Tie:
    """What ties claims to a state root."""

    size: int
    tail_start: int
    commitment_root: bytes
    tail_digest: bytes
    replay_digest: bytes
    window_digest: bytes
    vectors: tuple[TiedVector, ...]
    identity: Identity | None


@dataclass(frozen=True)
class Proof:
    """A proof, as it says of itself: nothing of it is checked but its form."""

    dictionary: bytes
    scheme: str
    vector_size: int
    version: int
    question: Question
    claims: tuple[Claim, ...]
    folded: bytes | None
    tie: Tie | None

    @staticmethod
    def from_json(text: str | bytes) -> Proof:
        """Reads a proof of format 2.

        Raises:
            Unreadable: where the text is none.
        """
        return read_json(text, LARGEST, "the proof", _proof)

    @staticmethod
    def from_bytes(data: bytes) -> Proof:
        """Reads a proof in the binary form.

        Raises:
            Unreadable: where the bytes are none.
        """
        if len(data) > LARGEST:
            raise Unreadable(f"the proof: more than {LARGEST} bytes")
        reader = ByteReader(bytes(data))
        read = _proof_of_bytes(reader)
        reader.end()
        return read

    @staticmethod
    def read(proof: str | bytes) -> Proof:
        """Reads a proof: JSON, or the binary form, which begins with another byte.

        Raises:
            Unreadable: where it is none.
        """
        if isinstance(proof, bytes) and proof[:1] in (bytes([PLAIN]), bytes([FOLDED])):
            return Proof.from_bytes(proof)
        return Proof.from_json(proof)


def bytes_field(what: str, length: int) -> Field:
    """A field of so many bytes."""
    return Field(lambda json: json.bytes(what, length))


U64_FIELD = Field(lambda json: json.integer())
U32_FIELD = Field(lambda json: json.integer(U32))


def digest(json: JsonReader) -> bytes:
    """32 bytes."""
    return json.bytes("a digest", 32)


def key(json: JsonReader) -> bytes:
    """A key of a legal length, or an empty one."""
    return json.hex("a key", MOST_KEY_BYTES)


def scheme(json: JsonReader) -> str:
    """The name of a scheme."""
    found = json.string()
    return found if found in ("kzg", "libert-yung") else json.fail("a scheme that nobody knows")


def digests(names: str) -> dict[str, Field]:
    """Fields that are digests."""
    return {name: Field(digest) for name in names.split()}


ROOT_FIELDS = {
    "size": U64_FIELD,
    "tail_start": U64_FIELD,
    **digests("commitment_root tail_digest replay_digest window_digest"),
}

_SLOT = {
    "key": Field(key),
    "value": Field(lambda json: json.hex("a value", MOST_VALUE_BYTES)),
    "next": Field(key),
}


def claim(json: JsonReader, *, may_be_folded: bool = False) -> Claim:
    """A claim."""
    read = json.object(
        {
            "position": U64_FIELD,
            "slot": Field(lambda json: Slot(**json.object(_SLOT))),
            "opening": Field(lambda json: json.bytes("an opening", 48), optional=may_be_folded),
        }
    )
    return Claim(**read)


def _vector(json: JsonReader) -> TiedVector:
    read = json.object(
        {
            "number": U64_FIELD,
            "commitment": bytes_field("a commitment", 48),
            "path": Field(lambda json: json.list(digest)),
        }
    )
    return TiedVector(**read)


def _identity(json: JsonReader) -> Identity:
    read = json.object(
        {
            "name": Field(lambda json: json.hex("a name", U32)),
            "parameters": bytes_field("parameters", PARAMETERS_BYTES),
            "binding": Field(lambda json: json.hex("a binding", U32)),
            **digests("salt setup_digest content_digest"),
        }
    )
    return Identity(**read)


def _tie(json: JsonReader) -> Tie:
    vectors = Field(lambda json: json.list(_vector))
    identity = Field(_identity, optional=True)
    return Tie(**json.object({**ROOT_FIELDS, "vectors": vectors, "identity": identity}))


def _range(json: JsonReader) -> Range:
    limit = Field(lambda json: json.integer(), optional=True)
    read = json.object({"from": Field(key), "to": Field(key), "limit": limit})
    return Range(read["from"], read["to"], read["limit"])


_QUESTION = {
    "keys": Field(lambda json: Keys(json.list(key)), optional=True),
    "range": Field(_range, optional=True),
    "predecessor": Field(lambda json: Predecessor(key(json)), optional=True),
    "successor": Field(lambda json: Successor(key(json)), optional=True),
}


def _question(json: JsonReader) -> Question:
    found = [read for read in json.object(_QUESTION).values() if read is not None]
    if len(found) != 1 or not isinstance(found[0], Question):
        json.fail("a question is one of keys, range, predecessor and successor")
    return found[0]


def _proof(json: JsonReader) -> Proof:
    read = json.object(
        {
            "format": format_field(2),
            "dictionary": Field(digest),
            "scheme": Field(scheme),
            "vector_size": U32_FIELD,
            "version": U64_FIELD,
            "question": Field(_question),
            "claims": Field(lambda json: json.list(lambda json: claim(json, may_be_folded=True))),
            "folded_opening": Field(lambda json: json.bytes("a folded opening", 96), optional=True),
            "root": Field(_tie, optional=True),
        }
    )
    folded: bytes | None = read["folded_opening"]
    if any((one.opening is None) != (folded is not None) for one in read["claims"]):
        json.fail("each claim has an opening, or one folded opening stands for all")
    return Proof(
        read["dictionary"],
        read["scheme"],
        read["vector_size"],
        read["version"],
        read["question"],
        read["claims"],
        folded,
        read["root"],
    )


def _claim_of_bytes(reader: ByteReader, folded: bool) -> Claim:
    position, slot = reader.number(8), reader.slot()
    return Claim(position, slot, None if folded else reader.take(48))


def _vector_of_bytes(reader: ByteReader) -> TiedVector:
    return TiedVector(reader.number(8), reader.take(48), reader.list(1, reader.digest))


def _identity_of_bytes(reader: ByteReader) -> Identity:
    name, salt, parameters = reader.prefixed(1), reader.digest(), reader.take(PARAMETERS_BYTES)
    return Identity(name, salt, parameters, reader.digest(), reader.digest(), reader.prefixed(4))


def _tie_of_bytes(reader: ByteReader) -> Tie | None:
    kind = reader.tag(3, "tie")
    if kind == 0:
        return None
    size, tail_start = reader.number(8), reader.number(8)
    tree, tail, replay, window = (reader.digest() for _ in range(4))
    vectors = reader.list(4, lambda: _vector_of_bytes(reader))
    identity = _identity_of_bytes(reader) if kind == 2 else None
    return Tie(size, tail_start, tree, tail, replay, window, vectors, identity)


def _proof_of_bytes(reader: ByteReader) -> Proof:
    form = reader.number(1)
    if form not in (PLAIN, FOLDED):
        reader.fail("no such format")
    dictionary, scheme = reader.digest(), reader.scheme()
    vector_size, version = reader.number(4), reader.number(8)
    question = reader.question()
    folded = reader.take(96) if form == FOLDED else None
    claims = reader.list(4, lambda: _claim_of_bytes(reader, form == FOLDED))
    tie = _tie_of_bytes(reader)
    return Proof(dictionary, scheme, vector_size, version, question, claims, folded, tie)
