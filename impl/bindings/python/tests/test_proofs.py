"""Proofs with their verdicts: what every verifier in another language is tested on."""

from __future__ import annotations

import unittest

from common import question_of, trusted_of, vectors, verdict


class Proofs(unittest.TestCase):
    def test_every_proof_has_the_verdict_of_a_strict_verifier(self) -> None:
        file = vectors("proofs")
        self.assertGreaterEqual(len(file["tests"]), 100)
        trusted = {name: trusted_of(known) for name, known in file["trusted"].items()}
        for test in file["tests"]:
            if test["proof"] is None:
                continue
            found = verdict(trusted[test["trusted"]], question_of(test["question"]), test["proof"])
            self.assertEqual(found, test.get("strict", test["expected"]), f"{test['id']}: {test['comment']}")


if __name__ == "__main__":
    unittest.main()
