// Folded openings. Who has the plain openings of claims can fold them, and the test does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { readCommitments, readProof, verify } from 'aardvark-proof';
import { bigEndian, concatBytes, taggedHash } from '../src/bytes.js';
import { hashToScalar, slotScalar } from '../src/slot.js';
import { answerJson, questionOf, trustedOf, vectors, verdict } from './common.js';

const { Point } = bls12_381.G1;
const { Fr } = bls12_381.fields;

/** W and W' of a proof with plain openings, whose claims are in vectors with these commitments. */
function fold({ dictionary, version, vectorSize, claims }, commitmentOf) {
  const n = BigInt(vectorSize);
  const root = Fr.pow(7n, (Fr.ORDER - 1n) / n);
  const at = claims.map(({ position }) => Fr.pow(root, position % n));
  const context = taggedHash('AARDVARK-V1-FOLD-ANSWER', [dictionary, bigEndian(version, 8), bigEndian(vectorSize, 4)]);
  const bound = claims.map(({ position, slot }, i) => concatBytes(
    commitmentOf(position / n), bigEndian(at[i], 32), bigEndian(slotScalar(slot), 32)));
  const seed = taggedHash('AARDVARK-V1-FOLD-CLAIMS', [context, bigEndian(claims.length, 8), ...bound]);
  const challenge = (from, i) => hashToScalar(concatBytes(from, bigEndian(i, 8)), 'AARDVARK-V1-CHALLENGE');
  const gammas = claims.map((_, i) => challenge(seed, i));
  const sum = (factor) => claims.reduce((total, { opening }, i) => {
    const point = Point.fromBytes(opening);
    return point.is0() ? total : total.add(point.multiplyUnsafe(factor(i)));
  }, Point.ZERO);
  const quotient = sum((i) => gammas[i]).toBytes();
  const z = challenge(taggedHash('AARDVARK-V1-FOLD', [seed, quotient]), 0);
  return concatBytes(quotient, sum((i) => Fr.div(gammas[i], Fr.sub(z, at[i]))).toBytes());
}

const folded = (proof, commitmentOf) => ({
  ...proof,
  claims: proof.claims.map(({ position, slot }) => ({ position, slot })),
  folded: fold(proof, commitmentOf),
});

const file = vectors('proofs');
const scenes = file.tests.filter(({ proof, expected, trusted }) => (
  proof !== null && expected.answer !== undefined && trusted !== 'other/0/root' && !proof.includes('folded_opening')));

test('a fold of honest openings gives the same answer, under commitments and under roots', () => {
  const chosen = scenes.filter(({ proof }) => readProof(proof).claims.length > 1);
  assert.ok(chosen.length >= 8);
  for (const { comment, trusted, question, proof, expected } of chosen.slice(0, 12)) {
    const read = readProof(proof);
    const known = file.trusted[trusted];
    const commitmentOf = (vector) => (known.commitments === undefined
      ? read.tie.vectors.find(({ number }) => number === vector).commitment
      : readCommitments(JSON.stringify(known.commitments)).commitmentOf(vector).bytes);
    const one = folded(read, commitmentOf);
    assert.equal(one.folded.length, 96);
    assert.deepEqual(answerJson(verify(trustedOf(known), questionOf(question), one)), expected.answer, comment);
  }
});

test('what is changed behind a fold is refused, as a whole', () => {
  const { trusted, question, proof } = scenes.find(({ trusted: name, proof: text }) => (
    name === 'small/1/commitments' && readProof(text).claims.length > 2));
  const known = readCommitments(JSON.stringify(file.trusted[trusted].commitments));
  const honest = folded(readProof(proof), (vector) => known.commitmentOf(vector).bytes);
  const outcome = (changed) => verdict(known, questionOf(question), { ...honest, ...changed }).refused;
  const isFalse = { class: 'false', item: null, reason: 'AnswerOpeningFalse' };
  const [first, ...others] = honest.claims;
  const forged = { ...first, slot: { ...first.slot, value: Uint8Array.of(1) } };
  assert.deepEqual(outcome({ claims: [forged, ...others] }), isFalse);
  const swapped = concatBytes(honest.folded.subarray(48), honest.folded.subarray(0, 48));
  assert.deepEqual(outcome({ folded: swapped }), isFalse);
  const infinity = Uint8Array.from({ length: 96 }, (_, i) => (i % 48 === 0 ? 0xc0 : 0));
  assert.deepEqual(outcome({ folded: infinity }), isFalse);
  for (const place of [0, 48]) {
    const broken = honest.folded.with(place, 0);
    assert.deepEqual(outcome({ folded: broken }), { class: 'malformed', item: null, reason: 'AnswerOpeningMalformed' });
  }
});

test('openings are folded, or each claim has one', () => {
  const { proof } = scenes[0];
  const json = JSON.parse(proof);
  const both = JSON.stringify({ ...json, folded_opening: `0x${'00'.repeat(96)}` });
  assert.throws(() => readProof(both), { name: 'Unreadable', class: 'malformed' });
  delete json.claims[0].opening;
  assert.throws(() => readProof(JSON.stringify(json)), { name: 'Unreadable' });
});
