// Signed notes with their verdicts: what every reader of notes is tested on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, openNote, toHex } from 'aardvark-proof';
import { vectors } from './common.js';

/** What comes of a note, as the vectors write it. An error of another kind is a test's failure. */
function verdict(note, keys) {
  try {
    const { origin, version, root, signatures } = openNote(note, keys);
    const others = signatures.filter(({ known }) => !known).map(({ name }) => name);
    return { signed: { origin, version, root: toHex(root), others: [...new Set(others)].sort() } };
  } catch (error) {
    if (error?.name === 'Unsigned') return { refused: { reason: error.reason, class: error.class } };
    if (error?.name === 'Unreadable') return { refused: { reason: 'Unreadable', class: error.class } };
    throw error;
  }
}

test('every note has its verdict', () => {
  const { tests } = vectors('notes');
  assert.ok(tests.length >= 80);
  for (const { id, comment, keys, note, bytes, expected: { signed, refused } } of tests) {
    // A version has 64 bits, of which JSON.parse keeps 53: it is compared as the number that it gives.
    const found = verdict(note ?? fromHex(bytes), keys);
    if (found.signed) found.signed.version = Number(found.signed.version);
    assert.deepEqual(found, signed ? { signed } : { refused }, `${id}: ${comment}`);
    if (note !== null) {
      const again = verdict(new TextEncoder().encode(note), keys);
      if (again.signed) again.signed.version = Number(again.signed.version);
      assert.deepEqual(again, found, `${id}, as bytes: ${comment}`);
    }
  }
});
