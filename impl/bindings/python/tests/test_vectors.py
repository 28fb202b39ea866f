"""The vectors that every implementation is tested with."""

from __future__ import annotations

import unittest

from common import REPOSITORY, vectors

from aardvark_proof import Slot, from_hex, to_hex
from aardvark_proof._kzg import TAU_G2, domain_point, opens
from aardvark_proof.slot import SCALAR_ORDER

CEREMONY = "impl/commitment/data/ethereum_kzg_ceremony.bin"


class Vectors(unittest.TestCase):
    def test_slots_are_encoded_and_hashed_as_everywhere(self) -> None:
        tests = vectors("slots")["tests"]
        self.assertGreaterEqual(len(tests), 10)
        for test in tests:
            slot = Slot(*(from_hex(test[name]) for name in ("key", "value", "next")))
            self.assertEqual(to_hex(slot.encode()), test["encoding"], test["comment"])
            self.assertEqual(slot.scalar(), int(test["scalar"], 16), test["comment"])

    def test_openings_have_the_outcome_of_a_strict_verifier(self) -> None:
        tests = vectors("openings_kzg_ceremony")["tests"]
        self.assertGreaterEqual(len(tests), 50)
        for test in tests:
            commitment, opening = (from_hex(test[name]) for name in ("commitment", "opening"))
            scalar = int(test["scalar"], 16)
            holds: bool | None = None
            # Scalars come from hashing and are never read; the file's are.
            if scalar < SCALAR_ORDER:
                holds = opens(commitment, domain_point(test["vector_size"], test["index"]), scalar, opening)
            # An index beyond the vector has a point of the domain, too.
            if holds and test["index"] >= test["vector_size"]:
                holds = False
            outcome = {None: "malformed", False: "false", True: "valid"}[holds]
            self.assertEqual(outcome, test["strict"], f"{test['id']}: {test['comment']}")

    def test_tau_is_that_of_the_ceremony(self) -> None:
        ceremony = (REPOSITORY / CEREMONY).read_bytes()
        second_power = 4096 * 48 + 96
        self.assertEqual(ceremony[second_power : second_power + 96].hex(), TAU_G2)


if __name__ == "__main__":
    unittest.main()
