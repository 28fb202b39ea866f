// When a busy archive is asked again: the rule by itself, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askPatiently, isBusy, laterThan } from '../src/patience.js';

const answer = (status, retryAfter) => new Response('text', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });

/** Asks an archive that gives these answers; what it was told to wait, how often it was asked, and what came of it. */
async function asked(answers, isWanted = () => true) {
  const [waits, left, fetched] = [[], [...answers], globalThis.fetch];
  globalThis.fetch = async () => left.shift();
  try {
    const { answer: last } = await askPatiently('v1/status', async (seconds) => { waits.push(seconds); return isWanted(); });
    return { status: last.status, waits, times: answers.length - left.length, later: isBusy(last) ? laterThan(last) : null };
  } finally {
    globalThis.fetch = fetched;
  }
}

test('what is not busy is asked once, whatever it says', async () => {
  for (const status of [200, 404, 408, 422, 500, 502]) {
    assert.deepEqual(await asked([answer(status, '3'), answer(200)]), { status, waits: [], times: 1, later: null });
  }
});

test('a busy archive is asked again after the time that it names, at least a second', async () => {
  assert.deepEqual(await asked([answer(429, '3'), answer(503, '0'), answer(200)]), { status: 200, waits: [3, 1], times: 3, later: null });
});

test('without a time that can be read it is asked later each time, five times in all', async () => {
  for (const said of [undefined, 'Fri, 31 Dec 1999 23:59:59 GMT', '-1', '1.5', '', '99999999999999999999']) {
    const answers = Array.from({ length: 7 }, () => answer(429, said));
    assert.deepEqual(await asked(answers), { status: 429, waits: [1, 2, 4, 8], times: 5, later: 'later' }, said);
  }
});

test('nobody waits for longer than eight seconds at once', async () => {
  assert.deepEqual(await asked([answer(429, '8'), answer(200)]), { status: 200, waits: [8], times: 2, later: null });
  assert.deepEqual(await asked([answer(429, '9'), answer(200)]), { status: 429, waits: [], times: 1, later: 'in 9 s' });
});

test('a question that nobody wants any more is not asked again', async () => {
  assert.deepEqual(await asked([answer(429, '1'), answer(200)], () => false), { status: 429, waits: [1], times: 1, later: 'later' });
});
