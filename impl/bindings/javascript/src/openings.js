// Openings of KZG commitments on the Ethereum ceremony, one by one, in a batch, and folded.
//
// With g1, g2 the generators, [tau]_2 of the ceremony and w = 7^((r-1)/N), a slot with scalar m
// stands at index i of the vector with commitment C if and only if (but for a break of KZG)
//
//     e(C - m g1 + w^i pi, g2) = e(pi, [tau]_2)
//
// Openings outside of the subgroup are refused, as `aardvark verify --strict` does: honest ones lie
// in it.

import { mulAddUnsafe, pippenger } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bigEndian, concatBytes, numberOf, taggedHash } from './bytes.js';
import { hashToScalar } from './slot.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const { Fp12, Fr } = bls12_381.fields;
const TAU_G2 = G2.fromHex(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2');

/** Up to so many terms Straus's way of adding up multiples is the faster one. */
const FEW_TERMS = 64;

/** The point of the subgroup that 48 bytes encode; null where they encode none. */
export function decodePoint(bytes) {
  try {
    return G1.fromBytes(bytes);
  } catch {
    return null;
  }
}

/** The element of the domain of N elements at an index. */
function domainPoint(vectorSize, index) {
  return Fr.pow(Fr.pow(7n, (Fr.ORDER - 1n) / BigInt(vectorSize)), BigInt(index));
}

/** The sum of multiples. */
function sum(terms) {
  const used = terms.filter(([point, factor]) => factor !== 0n && !point.is0());
  if (used.length === 0) return G1.ZERO;
  const [points, factors] = [used.map(([point]) => point), used.map(([, factor]) => factor)];
  return used.length <= FEW_TERMS ? mulAddUnsafe(G1, points, factors) : pippenger(G1, points, factors);
}

/** Whether e(left, g2) = e(right, [tau]_2). */
function pairsEqually(left, right) {
  const pairs = [{ g1: left, g2: G2.BASE }, { g1: right.negate(), g2: TAU_G2 }].filter(({ g1 }) => !g1.is0());
  return pairs.length === 0 || Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE);
}

/** The factors of commitments added up: claims of one vector share a term. */
class CommitmentSum {
  #factors = new Map();

  add(commitment, factor) {
    this.#factors.set(commitment, Fr.add(this.#factors.get(commitment) ?? 0n, factor));
  }

  terms() {
    return [...this.#factors].map(([commitment, factor]) => [commitment.point, factor]);
  }
}

/** The coefficients of a batch (docs/format.md, "The batch challenge"); 1 for a single claim. */
function coefficients(dictionary, version, claims) {
  if (claims.length === 1) return [1n];
  const bound = claims.flatMap(({ commitment, index, scalar, opening }) => [
    bigEndian(version, 8), commitment.bytes, bigEndian(index, 4), bigEndian(scalar, 32), opening.bytes]);
  const seed = taggedHash('AARDVARK-V1-BATCH', [dictionary, bigEndian(claims.length, 8), ...bound]);
  return claims.map((_, j) => numberOf(taggedHash('AARDVARK-V1-COEFFICIENT', [seed, bigEndian(j, 8)]).subarray(0, 16)));
}

/**
 * Whether openings prove their claims `{ commitment, index, scalar, opening }`, where commitments and
 * openings are `{ bytes, point }`. An empty batch is accepted.
 */
export function verifyOpenings(vectorSize, dictionary, version, claims) {
  const rhos = coefficients(dictionary, version, claims);
  const commitments = new CommitmentSum();
  const [left, right] = [[], []];
  let scalars = 0n;
  claims.forEach(({ commitment, index, scalar, opening }, j) => {
    commitments.add(commitment, rhos[j]);
    scalars = Fr.add(scalars, Fr.mul(rhos[j], scalar));
    left.push([opening.point, Fr.mul(rhos[j], domainPoint(vectorSize, index))]);
    right.push([opening.point, rhos[j]]);
  });
  return pairsEqually(sum([...commitments.terms(), [G1.BASE, Fr.neg(scalars)], ...left]), sum(right));
}

/** The lowest claim whose opening does not prove it; null where all do. */
export function firstFalse(vectorSize, dictionary, version, claims) {
  const holds = (part) => verifyOpenings(vectorSize, dictionary, version, part);
  if (holds(claims)) return null;
  let [start, part] = [0, claims];
  while (part.length > 1) {
    const middle = part.length >> 1;
    if (holds(part.slice(0, middle))) {
      start += middle;
      part = part.slice(middle);
    } else {
      part = part.slice(0, middle);
    }
  }
  return start;
}

/**
 * Whether a folded opening, two points `{ bytes, point }`, proves all claims
 * `{ commitment, index, scalar }` of an answer (docs/answers.md, "Many openings in one").
 */
export function verifyFolded(vectorSize, dictionary, version, claims, quotient, witness) {
  const context = taggedHash('AARDVARK-V1-FOLD-ANSWER', [dictionary, bigEndian(version, 8), bigEndian(vectorSize, 4)]);
  const points = claims.map(({ index }) => domainPoint(vectorSize, index));
  const bound = claims.flatMap(({ commitment, scalar }, i) => [commitment.bytes, bigEndian(points[i], 32), bigEndian(scalar, 32)]);
  const seed = taggedHash('AARDVARK-V1-FOLD-CLAIMS', [context, bigEndian(claims.length, 8), ...bound]);
  const z = challenge(taggedHash('AARDVARK-V1-FOLD', [seed, quotient.bytes]), 0);
  const differences = points.map((point) => Fr.sub(z, point));
  if (differences.includes(0n)) return false;
  const inverses = Fr.invertBatch(differences);
  const commitments = new CommitmentSum();
  let values = 0n;
  claims.forEach(({ commitment, scalar }, i) => {
    const factor = Fr.mul(challenge(seed, i), inverses[i]);
    commitments.add(commitment, factor);
    values = Fr.add(values, Fr.mul(factor, scalar));
  });
  const left = sum([...commitments.terms(), [G1.BASE, Fr.neg(values)], [witness.point, z]]);
  return pairsEqually(left.subtract(quotient.point), witness.point);
}

/**
 * Whether a folded opening under a seed shows claims `{ points, point, value }`: that the polynomial
 * under the sum of `points` has a value at a point.
 */
export function verifyFold(seed, claims, quotient, witness) {
  const z = challenge(taggedHash('AARDVARK-V1-FOLD', [seed, quotient.bytes]), 0);
  const differences = claims.map(({ point }) => Fr.sub(z, point));
  if (differences.includes(0n)) return false;
  const inverses = Fr.invertBatch(differences);
  let values = 0n;
  const terms = claims.map(({ points, value }, i) => {
    const factor = Fr.mul(challenge(seed, i), inverses[i]);
    values = Fr.add(values, Fr.mul(factor, value));
    return [points.reduce((all, point) => all.add(point), G1.ZERO), factor];
  });
  const left = sum([...terms, [G1.BASE, Fr.neg(values)], [witness.point, z]]);
  return pairsEqually(left.subtract(quotient.point), witness.point);
}

function challenge(seed, i) {
  return hashToScalar(concatBytes(seed, bigEndian(i, 8)), 'AARDVARK-V1-CHALLENGE');
}
