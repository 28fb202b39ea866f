// Slots and openings against the vectors that every implementation is tested with.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, toHex } from 'aardvark-proof';
import { decodePoint, verifyOpenings } from '../src/openings.js';
import { encodeSlot, slotScalar } from '../src/slot.js';
import { vectors } from './common.js';

const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

test('slots are encoded and hashed as everywhere', () => {
  const { tests } = vectors('slots');
  assert.ok(tests.length >= 10);
  for (const { comment, key, value, next, encoding, scalar } of tests) {
    const slot = { key: fromHex(key), value: fromHex(value), next: fromHex(next) };
    assert.equal(toHex(encodeSlot(slot)), encoding, comment);
    assert.equal(slotScalar(slot), BigInt(scalar), comment);
  }
});

test('openings have the outcome of a strict verifier', () => {
  const { tests } = vectors('openings_kzg_ceremony');
  assert.ok(tests.length >= 50);
  for (const { id, comment, vector_size: size, commitment, index, scalar, opening, strict } of tests) {
    assert.equal(outcome(size, fromHex(commitment), index, BigInt(scalar), fromHex(opening)), strict, `${id}: ${comment}`);
  }
});

function outcome(size, commitment, index, scalar, opening) {
  const point = (bytes) => (bytes.length === 48 ? decodePoint(bytes) : null);
  const [c, pi] = [commitment, opening].map((bytes) => ({ bytes, point: point(bytes) }));
  // Scalars come from hashing and are never read; the file's are.
  if (c.point === null || pi.point === null || scalar >= ORDER) return 'malformed';
  if (index >= size) return 'false';
  return verifyOpenings(size, new Uint8Array(32), 0n, [{ commitment: c, index, scalar, opening: pi }]) ? 'valid' : 'false';
}
