"""The answer that a chain of slots gives, once they are known to be slots of the dictionary.

Between a slot's key and its next key there is no live key. So slots that cover, one after the other,
all that is asked for show every entry of it and leave no gap (docs/answers.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .answer import Answer, Entry, KeyAnswer, KeysAnswer, PredecessorAnswer, RangeAnswer, SuccessorAnswer
from .errors import Reason, Refusal
from .question import Keys, Predecessor, Question, Range, Successor
from .slot import Slot


def answer_of_slots(question: Question, version: int, slots: Sequence[Slot]) -> Answer:
    """The answer of slots to a question."""
    if isinstance(question, Predecessor):
        slot = _single(slots, lambda slot: slot.precedes(question.key_above))
        # The sentinel is no entry.
        return PredecessorAnswer(version, Entry(slot.key, slot.value) if slot.key else None)
    if isinstance(question, Successor):
        slot = _single(slots, lambda slot: slot.covers(question.key_below))
        return SuccessorAnswer(version, slot.next or None)
    if not isinstance(question, (Keys, Range)):
        raise TypeError("a question of this package")
    return _answer_of_chain(question, version, slots)


def _single(slots: Sequence[Slot], fits: Callable[[Slot], bool]) -> Slot:
    if len(slots) > 1:
        raise Refusal(Reason.CHAIN_SUPERFLUOUS)
    if not slots:
        raise Refusal(Reason.CHAIN_MISSING)
    if not fits(slots[0]):
        raise Refusal(Reason.CHAIN_NOT_COVERING)
    return slots[0]


def _answer_of_chain(question: Keys | Range, version: int, slots: Sequence[Slot]) -> Answer:
    limit = question.limit if isinstance(question, Range) else None
    entries: list[Entry] = []
    # The least asked key of which nothing is known yet; None where all is known.
    cursor = question.asked_from(b"")
    for slot in slots:
        if cursor is None or (limit is not None and len(entries) >= limit):
            raise Refusal(Reason.CHAIN_SUPERFLUOUS)
        if not slot.covers(cursor):
            raise Refusal(Reason.CHAIN_NOT_COVERING)
        if slot.key and slot.key == cursor:
            entries.append(Entry(slot.key, slot.value))
        # Where the slot's next key does not come after the cursor, the ring closes.
        cursor = question.asked_from(slot.next) if cursor < slot.next else None
    if cursor is not None and (limit is None or len(entries) < limit):
        raise Refusal(Reason.CHAIN_MISSING)
    if isinstance(question, Range):
        return RangeAnswer(version, tuple(entries), cursor)
    values = {entry.key: entry.value for entry in entries}
    return KeysAnswer(version, tuple(KeyAnswer(key, values.get(key)) for key in question.asked))
