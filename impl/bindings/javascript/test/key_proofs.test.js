// Proofs of format 1 that an archive gave, and every lie that we can think of.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProofError, covers, fromHex, readKeyProof, toHex, verifyKey } from 'aardvark-proof';
import { file } from './common.js';

const scenes = JSON.parse(file('impl/bindings/key_proofs.json'));
const trustIn = ({ root, dictionary, vector_size: vectorSize }) => ({ root, dictionary, vectorSize });

test('every proof of an archive gives its answer', () => {
  for (const scene of scenes) {
    for (const { key, answer, proof } of scene.cases) {
      const { version, value, showsPredecessor } = verifyKey(trustIn(scene), fromHex(key), JSON.stringify(proof));
      assert.equal(value && toHex(value), answer, key);
      assert.equal(version, 2n);
      assert.equal(showsPredecessor, false);
    }
  }
});

const scene = scenes[0];
const [other] = scenes.slice(1);
const caseOf = (name) => scene.cases.find(({ key }) => key === toHex(new TextEncoder().encode(name)));
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
  'a root that the visitor does not trust': ({ trust }) => { trust.root = other.root; },
  'a dictionary that the visitor does not name': ({ trust }) => { trust.dictionary = other.dictionary; },
  'a vector size that the visitor does not name': ({ trust }) => { trust.vectorSize = 2; },
  'an unknown field': ({ proof }) => { proof.claims[0].slot.more = '0x'; },
  'a list in the place of a slot': ({ proof }) => { proof.claims[0].slot = Object.values(proof.claims[0].slot); },
  'a list in the place of the root': ({ proof }) => { proof.root = Object.values(proof.root); },
  'three claims': ({ proof }) => { proof.claims = Array(3).fill(proof.claims[0]); },
  'a second claim that is no predecessor': ({ proof }) => { proof.claims.push(proof.claims[0]); proof.root.claims.push(proof.root.claims[0]); },
  'a second claim without a path': ({ proof }) => { proof.claims.push(proof.claims[0]); },
};

test('no lie is believed', () => {
  for (const [name, tell] of Object.entries(lies)) {
    const { key, proof } = structuredClone(caseOf('k7'));
    const told = { proof, trust: trustIn(scene) };
    tell(told);
    assert.throws(() => verifyKey(told.trust, fromHex(key), JSON.stringify(told.proof)), (error) => error instanceof ProofError, name);
  }
});

test('null is no root, and what is malformed is named with its field', () => {
  const { proof } = caseOf('k7');
  for (const [changed, field] of [
    [{ ...proof, root: null }, 'root'],
    [{ ...proof, claims: [{ ...proof.claims[0], slot: [] }] }, 'claims, slot'],
    [{ ...proof, version: null }, 'version'],
  ]) assert.throws(() => readKeyProof(JSON.stringify(changed)), { name: 'Unreadable', message: new RegExp(`^the proof, ${field}: `) });
});

test('a second claim shows the predecessor of a key that is there, and of no other', () => {
  const withSecond = (name, second) => {
    const { key, proof } = structuredClone(caseOf(name));
    const other = structuredClone(caseOf(second)).proof;
    proof.claims.push(...other.claims);
    proof.root.claims.push(...other.root.claims);
    return () => verifyKey(trustIn(scene), fromHex(key), JSON.stringify(proof));
  };
  assert.equal(withSecond('k8', 'k7')().showsPredecessor, true);
  assert.equal(withSecond('k0', 'balance')().showsPredecessor, true);
  for (const [name, second] of [['k8', 'k8'], ['k8', 'balance'], ['k3', 'k3'], ['k3', 'k7']]) {
    assert.throws(withSecond(name, second), { reason: 'NotPredecessor', class: 'false', item: 1 });
  }
});

test('keys at the ends of an interval are covered as the ring says', () => {
  const slot = (key, next) => ({ key: fromHex(key), next: fromHex(next) });
  for (const [key, next, asked, expected] of [
    ['0x61', '0x63', '0x61', true], ['0x61', '0x63', '0x62', true], ['0x61', '0x63', '0x6100', true],
    ['0x61', '0x63', '0x63', false], ['0x61', '0x63', '0x60', false], ['0x61', '0x63', '0x64', false],
    ['0x63', '0x', '0x63', true], ['0x63', '0x', '0xff', true], ['0x63', '0x', '0x62', false],
    ['0x', '0x61', '0x00', true], ['0x', '0x61', '0x61', false], ['0x', '0x', '0x00', true],
  ]) assert.equal(covers(slot(key, next), fromHex(asked)), expected, `${asked} in [${key}, ${next})`);
});
