// Proofs with their verdicts: what every verifier in another language is tested on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionOf, trustedOf, vectors, verdict } from './common.js';

test('every proof has the verdict of a strict verifier', () => {
  const { trusted, tests } = vectors('proofs');
  assert.ok(tests.length >= 100);
  for (const { id, comment, trusted: name, question, proof, expected, strict } of tests) {
    if (proof === null) continue;
    const found = verdict(trustedOf(trusted[name]), questionOf(question), proof);
    assert.deepEqual(found, strict ?? expected, `${id}: ${comment}`);
  }
});
