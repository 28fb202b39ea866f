// The verifier against the vectors that every implementation is tested with.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Malformed, bytes, encodeSlot, slotScalar, verifyOpening } from '../src/verify.js';

const vectors = (name) =>
  JSON.parse(readFileSync(new URL(`../../../../differential-tests/vectors/${name}.json`, import.meta.url))).tests;
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

test('slots are encoded and hashed as everywhere', () => {
  const tests = vectors('slots');
  assert.ok(tests.length >= 10);
  for (const { comment, key, value, next, encoding, scalar } of tests) {
    const slot = { key: bytes(key), value: bytes(value), next: bytes(next) };
    assert.equal(`0x${bytesToHex(encodeSlot(slot))}`, encoding, comment);
    assert.equal(slotScalar(slot), BigInt(scalar), comment);
  }
});

test('openings have the outcome of a strict verifier', () => {
  const tests = vectors('openings_kzg_ceremony');
  assert.ok(tests.length >= 50);
  for (const { id, comment, vector_size, commitment, index, scalar, opening, strict } of tests) {
    // Scalars come from hashing here and are never read; this one is.
    const outcome = BigInt(scalar) >= ORDER ? 'malformed' : outcomeOf(() =>
      verifyOpening(vector_size, bytes(commitment, 'c', 48), index, BigInt(scalar), bytes(opening, 'o', 48)));
    assert.equal(outcome, strict, `${id}: ${comment}`);
  }
});

function outcomeOf(verification) {
  try {
    return verification() ? 'valid' : 'false';
  } catch (error) {
    if (error instanceof Malformed) return 'malformed';
    throw error;
  }
}
