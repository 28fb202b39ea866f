"""Signed notes (C2SP signed-note): a state root that somebody signed.

    <origin: the dictionary's name>
    <version, decimal>
    <base64 of the root>

    — <key name> <base64 of u32 key hash || Ed25519 signature>

Keys and notes are those of the Go package golang.org/x/mod/sumdb/note. Whoever opens a note names the
keys that must have signed it; signatures by others are left alone.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._bytes import U64
from .errors import Unreadable, Unsigned

LARGEST = 2**16
"""Most bytes of a note."""
MOST_SIGNATURES = 100

_ED25519 = 1
_VERSION = re.compile(r"0|[1-9][0-9]{0,19}")
# Unicode's white space, which no name of a key may have; nor a plus sign.
_NOT_IN_NAMES = re.compile(
    "[\t-\r +\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)


@dataclass(frozen=True)
class Signature:
    """Who signed: the name of a key, and whether the reader named it; then the signature holds."""

    name: str
    known: bool


@dataclass(frozen=True)
class Note:
    """A note that all of the keys that its reader named have signed.

    As trusted it stands for its root: the proof must then bring along its dictionary's identity,
    whose name must be the note's origin.
    """

    origin: str
    version: int
    root: bytes
    signatures: tuple[Signature, ...]

    @staticmethod
    def open(note: str | bytes, keys: Iterable[str]) -> Note:
        """Opens a note that every one of the keys has signed.

        Keys are texts ``name+hash+base64``, as ``aardvark`` prints them.

        Raises:
            Unreadable: where note or key is none.
            Unsigned: where a key has not signed it, or its signature is false.
        """
        known = [_Key.read(key) for key in keys]
        if not known:
            raise ValueError("keys: none was given")
        text, lines = _parts(note)
        origin, version, root = _statement(text)
        signed = [_Line.read(line) for line in lines]
        for key in known:
            line = next((line for line in signed if key.signs(line)), None)
            if line is None:
                raise Unsigned(key.name, is_false=False)
            try:
                key.public.verify(line.signature, text.encode())
            except InvalidSignature:
                raise Unsigned(key.name, is_false=True) from None
        who = (Signature(line.name, any(key.signs(line) for key in known)) for line in signed)
        return Note(origin, version, root, tuple(who))


def _base64(text: str) -> bytes | None:
    """Bytes of base64 with its padding, the only text that stands for them."""
    try:
        found = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return found if b64encode(found).decode() == text else None


def _is_name(name: str) -> bool:
    return name != "" and not _NOT_IN_NAMES.search(name)


@dataclass(frozen=True)
class _Line:
    name: str
    hash: bytes
    signature: bytes

    @staticmethod
    def read(line: str) -> _Line:
        dash, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        found = _base64(encoded)
        if dash != "\u2014" or not _is_name(name) or found is None or len(found) < 5:
            raise Unreadable("the note: a malformed signature line")
        return _Line(name, found[:4], found[4:])


@dataclass(frozen=True)
class _Key:
    name: str
    hash: bytes
    public: Ed25519PublicKey

    @staticmethod
    def read(text: str) -> _Key:
        name, _, rest = text.strip().partition("+")
        claimed, _, encoded = rest.partition("+")
        typed = _base64(encoded)
        if not _is_name(name) or typed is None or len(typed) != 33 or typed[0] != _ED25519:
            raise Unreadable("the key: not name+hash+base64 of an Ed25519 key")
        found = sha256(name.encode() + b"\n" + typed).digest()[:4]
        if found.hex() != claimed:
            raise Unreadable("the key: its hash is that of another")
        try:
            return _Key(name, found, Ed25519PublicKey.from_public_bytes(typed[1:]))
        except ValueError:
            raise Unreadable("the key: no point of the curve") from None

    def signs(self, line: _Line) -> bool:
        return line.name == self.name and line.hash == self.hash


def _parts(note: str | bytes) -> tuple[str, list[str]]:
    """The text that is signed, and the lines of signatures."""
    try:
        data = note.encode() if isinstance(note, str) else bytes(note)
        whole = data.decode()
    except (UnicodeDecodeError, UnicodeEncodeError):
        raise Unreadable("the note: not UTF-8") from None
    if len(data) > LARGEST or re.search("[\x00-\x09\x0b-\x1f]", whole):
        raise Unreadable(f"the note: control characters, or more than {LARGEST} bytes")
    text, gap, tail = whole.rpartition("\n\n")
    if not gap or not tail.endswith("\n"):
        raise Unreadable("the note: no signatures behind an empty line")
    lines = tail[:-1].split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise Unreadable(f"the note: more than {MOST_SIGNATURES} signatures")
    return text + "\n", lines


def _statement(text: str) -> tuple[str, int, bytes]:
    """What the text of a note says of a root."""
    origin, *lines = text.split("\n")
    if origin.strip() == "" or re.search("[\x7f-\x9f]", origin) or len(lines) != 3 or lines[2] != "":
        raise Unreadable("the note: not the three lines of a root")
    root = _base64(lines[1])
    if not _VERSION.fullmatch(lines[0]) or int(lines[0]) > U64 or root is None or len(root) != 32:
        raise Unreadable("the note: not the version and root of a dictionary")
    return origin, int(lines[0]), root
