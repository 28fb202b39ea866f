// Roots alone, and notes that say one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { Question, fromHex, openNote, readCommitments, readProof, toHex, verify } from 'aardvark-proof';
import { concatBytes, sha256 } from '../src/bytes.js';
import { idOfIdentity, stateRoot } from '../src/root.js';
import { example, file, vectors, verdict } from './common.js';

test('the id of an identity is that of its dictionary', () => {
  const { tests } = vectors('dictionaries');
  assert.ok(tests.length >= 20);
  for (const { comment, identity, parameters_bytes: parameters, setup_digest: setup, content_digest: content, dictionary_id: id } of tests) {
    const [name, salt, binding] = [identity.name, identity.salt, identity.binding].map((text) => fromHex(text));
    const found = idOfIdentity({ name, salt, binding, parameters: fromHex(parameters), setupDigest: fromHex(setup), contentDigest: fromHex(content) });
    assert.equal(toHex(found), id, comment);
  }
});

const utf8 = (text) => new TextEncoder().encode(text);
const leaf = (commitment) => sha256(concatBytes(Uint8Array.of(0), commitment));
const node = (left, right) => sha256(concatBytes(Uint8Array.of(1), left, right));

/** The example as if it were of a dictionary with this identity: the openings say nothing of it. */
function scene(changes = {}) {
  const known = readCommitments(example('commitments'));
  const parameters = fromHex('0x01000000040000000a00ff040000000100000002000010000000010000000400000004000004000000');
  const identity = {
    name: utf8('packages'), salt: new Uint8Array(32), parameters, contentDigest: new Uint8Array(32), binding: new Uint8Array(),
    setupDigest: fromHex('0xbfe6bde32861347be66bd8af2f1be07c541971b46eb485cfa403eb1a2e846695'), ...changes,
  };
  const [first, second, third] = known.commitments.map((text) => leaf(fromHex(text)));
  const proof = readProof(example('proof'));
  const parts = { size: known.slots, tailStart: 4n, tailDigest: leaf(first), replayDigest: leaf(second), windowDigest: leaf(third) };
  const vectors = [{ number: 1n, commitment: fromHex(known.commitments[1]), path: [first, third] }];
  const tie = { ...parts, commitmentRoot: node(node(first, second), third), vectors, identity };
  const dictionary = idOfIdentity(identity);
  return { proof: { ...proof, dictionary, tie }, root: stateRoot(dictionary, proof.version, tie), dictionary };
}

const question = Question.key('curl');

test('a root alone is enough where the proof brings its dictionary\'s identity', () => {
  const { proof, root, dictionary } = scene();
  const { keys: [{ value }] } = verify({ root }, question, proof);
  assert.deepEqual(value, utf8('curl 1.0'));
  assert.deepEqual(verify({ root: toHex(root) }, question, proof), verify({ root, dictionary, vectorSize: 4 }, question, proof));
});

test('what a proof says of its identity must be the root\'s', () => {
  const { proof, root } = scene();
  const outcome = (changed, trusted = root) => {
    const { class: kind, reason } = verdict({ root: trusted }, question, changed).refused;
    return `${kind} ${reason}`;
  };
  const identity = (changes) => ({ ...proof, tie: { ...proof.tie, identity: { ...proof.tie.identity, ...changes } } });
  assert.equal(outcome({ ...proof, tie: { ...proof.tie, identity: null } }), 'malformed TieMismatched');
  assert.equal(outcome({ ...proof, tie: null }), 'malformed TieMismatched');
  assert.equal(outcome(identity({ name: new Uint8Array() })), 'malformed PartsMalformed');
  assert.equal(outcome(identity({ name: new Uint8Array(256) })), 'malformed PartsMalformed');
  assert.equal(outcome(identity({ parameters: proof.tie.identity.parameters.with(4, 3) })), 'malformed PartsMalformed');
  assert.equal(outcome(identity({ parameters: proof.tie.identity.parameters.with(0, 2) })), 'other OtherScheme');
  assert.equal(outcome(identity({ setupDigest: new Uint8Array(32) })), 'other OtherScheme');
  assert.equal(outcome(identity({ name: utf8('others') })), 'other OtherDictionary');
  const other = scene({ name: utf8('others') });
  assert.equal(outcome(other.proof), 'false RootFalse');
  // Another vector size under the same root is another dictionary.
  const parameters = proof.tie.identity.parameters.with(4, 2);
  const dictionary = idOfIdentity({ ...proof.tie.identity, parameters });
  assert.equal(outcome({ ...identity({ parameters }), dictionary }), 'other OtherVectorSize');
  assert.equal(outcome({ ...identity({ parameters }), dictionary, vectorSize: 2 }), 'malformed TiedVectorsMismatched');
});

