// State roots: what one is over, the path from a commitment to it, and the id of a dictionary that
// brings along what its id is over.

import { bigEndian, concatBytes, numberOf, sha256, taggedHash } from './bytes.js';

/** The state root over the parts that a proof brings, of a dictionary and version. */
export function stateRoot(dictionary, version, tie) {
  const numbers = [version, tie.size, tie.tailStart].map((number) => bigEndian(number, 8));
  return taggedHash('AARDVARK-V1-STATE', [
    dictionary, ...numbers, tie.commitmentRoot, tie.tailDigest, tie.replayDigest, tie.windowDigest]);
}

/**
 * The root to which a path ties a commitment (RFC 9162, 2.1.3.2); null where there is no such
 * vector, or the path has a digest too few or too many. The number of vectors follows from what the
 * root covers, the vector from a claim's position.
 */
export function rootOfPath(vectors, vector, commitment, path) {
  if (vector >= vectors || path.length > 64) return null;
  let [digest, index, width, used] = [sha256(concatBytes(Uint8Array.of(0), commitment)), vector, vectors, 0];
  for (; width > 1n; index /= 2n, width = width / 2n + (width % 2n)) {
    if (index % 2n === 0n && index + 1n === width) continue;
    if (used === path.length) return null;
    const sibling = path[used++];
    digest = sha256(concatBytes(Uint8Array.of(1), ...(index % 2n === 0n ? [digest, sibling] : [sibling, digest])));
  }
  return used === path.length ? digest : null;
}

/** Bytes of encoded parameters. */
export const PARAMETERS_BYTES = 41;

/** What encoded parameters, 41 bytes, say. */
function parametersOf(bytes) {
  let at = 0;
  const next = (length) => Number(numberOf(bytes.subarray(at, at += length)));
  return {
    scheme: next(1), vectorSize: next(4), window: next(4), keyLength: next(2), valueLength: next(2),
    transactionOperations: next(4), transactionClaims: next(4), transactionBytes: next(4),
    blockTransactions: next(4), blockOperations: next(4), blockClaims: next(4), blockBytes: next(4),
  };
}

/** Whether parameters are legal (docs/format.md, "Parameters"). */
function areLegal(p) {
  const slot = 2 * p.keyLength + p.valueLength;
  const tail = Math.ceil(p.transactionOperations / p.vectorSize) * p.vectorSize;
  return (p.scheme === 1 || p.scheme === 2) && p.vectorSize >= 1 && 4096 % p.vectorSize === 0 && p.window <= 65_535
    && p.keyLength >= 1 && p.keyLength <= 255 && p.valueLength <= 1024
    && p.transactionOperations >= 1 && p.transactionOperations <= 65_535
    && p.transactionClaims >= 2 && p.transactionClaims <= 65_535 && p.blockTransactions >= 1
    && p.blockOperations >= p.transactionOperations && p.blockClaims >= p.transactionClaims
    && p.transactionBytes >= 2048 + 2 * (66 + slot) && p.blockBytes >= 17 + p.transactionBytes + 4 + tail * (6 + slot);
}

/** The parameters of an identity; null where no dictionary can have it. */
export function parametersOfIdentity({ name, parameters }) {
  const read = parametersOf(parameters);
  return name.length >= 1 && name.length <= 255 && areLegal(read) ? read : null;
}

/** The id of the dictionary that has an identity. */
export function idOfIdentity({ name, salt, parameters, setupDigest, contentDigest, binding }) {
  return taggedHash('AARDVARK-V2-DICTIONARY', [
    bigEndian(name.length, 1), name, salt, parameters, setupDigest, contentDigest, binding]);
}
