// The commitments of a version, format 1: what `aardvark commitments` writes, and who trusts it
// needs nothing else.

import { U32, U64, fromHex } from './bytes.js';
import { formatField, readJson } from './json.js';
import { decodePoint } from './openings.js';
import { Unreadable } from './reason.js';

/** Most bytes of the text. */
const LARGEST = 2 ** 30;

/** Whether a number of slots in a vector is possible: a power of two from 1 to 4096. */
export const isVectorSize = (size) => Number.isInteger(size) && size >= 1 && size <= 4096 && 4096 % size === 0;

/** The commitments of one version, and what else a verifier knows of it. */
export class Commitments {
  /** As `readCommitments` read them; each stays text until it is used. */
  constructor({ dictionary, vectorSize, version, slots, commitments }) {
    this.dictionary = dictionary;
    this.vectorSize = vectorSize;
    this.version = version;
    this.slots = slots;
    this.commitments = commitments;
    Object.freeze(this);
  }

  /** The commitment of a vector: `{ bytes, point }`, null where it is malformed, undefined where there is none. */
  commitmentOf(vector) {
    const text = this.commitments[Number(vector)];
    if (text === undefined) return undefined;
    try {
      const bytes = fromHex(text, 'a commitment', 48);
      const point = decodePoint(bytes);
      return point && { bytes, point };
    } catch {
      return null;
    }
  }
}

/** Reads commitments: JSON as text, or its bytes. */
export function readCommitments(text) {
  const what = 'commitments';
  const read = readJson(text, LARGEST, what, (json) => json.object({
    format: formatField(1),
    dictionary: (field) => field.bytes('dictionary', 32),
    scheme: schemeField,
    vector_size: (field) => Number(field.integer(U32)),
    version: (field) => field.integer(U64),
    slots: (field) => field.integer(U64),
    commitments: (field) => field.list((item) => item.string()),
  }));
  const { dictionary, scheme, vector_size: vectorSize, version, slots, commitments } = read;
  if (scheme !== 'kzg') throw new Unreadable(`${what}: of scheme ${scheme}, where KZG is verified here`);
  if (!isVectorSize(vectorSize)) throw new Unreadable(`${what}: the vector size is not a power of two from 1 to 4096`);
  if (slots === 0n) throw new Unreadable(`${what}: 0 slots, where there is always the sentinel's`);
  const needed = (slots + BigInt(vectorSize) - 1n) / BigInt(vectorSize);
  if (BigInt(commitments.length) !== needed) {
    throw new Unreadable(`${what}: ${commitments.length} of them, where ${slots} slots need ${needed}`);
  }
  return new Commitments({ dictionary, vectorSize, version, slots, commitments });
}

/** The field `scheme`. */
export function schemeField(json) {
  const scheme = json.string();
  return scheme === 'kzg' || scheme === 'libert-yung' ? scheme : json.fail('a scheme that nobody knows');
}
