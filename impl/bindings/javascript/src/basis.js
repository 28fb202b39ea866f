// What is trusted, and what follows from it before any opening is looked at: the number of slots, and
// the commitments of the claims' vectors.

import { asDigest, equal } from './bytes.js';
import { Commitments, isVectorSize } from './commitments.js';
import { Note } from './note.js';
import { decodePoint } from './openings.js';
import { Refusal } from './reason.js';
import { idOfIdentity, parametersOfIdentity, rootOfPath, stateRoot } from './root.js';

/** SHA-256 of the ceremony file: the digest of the setup of every dictionary on KZG. */
const CEREMONY_DIGEST = asDigest('0xbfe6bde32861347be66bd8af2f1be07c541971b46eb485cfa403eb1a2e846695');

/**
 * What a verifier believes, with the dictionary's id and vector size, which a root alone takes from
 * the identity in the proof: `{ commitments }` or `{ root }` besides.
 */
export function resolveTrusted(trusted, proof) {
  if (trusted instanceof Commitments) {
    const { dictionary, vectorSize, version } = trusted;
    return { dictionary, vectorSize, version, commitments: trusted, root: null };
  }
  const known = trusted instanceof Note ? { root: trusted.root } : trusted;
  if (typeof known !== 'object' || known === null || known.root === undefined) {
    throw new TypeError('trusted: commitments, a note, or { root } with or without { dictionary, vectorSize }');
  }
  const root = asDigest(known.root, 'the root');
  if (known.dictionary !== undefined) {
    if (!isVectorSize(known.vectorSize)) throw new TypeError('vectorSize: a power of two from 1 to 4096');
    const dictionary = asDigest(known.dictionary, 'the dictionary');
    return { dictionary, vectorSize: known.vectorSize, version: null, commitments: null, root };
  }
  const identity = proof.tie?.identity ?? null;
  if (identity === null) throw new Refusal('TieMismatched');
  const parameters = parametersOfIdentity(identity);
  if (parameters === null) throw new Refusal('PartsMalformed');
  if (parameters.scheme !== 1 || !equal(identity.setupDigest, CEREMONY_DIGEST)) throw new Refusal('OtherScheme');
  const dictionary = idOfIdentity(identity);
  if (!(trusted instanceof Note)) {
    return { dictionary, vectorSize: parameters.vectorSize, version: null, commitments: null, root };
  }
  if (!equal(identity.name, new TextEncoder().encode(trusted.origin))) throw new Refusal('OtherDictionary');
  return { dictionary, vectorSize: parameters.vectorSize, version: trusted.version, commitments: null, root };
}

/** What openings are checked against: `size`, and `commitmentOf` a vector, as `Commitments` has it. */
export function basisOf({ dictionary, vectorSize, commitments, root }, proof) {
  if ((root === null) !== (proof.tie === null)) throw new Refusal('TieMismatched');
  if (root === null) return { size: commitments.slots, commitmentOf: (vector) => commitments.commitmentOf(vector) };
  const { tie, claims, version } = proof;
  const n = BigInt(vectorSize);
  const points = tiedPoints(tie.vectors, new Set(claims.map(({ position }) => position / n)));
  if (!equal(stateRoot(dictionary, version, tie), root)) throw new Refusal('RootFalse');
  const count = (tie.size + n - 1n) / n;
  const known = new Map();
  tie.vectors.forEach(({ number, commitment, path }, i) => {
    const found = rootOfPath(count, number, commitment, path);
    if (found === null || !equal(found, tie.commitmentRoot)) throw new Refusal('PathFalse', i);
    known.set(number, { bytes: commitment, point: points[i] });
  });
  return { size: tie.size, commitmentOf: (vector) => known.get(vector) };
}

/** The points of the tied vectors, which must be some of the claimed ones, ascending, and well-formed. */
function tiedPoints(vectors, claimed) {
  return vectors.map(({ number, commitment }, i) => {
    const ascends = i === 0 || vectors[i - 1].number < number;
    if (!ascends || !claimed.has(number)) throw new Refusal('TiedVectorsMismatched', i);
    return decodePoint(commitment) ?? refuseCommitment(i);
  });
}

/** The commitments of the claims' vectors, in the order of the claims, whose positions must be in use. */
export function commitmentsOf(basis, vectorSize, claims) {
  const known = new Map();
  return claims.map(({ position }, c) => {
    if (position >= basis.size) throw new Refusal('AnswerPositionOutOfRange', c);
    const vector = position / BigInt(vectorSize);
    if (!known.has(vector)) known.set(vector, basis.commitmentOf(vector));
    const commitment = known.get(vector);
    if (commitment === undefined) throw new Refusal('TiedVectorsMismatched', c);
    return commitment ?? refuseCommitment(c);
  });
}

function refuseCommitment(item) {
  throw new Refusal('CommitmentMalformed', item);
}
