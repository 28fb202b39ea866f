"""Hostile texts: nothing but this package's errors comes of them, and no other answer."""

from __future__ import annotations

import json
import random
import re
import time
import unittest
from collections.abc import Callable

from common import answer_json, example, file, question_of, trusted_of, vectors

from aardvark_proof import (
    Commitments,
    KeyProof,
    Note,
    Proof,
    ProofError,
    Question,
    Reason,
    Refusal,
    Root,
    Unreadable,
    from_hex,
    verify,
)

NASTY = (
    '"__class__"', '{"__proto__":1}', "null", "[]", "{}", "-1", "1e9", "0.5", "1e400", "NaN", "Infinity",
    "99999999999999999999", "9" * 5000, '""', '"0x"', '"0x0"', '"\\u0000"', '"\\ud800"', "true", ",", "}",
    "]", "\0", "\ud800", "\u0661",
)  # fmt: skip
DIGIT = re.compile(r'"0x([0-9a-f]+)"')
VALUE = re.compile(r'"(?:0x)?[0-9a-z_]*"|[0-9]+')


def mutated(text: str, chance: random.Random) -> str:
    """The text with a small change."""
    # What an earlier mutation left nothing of stays.
    if not VALUE.search(text):
        return text
    at = chance.randrange(len(text))
    match chance.randrange(8):
        case 0:
            return text[:at] + chance.choice('0123456789abcdefx"{}[],:-. \\') + text[at + 1 :]
        case 1:
            return text[:at] + text[at + 1 + chance.randrange(40) :]
        case 2:
            return text[:at] + chance.choice(NASTY) + text[at:]
        case 3:
            return text[:at]
        case 4:
            start = chance.randrange(len(text))
            return text[:at] + text[start : start + chance.randrange(200)] + text[at:]
        case 5:
            # Another digit, which leaves the form as it is.
            digits = list(DIGIT.finditer(text))
            if not digits:
                return text
            value = chance.choice(digits)
            at = chance.randrange(value.start(1), value.end(1))
            return text[:at] + chance.choice("0123456789") + text[at + 1 :]
        case 6:
            # Two values of one length change places.
            digits = list(DIGIT.finditer(text))
            if not digits:
                return text
            one = chance.choice(digits)
            other = chance.choice([two for two in digits if len(two.group()) == len(one.group())])
            first, second = sorted((one, other), key=lambda found: found.start())
            if first is second:
                return text
            between = text[first.end() : second.start()]
            return text[: first.start()] + second.group() + between + first.group() + text[second.end() :]
        case _:
            values = list(VALUE.finditer(text))
            one, other = chance.choice(values), chance.choice(values)
            put = other.group() if chance.random() < 0.5 else chance.choice(NASTY)
            return text[: one.start()] + put + text[one.end() :]


def holds(run: Callable[[], object]) -> bool:
    """Runs; whether it ended without one of this package's errors."""
    try:
        run()
    except ProofError:
        return False
    return True


class Hostile(unittest.TestCase):
    def setUp(self) -> None:
        found = vectors("proofs")
        trusted = trusted_of(found["trusted"]["small/1/root"])
        self.seeds = [
            (trusted, question_of(test["question"]), test["proof"], test["expected"]["answer"])
            for test in found["tests"]
            if test["trusted"] == "small/1/root" and test["proof"] and "answer" in test["expected"]
        ]
        alone, question = Root(file("impl/proof/examples/root.txt").strip()), Question.range("c", "n")
        answer = answer_json(verify(alone, question, example("together")))
        self.seeds.append((alone, question, example("together"), answer))

    def test_mutated_proofs_give_the_honest_answer_or_an_error_of_this_package(self) -> None:
        chance = random.Random(1)
        holding = 0
        for round_ in range(3000):
            trusted, question, proof, answer = self.seeds[round_ % len(self.seeds)]
            text = mutated(proof, chance)
            if chance.random() < 0.3:
                text = mutated(text, chance)

            def check() -> None:
                self.assertEqual(answer_json(verify(trusted, question, text)), answer, text)

            holding += holds(check)
        self.assertLess(holding, 400)

    def test_mutated_bytes_of_proofs_give_the_honest_answer_or_an_error_of_this_package(self) -> None:
        chance = random.Random(3)
        found = vectors("proofs")
        trusted = trusted_of(found["trusted"]["small/1/root"])
        honest = [
            (question_of(test["question"]), from_hex(test["bytes"]), test["expected"]["answer"])
            for test in found["tests"]
            if test["trusted"] == "small/1/root" and test["bytes"] and "answer" in test["expected"]
        ]
        for round_ in range(2000):
            question, data, answer = honest[round_ % len(honest)]
            changed = bytearray(data)
            changed[chance.randrange(len(changed))] = chance.randrange(256)
            cut = bytes(changed[: chance.randrange(len(changed))] if chance.random() < 0.2 else changed)
            holds(lambda: self.assertEqual(answer_json(verify(trusted, question, cut)), answer))

    def test_mutated_commitments_proofs_of_format_1_and_notes_are_read_or_refused(self) -> None:
        chance = random.Random(2)
        commitments = example("commitments")
        key_proof = json.dumps(json.loads(file("impl/bindings/key_proofs.json"))[0]["cases"][0]["proof"])
        note = "packages\n7\nq0cs0JBFTCSHbjzgsDTNOTLCfnyGxsvEPFTCeSsNSMY=\n\n\u2014 packages AAAAAAAA\n"
        for _ in range(3000):
            holds(lambda: Commitments.from_json(mutated(commitments, chance)))
            holds(lambda: KeyProof.from_json(mutated(key_proof, chance)))
            holds(lambda: Note.open(mutated(note + "1", chance), [mutated("packages+00000000+AAAA", chance)]))

    def test_depth_length_and_numbers_without_end_are_refused_soon(self) -> None:
        started = time.monotonic()
        for text in (
            "[" * 2**20,
            '{"format":2,"claims":' * 2**15,
            '{"format":2,"claims":' + "[" * 2**20,
            '{"format":' + "9" * 2**20 + "}",
            '{"format":2,"dictionary":"0x' + "0" * 2**22 + '"}',
            '{"format":2,"dictionary":"' + "\\u0030" * 2**19,
            '{"' + '\\"' * 2**19,
            '{"' + "\\\\" * 2**19 + '"',
            " " * 2**22,
            "x" * (64 * 2**20 + 1),
        ):
            for given in (text, text.encode()):
                with self.assertRaises(Unreadable):
                    Proof.from_json(given)
        for given in (b"\xff", b"\xef\xbb\xbf{", "\ud800"):
            with self.assertRaises(Unreadable):
                Proof.from_json(given)
        self.assertLess(time.monotonic() - started, 20)

    def test_many_claims_and_paths_take_time_in_proportion_to_the_text(self) -> None:
        trusted, question, text, _ = self.seeds[0]
        proof = json.loads(text)
        many = json.dumps({**proof, "claims": proof["claims"] * 20_000})
        with self.assertRaises(Refusal) as raised:
            verify(trusted, Question.keys(["other"]), many)
        self.assertIs(raised.exception.reason, Reason.OTHER_QUESTION)
        vector = proof["root"]["vectors"][0]
        vector["path"] = vector["path"][:1] * 100_000
        with self.assertRaises(Refusal) as raised:
            verify(trusted, question, json.dumps(proof))
        self.assertIs(raised.exception.reason, Reason.PATH_FALSE)


if __name__ == "__main__":
    unittest.main()
