// Hostile texts: nothing but this package's errors comes of them, and no other answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProofError, Question, fromHex, openNote, readCommitments, readKeyProof, readProof, verify } from 'aardvark-proof';
import { answerJson, example, file, numbers, questionOf, trustedOf, vectors } from './common.js';

const { trusted: known, tests } = vectors('proofs');
const seeds = tests.filter(({ proof, expected, trusted }) => expected.answer !== undefined && trusted === 'small/1/root' && proof !== null)
  .map(({ trusted, question, proof, expected }) => ({ known: trustedOf(known[trusted]), question: questionOf(question), proof, answer: expected.answer }));
const [alone, all] = [{ root: file('impl/proof/examples/root.txt').trim() }, Question.range('c', 'n')];
seeds.push({ known: alone, question: all, proof: example('together'), answer: answerJson(verify(alone, all, example('together'))) });

/** Words that mean something to a program in JavaScript. */
const NASTY = ['"__proto__"', '"constructor"', '"toString"', '{"__proto__":{"polluted":1}}', 'null', '[]', '{}', '-1', '1e9', '0.5', '1e400',
  '99999999999999999999', '9007199254740993', '""', '"0x"', '"0x0"', '"\\u0000"', '"\\ud800"', 'true', ',', '}', ']', '\u0000', '\ud800'];

function mutated(text, next) {
  // What an earlier mutation left nothing of stays.
  if (text.length === 0) return text;
  const at = next(text.length);
  switch (next(8)) {
    case 0:
      return text.slice(0, at) + '0123456789abcdefx"{}[],:-. \\'[next(28)] + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + next(40));
    case 2:
      return text.slice(0, at) + NASTY[next(NASTY.length)] + text.slice(at);
    case 3:
      return text.slice(0, at);
    case 4: {
      const from = next(text.length);
      return text.slice(0, at) + text.slice(from, from + next(200)) + text.slice(at);
    }
    case 5: {
      // Another digit, which leaves the form as it is.
      const digits = [...text.matchAll(/(?<=0x[0-9a-f]*)[0-9a-f]|\d(?=\d*[,\s}])/g)];
      if (digits.length === 0) return text;
      const { index } = digits[next(digits.length)];
      return text.slice(0, index) + '0123456789'[next(10)] + text.slice(index + 1);
    }
    case 6: {
      // Two values of one length change places.
      const values = [...text.matchAll(/"0x[0-9a-f]+"/g)];
      if (values.length === 0) return text;
      const one = values[next(values.length)];
      const alike = values.filter((value) => value[0].length === one[0].length);
      const [first, second] = [one, alike[next(alike.length)]].sort((a, b) => a.index - b.index);
      const between = text.slice(first.index + first[0].length, second.index);
      return first === second ? text
        : text.slice(0, first.index) + second[0] + between + first[0] + text.slice(second.index + second[0].length);
    }
    default: {
      // A value in the place of another one.
      const values = [...text.matchAll(/"(?:0x)?[0-9a-z_]*"|\d+/g)];
      if (values.length === 0) return text;
      const [one, other] = [values[next(values.length)], values[next(values.length)]];
      const put = next(2) === 0 ? other[0] : NASTY[next(NASTY.length)];
      return text.slice(0, one.index) + put + text.slice(one.index + one[0].length);
    }
  }
}

/** Runs; whether it gave an answer, and not one of this package's errors. */
function answers(run) {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof ProofError) return false;
    throw error;
  }
}

test('mutated proofs give the honest answer or an error of this package', () => {
  const next = numbers(1);
  let holding = 0;
  for (let round = 0; round < 2000; round += 1) {
    const { known: trusted, question, proof, answer } = seeds[round % seeds.length];
    let text = mutated(proof, next);
    if (next(3) === 0) text = mutated(text, next);
    if (answers(() => assert.deepEqual(answerJson(verify(trusted, question, text)), answer, text))) holding += 1;
  }
  assert.ok(holding < 400, `${holding}`);
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.keys(Object.prototype), []);
});

test('mutated bytes of proofs give the honest answer or an error of this package', () => {
  const next = numbers(3);
  const honest = tests.filter(({ bytes, expected, trusted }) => expected.answer !== undefined && trusted === 'small/1/root' && bytes !== null);
  for (let round = 0; round < 600; round += 1) {
    const { trusted, question, bytes, expected } = honest[round % honest.length];
    const changed = fromHex(bytes);
    changed[next(changed.length)] = next(256);
    const cut = next(4) === 0 ? changed.subarray(0, next(changed.length)) : changed;
    answers(() => assert.deepEqual(answerJson(verify(trustedOf(known[trusted]), questionOf(question), cut)), expected.answer));
  }
});

test('mutated commitments, proofs of format 1 and notes are read or refused', () => {
  const next = numbers(2);
  const keyProof = JSON.stringify(JSON.parse(file('impl/bindings/key_proofs.json'))[0].cases[0].proof);
  const note = 'packages\n7\nq0cs0JBFTCSHbjzgsDTNOTLCfnyGxsvEPFTCeSsNSMY=\n\n— packages AAAAAAAA\n';
  for (let round = 0; round < 4000; round += 1) {
    answers(() => readCommitments(mutated(example('commitments'), next)));
    answers(() => readKeyProof(mutated(keyProof, next)));
    answers(() => openNote(mutated(note, next), [mutated('packages+00000000+AAAA', next)]));
  }
});

test('depth, length and numbers without end are refused soon', () => {
  const started = performance.now();
  for (const text of [
    '['.repeat(2 ** 20), '{"format":2,"claims":'.repeat(2 ** 15), `{"format":2,"claims":${'['.repeat(2 ** 20)}`, `{"format":${'9'.repeat(2 ** 20)}}`,
    `{"format":2,"dictionary":"0x${'0'.repeat(2 ** 22)}"}`, `{"format":2,"dictionary":"${'\\u0030'.repeat(2 ** 19)}`, `${'\\"'.repeat(2 ** 20)}`,
    `{"${'\\"'.repeat(2 ** 19)}`, ' '.repeat(2 ** 22), '{"format":2,'.repeat(2 ** 17), 'x'.repeat(64 * 2 ** 20 + 1),
  ]) {
    assert.throws(() => readProof(text), { name: 'Unreadable' });
    assert.throws(() => readProof(new TextEncoder().encode(text)), { name: 'Unreadable' });
  }
  assert.throws(() => readProof(Uint8Array.of(0xff)), { name: 'Unreadable' });
  assert.throws(() => readProof(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b)), { name: 'Unreadable' });
  assert.ok(performance.now() - started < 20_000);
});

test('many claims and paths take time in proportion to the text, and no stack', () => {
  const json = JSON.parse(seeds[0].proof);
  const claims = JSON.stringify({ ...json, claims: Array(60_000).fill(json.claims[0]) });
  assert.throws(() => verify(seeds[0].known, Question.keys(['other']), claims), { reason: 'OtherQuestion' });
  const [vector] = json.root.vectors;
  const path = JSON.stringify({ ...json, root: { ...json.root, vectors: [{ ...vector, path: Array(200_000).fill(vector.path[0]) }] } });
  assert.throws(() => verify(seeds[0].known, seeds[0].question, path), { reason: 'PathFalse', item: 0 });
});
