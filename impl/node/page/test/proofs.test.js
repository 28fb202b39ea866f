// The verifier against proofs that an archive gave, and against every lie that we can think of.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bytesToHex } from '@noble/hashes/utils.js';
import { False, Malformed, bytes, covers, verify } from '../src/verify.js';

const scenes = JSON.parse(readFileSync(new URL('proofs.json', import.meta.url)));
const trustIn = (scene) => ({
  root: bytes(scene.root, 'root', 32), dictionary: bytes(scene.dictionary, 'dictionary', 32), vectorSize: scene.vector_size,
});

test('every proof of an archive gives its answer', () => {
  for (const scene of scenes) {
    for (const { key, answer, proof } of scene.cases) {
      const found = verify(proof, bytes(key, 'key'), trustIn(scene));
      assert.equal(found.present, answer !== null, key);
      assert.equal(found.present ? `0x${bytesToHex(found.value)}` : null, answer, key);
    }
  }
});

const scene = scenes[0];
const [other] = scenes.slice(1);
const caseOf = (name) => scene.cases.find(({ key }) => key === `0x${bytesToHex(new TextEncoder().encode(name))}`);
const flip = (text, place = 10) => text.slice(0, place) + (text[place] === '0' ? '1' : '0') + text.slice(place + 1);

/** Each lie changes an honest proof (present key k7), the key asked for, or what is trusted. */
const lies = {
  'another value': ({ proof }) => { proof.claims[0].slot.value = '0x01'; },
  'another next key, to hide what lies between': ({ proof }) => { proof.claims[0].slot.next = '0x7a'; },
  'another slot key': ({ proof }) => { proof.claims[0].slot.key = '0x6b36'; },
  'another position': ({ proof }) => { proof.claims[0].position += 1; },
  'the same index in another vector': ({ proof }) => { proof.claims[0].position += 4; },
  'a position that is not in use': ({ proof }) => { proof.claims[0].position = proof.root.size; },
  'a fraction as position': ({ proof }) => { proof.claims[0].position = 0.5; },
  'a negative position': ({ proof }) => { proof.claims[0].position = -1; },
  'another opening': ({ proof }) => { proof.claims[0].opening = caseOf('k0').proof.claims[0].opening; },
  'the opening at infinity': ({ proof }) => { proof.claims[0].opening = `0xc0${'00'.repeat(47)}`; },
  'another commitment': ({ proof }) => { proof.root.claims[0].commitment = caseOf('k0').proof.root.claims[0].commitment; },
  'a commitment that is no point': ({ proof }) => { proof.root.claims[0].commitment = `0x${'11'.repeat(48)}`; },
  'a path with another digest': ({ proof }) => { proof.root.claims[0].path[0] = flip(proof.root.claims[0].path[0]); },
  'a path that is too short': ({ proof }) => { proof.root.claims[0].path.pop(); },
  'a path that is too long': ({ proof }) => { proof.root.claims[0].path.push(`0x${'00'.repeat(32)}`); },
  'a path without end': ({ proof }) => { proof.root.claims[0].path = Array(10_000).fill(`0x${'00'.repeat(32)}`); },
  'another size': ({ proof }) => { proof.root.size += 1; },
  'another version': ({ proof }) => { proof.root.version += 1; proof.version += 1; },
  'two versions': ({ proof }) => { proof.version += 1; },
  'another tail start': ({ proof }) => { proof.root.tail_start += 4; },
  'another commitment root': ({ proof }) => { proof.root.commitment_root = flip(proof.root.commitment_root); },
  'another tail digest': ({ proof }) => { proof.root.tail_digest = flip(proof.root.tail_digest); },
  'another replay digest': ({ proof }) => { proof.root.replay_digest = flip(proof.root.replay_digest); },
  'another window digest': ({ proof }) => { proof.root.window_digest = flip(proof.root.window_digest); },
  'no root': ({ proof }) => { delete proof.root; },
  'no claim': ({ proof }) => { proof.claims = []; },
  'the claims of another key': ({ proof }) => { Object.assign(proof, { claims: caseOf('k0').proof.claims, root: caseOf('k0').proof.root }); },
  'the proof of another key': ({ proof }) => { Object.assign(proof, caseOf('k0').proof); },
  'another dictionary': ({ proof }) => { proof.dictionary = other.dictionary; },
  'another vector size': ({ proof }) => { proof.vector_size = 8; },
  'another scheme': ({ proof }) => { proof.scheme = 'libert-yung'; },
  'upper-case digits': ({ proof }) => { proof.claims[0].opening = proof.claims[0].opening.toUpperCase().replace('0X', '0x'); },
  'numbers in the place of text': ({ proof }) => { proof.claims[0].slot.value = 7; },
  'a root that the visitor does not trust': ({ trust }) => { trust.root = bytes(other.root, 'root', 32); },
  'a dictionary that the visitor does not name': ({ trust }) => { trust.dictionary = bytes(other.dictionary, 'd', 32); },
  'a vector size that the visitor does not name': ({ trust }) => { trust.vectorSize = 2; },
  'a vector size that the proof says too': ({ proof, trust }) => { trust.vectorSize = 3; proof.vector_size = 3; },
};

test('no lie is believed', () => {
  for (const [name, tell] of Object.entries(lies)) {
    const { key, proof } = structuredClone(caseOf('k7'));
    const told = { proof, trust: trustIn(scene) };
    tell(told);
    const refused = (error) => error instanceof False || error instanceof Malformed;
    assert.throws(() => verify(told.proof, bytes(key, 'key'), told.trust), refused, name);
  }
});

test('keys at the ends of an interval are covered as the ring says', () => {
  const slot = (key, next) => ({ key: bytes(key), next: bytes(next) });
  for (const [key, next, asked, expected] of [
    ['0x61', '0x63', '0x61', true], ['0x61', '0x63', '0x62', true], ['0x61', '0x63', '0x6100', true],
    ['0x61', '0x63', '0x63', false], ['0x61', '0x63', '0x60', false], ['0x61', '0x63', '0x64', false],
    ['0x63', '0x', '0x63', true], ['0x63', '0x', '0xff', true], ['0x63', '0x', '0x62', false],
    ['0x', '0x61', '0x00', true], ['0x', '0x61', '0x61', false], ['0x', '0x', '0x00', true],
  ]) assert.equal(covers(slot(key, next), bytes(asked)), expected, `${asked} in [${key}, ${next})`);
});
