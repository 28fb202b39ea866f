// What is asked of a dictionary at one version, and which questions can be asked.

import { asBytes, compare, equal } from './bytes.js';

/** Most bytes of a key. */
export const MOST_KEY_BYTES = 255;
/** Most bytes of a value. */
export const MOST_VALUE_BYTES = 1024;

/** Questions. A key is text, which stands for its UTF-8, or bytes. */
export const Question = Object.freeze({
  /** What is the value of one key? */
  key: (key) => ({ kind: 'keys', keys: [asBytes(key)] }),

  /** What are the values of these keys? They are put in order, and each is asked for once. */
  keys(keys) {
    const sorted = [...keys].map(asBytes).sort(compare);
    return { kind: 'keys', keys: sorted.filter((key, i) => i === 0 || !equal(key, sorted[i - 1])) };
  },

  /**
   * What are the entries with `from <= key < to`? An empty `to` is no end; `limit` is the most that
   * is wanted of them.
   */
  range: (from, to, limit = null) => (
    { kind: 'range', from: asBytes(from), to: asBytes(to), limit: limit === null ? null : BigInt(limit) }),

  /** Which is the greatest key below this one, and its value? */
  predecessor: (key) => ({ kind: 'predecessor', key: asBytes(key) }),

  /** Which is the least key above this one? */
  successor: (key) => ({ kind: 'successor', key: asBytes(key) }),
});

const askable = (key) => key.length >= 1 && key.length <= MOST_KEY_BYTES;
const belowEnd = (to, key) => to.length === 0 || compare(key, to) < 0;

/** Whether a question can be asked. */
export function isLegal(question) {
  switch (question.kind) {
    case 'keys':
      return question.keys.length > 0 && question.keys.every(askable)
        && question.keys.every((key, i) => i === 0 || compare(question.keys[i - 1], key) < 0);
    case 'range': {
      const { from, to, limit } = question;
      return from.length <= MOST_KEY_BYTES && to.length <= MOST_KEY_BYTES && belowEnd(to, from) && limit !== 0n;
    }
    default:
      return askable(question.key);
  }
}

/** Whether two questions are the same. */
export function sameQuestion(one, other) {
  if (one.kind !== other.kind) return false;
  switch (one.kind) {
    case 'keys':
      return one.keys.length === other.keys.length && one.keys.every((key, i) => equal(key, other.keys[i]));
    case 'range':
      return equal(one.from, other.from) && equal(one.to, other.to) && one.limit === other.limit;
    default:
      return equal(one.key, other.key);
  }
}

/** The least key that keys or a range ask for and that is at least `key`; null where there is none. */
export function askedFrom(question, key) {
  if (question.kind === 'range') {
    const least = compare(key, question.from) < 0 ? question.from : key;
    return belowEnd(question.to, least) ? least : null;
  }
  let [low, high] = [0, question.keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(question.keys[middle], key) < 0) low = middle + 1;
    else high = middle;
  }
  return question.keys[low] ?? null;
}
