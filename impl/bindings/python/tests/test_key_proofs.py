"""Proofs of format 1 that an archive gave, and lies."""

from __future__ import annotations

import copy
import json
import unittest
from typing import Any

from common import file

from aardvark_proof import KeyStatement, Reason, Refusal, Root, Unreadable, from_hex, to_hex, verify_key


class KeyProofs(unittest.TestCase):
    def setUp(self) -> None:
        self.scenes = json.loads(file("impl/bindings/key_proofs.json"))
        self.scene = self.scenes[0]
        self.trusted = self.trust(self.scene)

    @staticmethod
    def trust(scene: dict[str, Any]) -> Root:
        return Root(scene["root"], scene["dictionary"], scene["vector_size"])

    def case(self, name: str) -> dict[str, Any]:
        key = to_hex(name.encode())
        found = next(case for case in self.scene["cases"] if case["key"] == key)
        return dict(copy.deepcopy(found["proof"]))

    def verify(self, name: str, proof: dict[str, Any]) -> KeyStatement:
        return verify_key(self.trusted, name, json.dumps(proof))

    def test_every_proof_of_an_archive_gives_its_answer(self) -> None:
        for scene in self.scenes:
            for case in scene["cases"]:
                found = verify_key(self.trust(scene), from_hex(case["key"]), json.dumps(case["proof"]))
                answer = None if case["answer"] is None else from_hex(case["answer"])
                self.assertEqual(found, KeyStatement(2, answer, False), case["key"])

    def test_a_second_claim_shows_the_predecessor_of_a_present_key(self) -> None:
        def with_second(name: str, second: str) -> dict[str, Any]:
            proof, other = self.case(name), self.case(second)
            proof["claims"] += other["claims"]
            proof["root"]["claims"] += other["root"]["claims"]
            return proof

        self.assertTrue(self.verify("k8", with_second("k8", "k7")).shows_predecessor)
        self.assertTrue(self.verify("k0", with_second("k0", "balance")).shows_predecessor)
        for name, second in (("k8", "k8"), ("k8", "balance"), ("k3", "k3"), ("k3", "k7")):
            with self.assertRaises(Refusal) as raised:
                self.verify(name, with_second(name, second))
            self.assertEqual((raised.exception.reason, raised.exception.item), (Reason.NOT_PREDECESSOR, 1))

    def test_lies_are_refused(self) -> None:
        def refused(proof: dict[str, Any]) -> Reason:
            with self.assertRaises(Refusal) as raised:
                self.verify("k7", proof)
            return raised.exception.reason

        proof = self.case("k7")
        proof["claims"][0]["slot"]["value"] = "0x01"
        self.assertIs(refused(proof), Reason.ANSWER_OPENING_FALSE)
        proof = self.case("k7")
        proof["root"]["version"] += 1
        self.assertIs(refused(proof), Reason.ROOT_FALSE)
        proof = self.case("k7")
        proof["root"]["size"] += 1
        self.assertIs(refused(proof), Reason.ROOT_FALSE)
        proof = self.case("k7")
        proof["root"]["claims"][0]["path"].pop()
        self.assertIs(refused(proof), Reason.PATH_FALSE)
        proof = self.case("k7")
        proof["claims"] *= 2
        self.assertIs(refused(proof), Reason.PATH_COUNT)
        proof = self.case("k7")
        del proof["root"]
        self.assertIs(refused(proof), Reason.TIE_MISMATCHED)
        self.assertIs(refused(self.case("k0")), Reason.OTHER_QUESTION)
        self.assertIs(refused({**self.case("k0"), "key": to_hex(b"k7")}), Reason.CHAIN_NOT_COVERING)
        for field, named in (("root", "the proof, root: "), ("claims", "the proof, claims: ")):
            with self.assertRaisesRegex(Unreadable, named):
                self.verify("k7", {**self.case("k7"), field: None})
        for count in (0, 3):
            proof = self.case("k7")
            proof["claims"] *= count
            with self.assertRaises(Unreadable):
                self.verify("k7", proof)


if __name__ == "__main__":
    unittest.main()