// Notes

const base64 = (bytes) => Buffer.from(bytes).toString('base64');
const seed = (number) => new Uint8Array(32).fill(number);

function publisher(name, number) {
  const typed = concatBytes(Uint8Array.of(1), ed25519.getPublicKey(seed(number)));
  const hash = sha256(concatBytes(utf8(`${name}\n`), typed)).subarray(0, 4);
  const line = (text) => `— ${name} ${base64(concatBytes(hash, ed25519.sign(utf8(text), seed(number))))}\n`;
  return { key: `${name}+${toHex(hash).slice(2)}+${base64(typed)}`, line };
}

const [owner, witness, stranger] = [publisher('packages', 1), publisher('witness.example', 2), publisher('stranger', 3)];
const textOf = (root, { origin = 'packages', version = '7' } = {}) => `${origin}\n${version}\n${base64(root)}\n`;
const noteOf = (text, ...signers) => `${text}\n${signers.map(({ line }) => line(text)).join('')}`;

test('a note stands for the root that its publisher signed', () => {
  const { proof, root } = scene();
  const note = openNote(noteOf(textOf(root), witness, owner), [owner.key]);
  assert.deepEqual([note.origin, note.version, toHex(note.root)], ['packages', 7n, toHex(root)]);
  assert.deepEqual(note.signatures, [{ name: 'witness.example', known: false }, { name: 'packages', known: true }]);
  assert.deepEqual(verify(note, question, proof).keys[0].value, utf8('curl 1.0'));
  assert.equal(openNote(Buffer.from(noteOf(textOf(root), witness, owner)), [owner.key, witness.key]).version, 7n);
  const other = (changes) => openNote(noteOf(textOf(root, changes), owner), [owner.key]);
  assert.equal(verdict(other({ origin: 'others' }), question, proof).refused.reason, 'OtherDictionary');
  assert.equal(verdict(other({ version: '8' }), question, proof).refused.reason, 'OtherVersion');
});

test('a note that the publisher has not signed, or another text, is refused', () => {
  const { root } = scene();
  const text = textOf(root);
  const open = (note, ...keys) => () => openNote(note, keys);
  assert.throws(open(noteOf(text, stranger), owner.key), { name: 'Unsigned', reason: 'NotSigned', class: 'other', exitCode: 2 });
  assert.throws(open(noteOf(text, owner), owner.key, witness.key), { reason: 'NotSigned' });
  const replaced = noteOf(text, owner).replace('packages\n7', 'packages\n8');
  assert.throws(open(replaced, owner.key), { name: 'Unsigned', reason: 'SignatureFalse', class: 'false', exitCode: 1 });
});

test('a note that the Go package has signed is opened', () => {
  const { keys, note } = JSON.parse(file('impl/bindings/signed_note.json'));
  const { origin, version, signatures } = openNote(note, keys);
  assert.deepEqual([origin, version, signatures.map(({ known }) => known)], ['packages', 7n, [true, true]]);
  for (const key of keys) assert.throws(() => openNote(note.replace('\n7\n', '\n6\n'), [key]), { reason: 'SignatureFalse' });
});

test('notes and keys that are none are refused', () => {
  const { root } = scene();
  const note = noteOf(textOf(root), owner);
  for (const text of [
    '', '\n\n', note.trimEnd(), note.replace('\n\n', '\n'), note.replace('—', '-'), note.replace('packages\n', '\n'), note.replace('\n7\n', '\n07\n'),
    note.replace('\n7\n', '\n+7\n'), note.replace('\n7\n', '\n18446744073709551616\n'), note.replace('\n7\n', '\n7\r\n'), `more\n${note}`,
    note.replace('\n\n', '\nmore\n\n'), note.replace('packages\n7', 'packages\u0085\n7'), noteOf(textOf(root.subarray(1)), owner),
    note + owner.line('x').repeat(100), note + 'x'.repeat(2 ** 16),
  ]) assert.throws(() => openNote(text, [owner.key]), { name: 'Unreadable' }, text);
  assert.throws(() => openNote(Uint8Array.of(0xff), [owner.key]), { name: 'Unreadable' });
  const [name, hash, key] = owner.key.split('+');
  for (const text of ['', 'x', `${name}+${hash}`, `other+${hash}+${key}`, `${name}+00000000+${key}`, `${name}+${hash}+${key.slice(4)}`, ` +${hash}+${key}`]) {
    assert.throws(() => openNote(note, [text]), { name: 'Unreadable' }, text);
  }
  assert.throws(() => openNote(note, []), TypeError);
});
