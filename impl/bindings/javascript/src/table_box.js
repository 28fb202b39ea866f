// Boxes of keys, and the scan that shows which runs are in one (docs/tables.md, "Boxes" and "The
// scan"). An interval is `{ low, high }`, both of the column's width and both in it.

import { compare, concatBytes, equal } from './bytes.js';
import { Refusal } from './reason.js';
import { covers } from './slot.js';

const filled = (width, byte) => new Uint8Array(width).fill(byte);

/** The number above or below digits, of the same width; null where there is none. */
function step(digits, from, to, by) {
  const last = digits.findLastIndex((byte) => byte !== from);
  if (last < 0) return null;
  return digits.map((byte, i) => (i < last ? byte : i === last ? byte + by : to));
}
const above = (digits) => step(digits, 255, 0, 1);
export const below = (digits) => step(digits, 0, 255, -1);

/** All digits of a width. */
export const everything = (width) => [{ low: filled(width, 0), high: filled(width, 255) }];

/** The canonical list of intervals: ascending, neither empty nor adjacent. */
export function canonical(intervals) {
  const sorted = intervals.filter(({ low, high }) => compare(low, high) <= 0);
  sorted.sort((a, b) => compare(a.low, b.low) || compare(a.high, b.high));
  const merged = [];
  for (const { low, high } of sorted) {
    const last = merged.at(-1);
    const next = last && above(last.high);
    if (last && (next === null || compare(low, next) <= 0)) {
      if (compare(last.high, high) < 0) last.high = high;
    } else {
      merged.push({ low, high });
    }
  }
  return merged;
}

const later = (a, b) => (compare(a, b) < 0 ? b : a);
const sooner = (a, b) => (compare(a, b) < 0 ? a : b);

/** The digits in both lists. */
export const intersection = (one, other) => canonical(
  one.flatMap((a) => other.map((b) => ({ low: later(a.low, b.low), high: sooner(a.high, b.high) }))));

/** The intervals of what is above digits, or below them. */
export const greater = (digits) => {
  const low = above(digits);
  return low === null ? [] : [{ low, high: filled(digits.length, 255) }];
};
export const smaller = (digits) => {
  const high = below(digits);
  return high === null ? [] : [{ low: filled(digits.length, 0), high }];
};

/** The keys with a prefix, and behind it digits in each column's intervals. */
export class KeyBox {
  #prefix;
  #columns;
  #width;

  /** `columns` are `{ width, intervals }`. */
  constructor(prefix, columns) {
    this.#prefix = prefix;
    this.#columns = columns;
    this.#width = columns.reduce((sum, { width }) => sum + width, 0);
  }

  /** The least key of the box that is at least `key`; null where there is none. */
  next(key) {
    const prefix = this.#prefix;
    const begins = equal(key.subarray(0, prefix.length), prefix);
    if (!begins && compare(key, prefix) > 0) return null;
    const digits = this.#nextDigits(begins ? key.subarray(prefix.length) : new Uint8Array());
    return digits === null ? null : concatBytes(prefix, digits);
  }

  #nextDigits(key) {
    const asked = new Uint8Array(this.#width);
    asked.set(key.subarray(0, this.#width));
    let end = this.#width;
    let next = key.length <= this.#width ? new Uint8Array() : null;
    let least = new Uint8Array();
    for (const { width, intervals } of this.#columns.toReversed()) {
      if (intervals.length === 0) return null;
      const digits = asked.subarray(end - width, end);
      const stays = next !== null && intervals.some(({ low, high }) => compare(low, digits) <= 0 && compare(digits, high) <= 0);
      if (stays) {
        next = concatBytes(digits, next);
      } else {
        const interval = intervals.find(({ high }) => compare(high, digits) > 0);
        const raised = interval && (compare(interval.low, digits) > 0 ? interval.low : above(digits));
        next = raised ? concatBytes(raised, least) : null;
      }
      least = concatBytes(intervals[0].low, least);
      end -= width;
    }
    return next;
  }
}

/** The places of those slots that are the runs of a box, once they are a scan of it. */
export function runsInBox(box, slots) {
  const runs = [];
  let cursor = box.next(new Uint8Array());
  slots.forEach((slot, place) => {
    if (cursor === null) throw new Refusal('ChainSuperfluous');
    if (!covers(slot, cursor)) throw new Refusal('ChainNotCovering');
    if (equal(slot.key, cursor)) runs.push(place);
    // Where the slot's next key does not come after the cursor, the ring closes.
    cursor = compare(cursor, slot.next) < 0 ? box.next(slot.next) : null;
  });
  if (cursor !== null) throw new Refusal('ChainMissing');
  return runs;
}
