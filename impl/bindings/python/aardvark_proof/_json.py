"""A reader of JSON texts whose form is known beforehand.

It refuses what ``json.loads`` takes: unknown, repeated and missing fields, numbers that are not whole
or do not fit. Nothing is built but what the form has, so depth does not matter in a hostile text, and
memory follows the text's length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from ._bytes import U64, from_hex
from .errors import Unreadable

T = TypeVar("T")

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*"')
_NUMBER = re.compile(r"0(?![0-9])|[1-9][0-9]{0,19}(?![0-9])")


class Field:
    """How a field of an object is read, and whether it may be missing. None may be null."""

    def __init__(self, read: Callable[[JsonReader], Any], *, optional: bool = False) -> None:
        self.read = read
        self.optional = optional


class JsonReader:
    """Reads a text from its begin to its end."""

    def __init__(self, text: str | bytes, most: int, what: str) -> None:
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"{what}: JSON as text, or its bytes")
        if len(text) > most:
            raise Unreadable(f"{what}: more than {most} bytes")
        try:
            self._text = text if isinstance(text, str) else text.decode()
        except UnicodeDecodeError:
            raise Unreadable(f"{what}: not UTF-8") from None
        self._what = what
        self._fields: list[str] = []
        self._at = 0

    def fail(self, why: str) -> NoReturn:
        """Refuses the text."""
        raise Unreadable(f"{self._place()}: {why} (at {self._at})")

    def _place(self) -> str:
        """What is read, and the field in it."""
        return ", ".join([self._what, *self._fields])

    def _take(self, token: str) -> bool:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        found = self._text.startswith(token, self._at)
        self._at += len(token) if found else 0
        return found

    def _expect(self, token: str) -> None:
        if not self._take(token):
            self.fail(f"{token} is missing")

    def string(self) -> str:
        """Text."""
        self._expect('"')
        plain = _PLAIN.match(self._text, self._at)
        if plain:
            self._at = plain.end()
            return plain.group()[:-1]
        start, end = self._at - 1, self._at
        while True:
            end = self._text.find('"', end) + 1
            if end == 0:
                self.fail("text without an end")
            slashes = end - 1
            while slashes > start + 1 and self._text[slashes - 1] == "\\":
                slashes -= 1
            if (end - 1 - slashes) % 2 == 0:
                break
        try:
            text = json.loads(self._text[start:end])
        except ValueError:
            self.fail("text with an escape that is none")
        self._at = end
        return str(text)

    def integer(self, most: int = U64) -> int:
        """A whole number from 0 to ``most``."""
        self._take("")
        number = _NUMBER.match(self._text, self._at)
        if number is None or int(number.group()) > most:
            self.fail(f"not a whole number up to {most}")
        self._at = number.end()
        return int(number.group())

    def hex(self, what: str, most: int) -> bytes:
        """Bytes in hexadecimal, at most so many of them."""
        text = self.string()
        if len(text) > 2 + 2 * most:
            self.fail(f"{what}: more than {most} bytes")
        return from_hex(text, f"{self._place()}: {what}")

    def bytes(self, what: str, length: int) -> bytes:
        """Exactly so many bytes in hexadecimal."""
        return from_hex(self.string(), f"{self._place()}: {what}", length)

    def list(self, read: Callable[[JsonReader], T]) -> tuple[T, ...]:
        """A list, each item of which ``read`` reads."""
        self._expect("[")
        if self._take("]"):
            return ()
        items = [read(self)]
        while self._take(","):
            items.append(read(self))
        self._expect("]")
        return tuple(items)

    def object(self, fields: Mapping[str, Field]) -> dict[str, Any]:
        """An object that has exactly these fields; those that may be missing are None then."""
        found: dict[str, Any] = {}
        self._expect("{")
        if not self._take("}"):
            self._field(fields, found)
            while self._take(","):
                self._field(fields, found)
            self._expect("}")
        for name, field in fields.items():
            if name not in found:
                if not field.optional:
                    self.fail(f"missing field {name}")
                found[name] = None
        return found

    def _field(self, fields: Mapping[str, Field], found: dict[str, Any]) -> None:
        name = self.string()
        field = fields.get(name)
        if field is None:
            self.fail(f"unknown field {name[:40]!r}")
        if name in found:
            self.fail(f"duplicate field {name}")
        self._expect(":")
        self._fields.append(name)
        found[name] = field.read(self)
        self._fields.pop()

    def end(self) -> None:
        """Nothing but white space may follow."""
        self._take("")
        if self._at < len(self._text):
            self.fail("something follows the end")


def read_json(text: str | bytes, most: int, what: str, read: Callable[[JsonReader], T]) -> T:
    """What a text of a known form says."""
    reader = JsonReader(text, most, what)
    value = read(reader)
    reader.end()
    return value


def format_field(wanted: int) -> Field:
    """The field ``format``, which must be this number."""

    def read(reader: JsonReader) -> int:
        found = reader.integer()
        return found if found == wanted else reader.fail(f"format {found}, where {wanted} is read")

    return Field(read)
