"""Proofs with their verdicts: what every verifier in another language is tested on."""

from __future__ import annotations

import unittest
from typing import Any

from common import fresh_proofs, question_of, trusted_of, vectors, verdict

from aardvark_proof import Claim, Proof, Range, Slot, Unreadable, from_hex


class Proofs(unittest.TestCase):
    def test_every_proof_has_the_verdict_of_a_strict_verifier(self) -> None:
        self.judge(vectors("proofs"))

    def test_every_fresh_proof_has_the_verdict_of_a_strict_verifier(self) -> None:
        file = fresh_proofs()
        if file is None:
            self.skipTest("cargo xtask bindings makes fresh proofs")
        self.judge(file)

    def judge(self, file: Any) -> None:
        """Gives all proofs of a file to the verifier."""
        self.assertGreaterEqual(len(file["tests"]), 100)
        trusted = {name: trusted_of(known) for name, known in file["trusted"].items()}
        for test in file["tests"]:
            known, question = trusted[test["trusted"]], question_of(test["question"])
            expected = test.get("strict", test["expected"])
            what = f"{file['about']} {test['id']}: {test['comment']}"
            text = test["proof"]
            data = None if test["bytes"] is None else from_hex(test["bytes"])
            if text is not None:
                self.assertEqual(verdict(known, question, text), expected, what)
            # What text and bytes say is the same; so is what comes of it.
            if data is not None and text is not None:
                self.assertEqual(Proof.read(data), Proof.read(text), what)
            elif data is not None:
                self.assertEqual(verdict(known, question, data), expected, what)

    def test_bytes_of_a_folded_proof_and_of_an_identity_are_read_and_no_beginning_of_them(self) -> None:
        root = bytes(8) + (5).to_bytes(8, "big") + b"".join(bytes([i]) * 32 for i in range(4)) + bytes(4)
        digests = b"".join(bytes([i]) * length for i, length in ((5, 32), (6, 41), (7, 32), (8, 32)))
        identity = b"\x04name" + digests + (3).to_bytes(4, "big") + b"abc"
        about = bytes(32) + b"\1" + (4).to_bytes(4, "big") + (7).to_bytes(8, "big")
        question = b"\1\1a\1b\1" + (9).to_bytes(8, "big")
        claims = (1).to_bytes(4, "big") + (6).to_bytes(8, "big") + b"\1a\1b\0\2vv"
        data = b"\3" + about + question + b"w" * 96 + claims + b"\2" + root + identity
        proof = Proof.read(data)
        self.assertEqual((proof.question, proof.folded), (Range(b"a", b"b", 9), b"w" * 96))
        self.assertEqual(proof.claims, (Claim(6, Slot(b"a", b"vv", b"b"), None),))
        assert proof.tie is not None and proof.tie.identity is not None
        self.assertEqual((proof.tie.tail_start, proof.tie.window_digest), (5, b"\3" * 32))
        self.assertEqual((proof.tie.identity.name, proof.tie.identity.binding), (b"name", b"abc"))
        self.assertEqual((proof.tie.identity.parameters, proof.tie.identity.salt), (b"\6" * 41, b"\5" * 32))
        for end in range(len(data)):
            with self.assertRaises(Unreadable):
                Proof.from_bytes(data[:end])
        with self.assertRaises(Unreadable):
            Proof.read(data + b"x")


if __name__ == "__main__":
    unittest.main()
