// Proofs with their verdicts: what every verifier in another language is tested on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromHex, readProof } from 'aardvark-proof';
import { bigEndian } from '../src/bytes.js';
import { freshProofs, questionOf, trustedOf, vectors, verdict } from './common.js';

const files = [['every proof', vectors('proofs')], ...freshProofs().map((file) => ['every fresh proof', file])];
for (const [which, { about, trusted, tests }] of files) test(`${which} has the verdict of a strict verifier`, () => {
  assert.ok(tests.length >= 100, about);
  for (const { id, comment, trusted: name, question, proof, bytes, expected, strict } of tests) {
    const known = trustedOf(trusted[name]);
    if (proof !== null) assert.deepEqual(verdict(known, questionOf(question), proof), strict ?? expected, `${about} ${id}: ${comment}`);
    // What text and bytes say is the same; so is what comes of it.
    if (bytes !== null && proof !== null) assert.deepEqual(readProof(fromHex(bytes)), readProof(proof), `${about} ${id}, as bytes: ${comment}`);
    else if (bytes !== null) assert.deepEqual(verdict(known, questionOf(question), fromHex(bytes)), strict ?? expected, `${about} ${id}: ${comment}`);
  }
});

test('bytes of a folded proof and of an identity are read, and no beginning of them', () => {
  const { bytes } = vectors('proofs').tests.find(({ trusted, proof }) => trusted === 'small/1/root' && proof !== null);
  const plain = readProof(fromHex(bytes));
  const name = utf8ToBytes('packages');
  const identity = concatBytes(Uint8Array.of(name.length), name, new Uint8Array(32 + 41 + 32 + 32), bigEndian(3, 4), Uint8Array.of(1, 2, 3));
  const [{ position, slot: { key, next, value } }] = plain.claims;
  const one = (text) => concatBytes(Uint8Array.of(text.length), text);
  const { tie } = plain;
  const folded = concatBytes(
    Uint8Array.of(3), plain.dictionary, Uint8Array.of(1), bigEndian(plain.vectorSize, 4), bigEndian(plain.version, 8),
    Uint8Array.of(1), one(key), one(next), Uint8Array.of(1), bigEndian(9, 8), new Uint8Array(96).fill(7), bigEndian(1, 4),
    bigEndian(position, 8), one(key), one(next), bigEndian(value.length, 2), value, Uint8Array.of(2), bigEndian(tie.size, 8), bigEndian(tie.tailStart, 8),
    tie.commitmentRoot, tie.tailDigest, tie.replayDigest, tie.windowDigest, bigEndian(0, 4), identity);
  const read = readProof(folded);
  assert.deepEqual(read.question, { kind: 'range', from: key, to: next, limit: 9n });
  assert.deepEqual(read.folded, new Uint8Array(96).fill(7));
  assert.deepEqual(read.claims, [{ position, slot: { key, next, value } }]);
  assert.deepEqual(read.tie.identity.name, name);
  assert.deepEqual(read.tie.identity.binding, Uint8Array.of(1, 2, 3));
  for (const whole of [folded, fromHex(bytes)]) {
    for (let end = 0; end < whole.length; end += 1) assert.throws(() => readProof(whole.subarray(0, end)), { name: 'Unreadable' });
    assert.throws(() => readProof(concatBytes(whole, Uint8Array.of(0))), { name: 'Unreadable' });
  }
});
