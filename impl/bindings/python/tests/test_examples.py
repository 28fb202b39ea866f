"""The examples of the crate aardvark-proof, and the program of the README."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unittest
from importlib import metadata

from common import REPOSITORY, answer_json, example, file, verdict

from aardvark_proof import Commitments, Question, Refusal, Root, verify


class Package(unittest.TestCase):
    def test_the_wheel_that_is_installed_is_typed_and_says_its_licence(self) -> None:
        wheel = metadata.distribution("aardvark-proof")
        self.assertEqual(wheel.metadata["License-Expression"], "MIT OR Apache-2.0")
        names = {str(path) for path in wheel.files or ()}
        sources = REPOSITORY / "impl/bindings/python/aardvark_proof"
        modules = {f"aardvark_proof/{path.name}" for path in sources.glob("*.py")}
        self.assertLessEqual({"aardvark_proof/py.typed", *modules}, names)


class Examples(unittest.TestCase):
    def setUp(self) -> None:
        self.trusted = Commitments.from_json(example("commitments"))

    def test_a_key_and_a_range_are_answered(self) -> None:
        one = verify(self.trusted, Question.key("curl"), example("proof"))
        self.assertEqual((one.version, one.keys[0].value), (7, b"curl 1.0"))
        some = verify(self.trusted, Question.range("c", "n"), example("range"))
        self.assertEqual([entry.key for entry in some.entries], [b"curl", b"dash", b"git", b"make"])
        self.assertIsNone(some.next)

    def test_one_opening_for_a_range_under_a_root_alone(self) -> None:
        root = file("impl/proof/examples/root.txt").strip()
        answer = verify(Root(root), Question.range("c", "n"), example("together"))
        self.assertEqual([entry.key for entry in answer.entries], [b"curl", b"dash", b"git", b"make"])
        other = Root(root[:-1] + ("1" if root.endswith("0") else "0"))
        refused = {"class": "false", "item": None, "reason": "RootFalse"}
        found = verdict(other, Question.range("c", "n"), example("together"))
        self.assertEqual(found, {"refused": refused})

    def test_a_range_is_complete(self) -> None:
        proof = json.loads(example("range"))
        claims = proof["claims"]

        def reason(others: list[object]) -> str:
            text = json.dumps({**proof, "claims": others})
            return str(verdict(self.trusted, Question.range("c", "n"), text)["refused"]["reason"])

        for c, claim in enumerate(claims):
            last = c == len(claims) - 1
            self.assertEqual(reason(claims[:c] + claims[c + 1 :]), "ChainMissing" if last else "ChainNotCovering")
            doubled = claims[:c] + [claim] + claims[c:]
            self.assertEqual(reason(doubled), "ChainSuperfluous" if last else "ChainNotCovering")
        self.assertEqual(reason([]), "ChainMissing")

    def test_the_lowest_false_opening_is_named_unless_one_is_malformed(self) -> None:
        proof = json.loads(example("range"))
        for claim in proof["claims"][1:]:
            claim["slot"]["value"] = "0x"
        found = verdict(self.trusted, Question.range("c", "n"), json.dumps(proof))
        self.assertEqual(found["refused"], {"class": "false", "item": 1, "reason": "AnswerOpeningFalse"})
        proof["claims"][-1]["opening"] = "0x" + "00" * 48
        found = verdict(self.trusted, Question.range("c", "n"), json.dumps(proof))
        item = len(proof["claims"]) - 1
        self.assertEqual(found["refused"], {"class": "malformed", "item": item, "reason": "AnswerOpeningMalformed"})

    def test_another_question_is_refused(self) -> None:
        with self.assertRaises(Refusal) as raised:
            verify(self.trusted, Question.key("wget"), example("proof"))
        self.assertEqual(str(raised.exception), "the proof is about another question (OtherQuestion)")
        self.assertEqual(raised.exception.exit_code, 2)
        asked = verify(self.trusted, Question.key("curl"), example("proof"))
        self.assertEqual(answer_json(asked)["keys"][0]["key"], "0x6375726c")

    def test_the_programs_of_this_readme_and_of_the_repositorys_where_it_has_one_run(self) -> None:
        own, front = (
            re.findall("```python\n(.*?)```", file(path), re.DOTALL)
            for path in ("impl/bindings/python/README.md", "README.md")
        )
        self.assertEqual(len(own), 1)
        examples = REPOSITORY / "impl/proof/examples"
        paths = [str(examples / f"{name}.json") for name in ("commitments", "range")]
        for program in own + front:
            command = [sys.executable, "-c", program, *paths]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            expected = "".join(f"{name} {name} 1.0\n" for name in ("curl", "dash", "git", "make"))
            self.assertEqual(printed, expected)


if __name__ == "__main__":
    unittest.main()
