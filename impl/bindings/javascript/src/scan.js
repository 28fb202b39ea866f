// The answer that a chain of slots gives to a question, once they are known to be slots of the
// dictionary.
//
// Between a slot's key and its next key there is no live key. So slots that cover, one after the
// other, all that is asked for show every entry of it and leave no gap (docs/answers.md).

import { compare, equal } from './bytes.js';
import { askedFrom } from './question.js';
import { Refusal } from './reason.js';
import { covers, precedes } from './slot.js';

/** The answer of slots to a question. */
export function answerOfSlots(question, slots) {
  switch (question.kind) {
    case 'predecessor': {
      const { key, value } = single(slots, (slot) => precedes(slot, question.key));
      // The sentinel is no entry.
      return { kind: 'predecessor', entry: key.length === 0 ? null : { key, value } };
    }
    case 'successor': {
      const { next } = single(slots, (slot) => covers(slot, question.key));
      return { kind: 'successor', key: next.length === 0 ? null : next };
    }
    default:
      return answerOfChain(question, slots);
  }
}

function single(slots, fits) {
  if (slots.length > 1) throw new Refusal('ChainSuperfluous');
  if (slots.length === 0) throw new Refusal('ChainMissing');
  if (!fits(slots[0])) throw new Refusal('ChainNotCovering');
  return slots[0];
}

function answerOfChain(question, slots) {
  const entries = [];
  // The least asked key of which nothing is known yet; null where all is known.
  let cursor = askedFrom(question, new Uint8Array());
  const limitReached = () => question.kind === 'range' && question.limit !== null && BigInt(entries.length) >= question.limit;
  for (const slot of slots) {
    if (cursor === null || limitReached()) throw new Refusal('ChainSuperfluous');
    if (!covers(slot, cursor)) throw new Refusal('ChainNotCovering');
    if (slot.key.length > 0 && equal(slot.key, cursor)) entries.push({ key: slot.key, value: slot.value });
    // Where the slot's next key does not come after the cursor, the ring closes.
    cursor = compare(cursor, slot.next) < 0 ? askedFrom(question, slot.next) : null;
  }
  if (cursor !== null && !limitReached()) throw new Refusal('ChainMissing');
  return question.kind === 'range'
    ? { kind: 'range', entries, next: cursor }
    : { kind: 'keys', keys: keyAnswers(question.keys, entries) };
}

/** Each asked key with its value, or null where it is absent; both lists are in order. */
function keyAnswers(keys, entries) {
  let found = 0;
  return keys.map((key) => {
    const isEntry = found < entries.length && equal(entries[found].key, key);
    return { key, value: isEntry ? entries[found++].value : null };
  });
}
