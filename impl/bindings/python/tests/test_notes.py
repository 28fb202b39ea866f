"""Signed notes with their verdicts: what every reader of notes is tested on."""

from __future__ import annotations

import unittest
from typing import Any

from common import vectors

from aardvark_proof import Class, Note, Unreadable, Unsigned, from_hex, to_hex


def verdict(note: str | bytes, keys: list[str]) -> dict[str, Any]:
    """What comes of a note, as the vectors write it. Another error is a test's failure."""
    try:
        opened = Note.open(note, keys)
    except Unsigned as error:
        reason = "SignatureFalse" if error.class_ is Class.FALSE else "NotSigned"
        return {"refused": {"class": error.class_.value, "reason": reason}}
    except Unreadable as error:
        return {"refused": {"class": error.class_.value, "reason": "Unreadable"}}
    others = sorted({signature.name for signature in opened.signatures if not signature.known})
    said = {"origin": opened.origin, "version": opened.version, "root": to_hex(opened.root)}
    return {"signed": {**said, "others": others}}


class Notes(unittest.TestCase):
    def test_every_note_has_its_verdict(self) -> None:
        tests = vectors("notes")["tests"]
        self.assertGreaterEqual(len(tests), 80)
        for test in tests:
            what = f"{test['id']}: {test['comment']}"
            note = from_hex(test["bytes"]) if test["note"] is None else test["note"]
            self.assertEqual(verdict(note, test["keys"]), test["expected"], what)
            if isinstance(note, str):
                self.assertEqual(verdict(note.encode(), test["keys"]), test["expected"], what)


if __name__ == "__main__":
    unittest.main()
