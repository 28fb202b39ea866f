// Proofs of answers as bytes (docs/format.md, "Proofs of answers"): less than half as long as their
// JSON.

import { numberOf } from './bytes.js';
import { Unreadable } from './reason.js';
import { PARAMETERS_BYTES } from './root.js';

/** The first byte of a proof with plain openings, and of one whose openings are folded. */
const [PLAIN, FOLDED] = [2, 3];

const SCHEMES = [undefined, 'kzg', 'libert-yung'];

/** Whether bytes are meant as a proof in this form: JSON begins with another byte. */
export const isBinary = (bytes) => bytes[0] === PLAIN || bytes[0] === FOLDED;

class ByteReader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  fail(why) {
    throw new Unreadable(`the proof: ${why} (at byte ${this.#at})`);
  }

  take(length) {
    if (length > this.#bytes.length - this.#at) this.fail('bytes are missing');
    // A copy, so that what is read does not change with the caller's bytes.
    return new Uint8Array(this.#bytes.subarray(this.#at, this.#at += length));
  }

  number(length) {
    return numberOf(this.take(length));
  }

  /** One byte that stands for one of so many things. */
  tag(count, what) {
    const found = this.take(1)[0];
    return found < count ? found : this.fail(`no such ${what}`);
  }

  /** Bytes behind their length, which has so many bytes. */
  prefixed(length) {
    return this.take(Number(this.number(length)));
  }

  /** As many items as a count of so many bytes says; the list grows as they are really there. */
  list(length, read) {
    const items = [];
    for (let left = Number(this.number(length)); left > 0; left -= 1) items.push(read(this));
    return items;
  }

  end() {
    if (this.#at < this.#bytes.length) this.fail('bytes remain');
  }
}

const key = (bytes) => bytes.prefixed(1);
const digest = (bytes) => bytes.take(32);

function question(bytes) {
  switch (bytes.tag(4, 'question')) {
    case 0:
      return { kind: 'keys', keys: bytes.list(4, key) };
    case 1: {
      const [from, to] = [key(bytes), key(bytes)];
      return { kind: 'range', from, to, limit: bytes.tag(2, 'limit') === 1 ? bytes.number(8) : null };
    }
    case 2:
      return { kind: 'predecessor', key: key(bytes) };
    default:
      return { kind: 'successor', key: key(bytes) };
  }
}

function claim(bytes, isFolded) {
  const position = bytes.number(8);
  const [slotKey, next] = [key(bytes), key(bytes)];
  const slot = { key: slotKey, value: bytes.prefixed(2), next };
  return isFolded ? { position, slot } : { position, slot, opening: bytes.take(48) };
}

const vector = (bytes) => ({ number: bytes.number(8), commitment: bytes.take(48), path: bytes.list(1, digest) });

function identity(bytes) {
  const [name, salt, parameters] = [bytes.prefixed(1), digest(bytes), bytes.take(PARAMETERS_BYTES)];
  const [setupDigest, contentDigest, binding] = [digest(bytes), digest(bytes), bytes.prefixed(4)];
  return { name, salt, parameters, setupDigest, contentDigest, binding };
}

function tie(bytes) {
  const kind = bytes.tag(3, 'tie');
  if (kind === 0) return null;
  const [size, tailStart] = [bytes.number(8), bytes.number(8)];
  const [commitmentRoot, tailDigest, replayDigest, windowDigest] = [digest(bytes), digest(bytes), digest(bytes), digest(bytes)];
  const vectors = bytes.list(4, vector);
  return {
    size, tailStart, commitmentRoot, tailDigest, replayDigest, windowDigest, vectors, identity: kind === 2 ? identity(bytes) : null,
  };
}

/** Reads a proof from its bytes. */
export function readBinary(input) {
  const bytes = new ByteReader(input);
  const isFolded = bytes.take(1)[0] === FOLDED;
  const dictionary = digest(bytes);
  const scheme = SCHEMES[bytes.take(1)[0]] ?? bytes.fail('no such scheme');
  const [vectorSize, version] = [Number(bytes.number(4)), bytes.number(8)];
  const asked = question(bytes);
  const folded = isFolded ? bytes.take(96) : null;
  const claims = bytes.list(4, () => claim(bytes, isFolded));
  const proof = { dictionary, scheme, vectorSize, version, question: asked, claims, folded, tie: tie(bytes) };
  bytes.end();
  return proof;
}
