"""What the tests share: files of the repository, and how an outcome is told."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from aardvark_proof import (
    Answer,
    Commitments,
    Entry,
    KeyAnswer,
    Keys,
    KeysAnswer,
    PredecessorAnswer,
    Proof,
    Question,
    RangeAnswer,
    Refusal,
    Root,
    SuccessorAnswer,
    Trusted,
    Unreadable,
    from_hex,
    to_hex,
    verify,
)

REPOSITORY = Path(__file__).resolve().parents[4]


def file(path: str) -> str:
    """A file of the repository."""
    return (REPOSITORY / path).read_text(encoding="utf-8")


def vectors(name: str) -> Any:
    """A file of vectors."""
    return json.loads(file(f"differential-tests/vectors/{name}.json"))


def fresh_proofs() -> Any:
    """Proofs of random dictionaries that were made just now, where `cargo xtask bindings` made some."""
    path = os.environ.get("AARDVARK_FRESH_PROOFS")
    return json.loads(Path(path).read_text(encoding="utf-8")) if path else None


def example(name: str) -> str:
    """An example of the crate aardvark-proof."""
    return file(f"impl/proof/examples/{name}.json")


def question_of(asked: dict[str, Any]) -> Question:
    """The question of a vector; what nobody can ask is not put right."""
    ((kind, what),) = asked.items()
    if kind == "keys":
        return Keys(tuple(from_hex(key) for key in what))
    if kind == "range":
        return Question.range(from_hex(what["from"]), from_hex(what["to"]), what.get("limit"))
    if kind == "predecessor":
        return Question.predecessor(from_hex(what))
    return Question.successor(from_hex(what))


def trusted_of(trusted: dict[str, Any]) -> Trusted:
    """What a vector trusts."""
    ((kind, what),) = trusted.items()
    if kind == "commitments":
        return Commitments.from_json(json.dumps(what))
    if kind == "root":
        return Root(what["root"], what["dictionary"], what["vector_size"])
    return Root(what)


def _entry(entry: Entry | KeyAnswer) -> dict[str, str | None]:
    value = None if entry.value is None else to_hex(entry.value)
    return {"key": to_hex(entry.key), "value": value}


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as the vectors write it."""
    if isinstance(answer, KeysAnswer):
        return {"keys": [_entry(key) for key in answer.keys]}
    if isinstance(answer, RangeAnswer):
        resume = None if answer.next is None else to_hex(answer.next)
        entries = [_entry(entry) for entry in answer.entries]
        return {"range": {"entries": entries, "resume": resume}}
    if isinstance(answer, PredecessorAnswer):
        return {"predecessor": None if answer.entry is None else _entry(answer.entry)}
    assert isinstance(answer, SuccessorAnswer)
    return {"successor": None if answer.key is None else to_hex(answer.key)}


def verdict(trusted: Trusted, question: Question, proof: str | bytes | Proof) -> dict[str, Any]:
    """What comes of a proof, as the vectors write it. Another error is a test's failure."""
    try:
        return {"answer": answer_json(verify(trusted, question, proof))}
    except Refusal as refusal:
        reason, item = refusal.reason.value, refusal.item
        return {"refused": {"class": refusal.class_.value, "item": item, "reason": reason}}
    except Unreadable as error:
        return {"refused": {"class": error.class_.value, "item": None, "reason": "Unreadable"}}
