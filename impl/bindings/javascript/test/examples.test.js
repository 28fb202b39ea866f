// The examples of the crate aardvark-proof, and the program of the README.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { Question, readCommitments, readProof, verify } from 'aardvark-proof';
import { answerJson, example, file, verdict } from './common.js';

const text = (name) => `0x${Buffer.from(name).toString('hex')}`;
const trusted = readCommitments(example('commitments'));

test('a key and a range are answered', () => {
  const one = verify(trusted, Question.key('curl'), example('proof'));
  assert.equal(one.version, 7n);
  assert.deepEqual(answerJson(one), { keys: [{ key: text('curl'), value: text('curl 1.0') }] });
  const { range: { entries, resume } } = answerJson(verify(trusted, Question.range('c', 'n'), example('range')));
  assert.deepEqual(entries.map(({ key }) => key), ['curl', 'dash', 'git', 'make'].map(text));
  assert.equal(resume, null);
});

test('one opening for a range, under a root alone', () => {
  const root = file('impl/proof/examples/root.txt').trim();
  const answer = verify({ root }, Question.range('c', 'n'), example('together'));
  assert.deepEqual(answer.entries.map(({ key }) => text(key)), ['curl', 'dash', 'git', 'make'].map(text));
  const other = root.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const refused = { class: 'false', item: null, reason: 'RootFalse' };
  assert.deepEqual(verdict({ root: other }, Question.range('c', 'n'), example('together')), { refused });
});

test('a range is complete: each claim left out, doubled or swapped is refused', () => {
  const question = Question.range('c', 'n');
  const { claims, ...rest } = JSON.parse(example('range'));
  const outcome = (others) => verdict(trusted, question, JSON.stringify({ ...rest, claims: others })).refused?.reason;
  claims.forEach((claim, c) => {
    const without = claims.toSpliced(c, 1);
    assert.equal(outcome(without), c === claims.length - 1 ? 'ChainMissing' : 'ChainNotCovering', `without ${c}`);
    const doubled = claims.toSpliced(c, 0, claim);
    assert.equal(outcome(doubled), c === claims.length - 1 ? 'ChainSuperfluous' : 'ChainNotCovering', `twice ${c}`);
    if (c > 0) assert.equal(outcome(claims.with(c, claims[c - 1]).with(c - 1, claim)), 'ChainNotCovering', `swapped ${c}`);
  });
  assert.equal(outcome([]), 'ChainMissing');
});

test('the lowest false opening of a batch is named', () => {
  const question = Question.range('c', 'n');
  const proof = readProof(example('range'));
  const { claims } = proof;
  for (let first = 0; first < claims.length; first += 1) {
    const forged = claims.map((claim, c) => (c < first ? claim : { ...claim, slot: { ...claim.slot, value: Uint8Array.of(c) } }));
    const refused = { class: 'false', item: first, reason: 'AnswerOpeningFalse' };
    assert.deepEqual(verdict(trusted, question, { ...proof, claims: forged }), { refused });
  }
});

test('the programs of this README, and of the repository\'s where it has one, run', () => {
  const programs = (readme) => [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, program]) => program);
  const [own, front] = ['impl/bindings/javascript/README.md', 'README.md'].map((path) => programs(file(path)));
  assert.equal(own.length, 1);
  // Below the package, so that its name is found from there.
  const folder = mkdtempSync(fileURLToPath(new URL('readme-', import.meta.url)));
  try {
    const path = join(folder, 'program.mjs');
    const paths = ['commitments', 'range'].map((name) => fileURLToPath(new URL(`../../../proof/examples/${name}.json`, import.meta.url)));
    for (const program of [...own, ...front]) {
      writeFileSync(path, program);
      const printed = execFileSync(process.execPath, [path, ...paths], { encoding: 'utf8' });
      assert.equal(printed, ['curl', 'dash', 'git', 'make'].map((name) => `${name} ${name} 1.0\n`).join(''));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
