"""Folded openings. Who has the plain openings of claims can fold them, and the test does."""

from __future__ import annotations

import sys
import unittest
from collections.abc import Callable
from dataclasses import replace
from unittest import mock

from common import answer_json, question_of, trusted_of, vectors, verdict
from py_arkworks_bls12381 import G1Point, Scalar

from aardvark_proof import Commitments, Proof, Unsupported, verify
from aardvark_proof._bytes import tagged_hash
from aardvark_proof._kzg import domain_point
from aardvark_proof.slot import SCALAR_ORDER, hash_to_scalar


def fold(proof: Proof, commitment_of: Callable[[int], bytes]) -> Proof:
    """A proof whose plain openings are folded."""
    n = proof.vector_size
    at = [domain_point(n, claim.position % n) for claim in proof.claims]
    about = proof.dictionary + proof.version.to_bytes(8, "big") + n.to_bytes(4, "big")
    bound = tagged_hash(b"AARDVARK-V1-FOLD-ANSWER", [about]) + len(at).to_bytes(8, "big")
    for claim, point in zip(proof.claims, at):
        numbers = point.to_bytes(32, "big") + claim.slot.scalar().to_bytes(32, "big")
        bound += commitment_of(claim.position // n) + numbers
    seed = tagged_hash(b"AARDVARK-V1-FOLD-CLAIMS", [bound])

    def challenge(seed: bytes, i: int) -> int:
        return hash_to_scalar(seed + i.to_bytes(8, "big"), b"AARDVARK-V1-CHALLENGE")

    def total(factors: list[int]) -> bytes:
        points = [G1Point.from_compressed_bytes(claim.opening or b"") for claim in proof.claims]
        scalars = [Scalar.from_be_bytes(factor.to_bytes(32, "big")) for factor in factors]
        return bytes(G1Point.multiexp_unchecked(points, scalars).to_compressed_bytes())

    gammas = [challenge(seed, i) for i in range(len(at))]
    quotient = total(gammas)
    z = challenge(tagged_hash(b"AARDVARK-V1-FOLD", [seed, quotient]), 0)
    inverses = [pow(z - point, -1, SCALAR_ORDER) for point in at]
    witness = total([gamma * inverse % SCALAR_ORDER for gamma, inverse in zip(gammas, inverses)])
    claims = tuple(replace(claim, opening=None) for claim in proof.claims)
    return replace(proof, claims=claims, folded=quotient + witness)


class Folded(unittest.TestCase):
    def setUp(self) -> None:
        file = vectors("proofs")
        self.trusted = file["trusted"]
        self.tests = [
            (test, Proof.from_json(test["proof"]))
            for test in file["tests"]
            if "answer" in test["expected"] and test["proof"] and "folded_opening" not in test["proof"]
        ]

    def test_a_fold_of_honest_openings_gives_the_same_answer(self) -> None:
        chosen = [(test, proof) for test, proof in self.tests if len(proof.claims) > 1][:12]
        self.assertGreaterEqual(len(chosen), 8)
        for test, proof in chosen:
            trusted = trusted_of(self.trusted[test["trusted"]])
            tied = {vector.number: vector.commitment for vector in proof.tie.vectors} if proof.tie else {}

            def commitment_of(vector: int) -> bytes:
                found = trusted.commitment_of(vector) if isinstance(trusted, Commitments) else tied[vector]
                return found or b""

            answer = verify(trusted, question_of(test["question"]), fold(proof, commitment_of))
            self.assertEqual(answer_json(answer), test["expected"]["answer"], test["comment"])

    def test_what_is_changed_behind_a_fold_is_refused_as_a_whole(self) -> None:
        test, proof = next(
            (test, proof)
            for test, proof in self.tests
            if test["trusted"] == "small/1/commitments" and len(proof.claims) > 2
        )
        trusted = trusted_of(self.trusted[test["trusted"]])
        assert isinstance(trusted, Commitments)
        honest = fold(proof, lambda vector: trusted.commitment_of(vector) or b"")
        assert honest.folded is not None
        question = question_of(test["question"])
        first, *others = honest.claims
        forged = replace(first, slot=replace(first.slot, value=b"x"))
        infinity = bytes([0xC0]) + bytes(47)
        is_false = {"class": "false", "item": None, "reason": "AnswerOpeningFalse"}
        for changed in (
            replace(honest, claims=(forged, *others)),
            replace(honest, folded=honest.folded[48:] + honest.folded[:48]),
            replace(honest, folded=infinity + infinity),
        ):
            self.assertEqual(verdict(trusted, question, changed), {"refused": is_false})
        malformed = {"class": "malformed", "item": None, "reason": "AnswerOpeningMalformed"}
        for broken in (bytes(48) + honest.folded[48:], honest.folded[:48] + bytes(48)):
            found = verdict(trusted, question, replace(honest, folded=broken))
            self.assertEqual(found, {"refused": malformed})
        with mock.patch.dict(sys.modules, {"py_arkworks_bls12381": None}):
            with self.assertRaises(Unsupported):
                verify(trusted, question, honest)


if __name__ == "__main__":
    unittest.main()
