// Signed notes (C2SP signed-note): a state root that somebody signed.
//
//     <origin: the dictionary's name>
//     <version, decimal>
//     <base64 of the root>
//
//     — <key name> <base64 of u32 key hash || Ed25519 signature>
//
// Keys and notes are those of the Go package golang.org/x/mod/sumdb/note. Whoever opens a note names
// the keys that must have signed it; signatures by others are left alone.

import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes, equal, sha256 } from './bytes.js';
import { Unreadable, Unsigned } from './reason.js';

/** Most bytes of a note. */
const LARGEST = 2 ** 16;
/** Most signatures of a note. */
const MOST_SIGNATURES = 100;
/** The first byte of an Ed25519 key. */
const ED25519 = 1;

const utf8 = (text) => new TextEncoder().encode(text);

/** Unicode's white space, which no name of a key may have. JavaScript's own takes the byte order mark for such. */
const WHITE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Whether a key can have a name. */
const isName = (name) => Boolean(name) && !name.includes('+') && !WHITE.test(name);

/** A note that all of the keys that its reader named have signed. */
export class Note {
  constructor({ origin, version, root, signatures }) {
    /** The dictionary's name. */
    this.origin = origin;
    this.version = version;
    this.root = root;
    /** Names of keys in the note, and whether the reader named the key, whose signature then holds. */
    this.signatures = signatures;
    Object.freeze(this);
  }
}

/** Bytes of base64 with its padding, the only text that stands for them; null where it is none. */
function base64(text) {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  let found;
  try {
    found = atob(text);
  } catch {
    return null;
  }
  return btoa(found) === text ? Uint8Array.from(found, (letter) => letter.charCodeAt(0)) : null;
}

/** A key's name, hash and public key, of the text `name+hash+base64`. */
function readKey(text) {
  const [name, hash, ...rest] = typeof text === 'string' ? text.trim().split('+') : [];
  const encoded = base64(rest.join('+'));
  if (!isName(name) || !/^[0-9a-f]{8}$/.test(hash ?? '') || encoded === null) {
    throw new Unreadable('the key: not of the form name+hash+base64');
  }
  if (encoded.length !== 33 || encoded[0] !== ED25519) throw new Unreadable('the key: not an Ed25519 key');
  const expected = sha256(concatBytes(utf8(`${name}\n`), encoded)).subarray(0, 4);
  if (!equal(expected, Uint8Array.from(hash.match(/../g), (pair) => Number.parseInt(pair, 16)))) {
    throw new Unreadable('the key: its hash is that of another');
  }
  return { name, hash: expected, publicKey: encoded.subarray(1) };
}

function textOfNote(input) {
  const bytes = typeof input === 'string' ? utf8(input.slice(0, LARGEST + 1)) : input;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a note: text, or its bytes');
  if (bytes.length > LARGEST) throw new Unreadable(`the note: more than ${LARGEST} bytes`);
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable('the note: not UTF-8');
  }
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text)) throw new Unreadable('the note: control characters');
  return text;
}

/** The parts of a signature line. */
function readSignature(line) {
  const [dash, name, encoded, ...rest] = line.split(' ');
  const bytes = base64(encoded ?? '');
  if (dash !== '—' || !isName(name) || rest.length > 0 || bytes === null || bytes.length < 5) {
    throw new Unreadable('the note: a malformed signature line');
  }
  return { name, hash: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** Whether a signature is the key's, by the rules of RFC 8032. */
function isSigned(signature, text, publicKey) {
  try {
    return ed25519.verify(signature, utf8(text), publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/**
 * Opens a note that every one of the `keys`, texts as `aardvark` prints them, has signed. As trusted
 * in `verify` it stands for its root: the proof must then bring along its dictionary's identity,
 * whose name must be the note's origin.
 */
export function openNote(note, keys) {
  const known = keys.map(readKey);
  if (known.length === 0) throw new TypeError('keys: none was given');
  const whole = textOfNote(note);
  const split = whole.lastIndexOf('\n\n');
  const [text, tail] = [whole.slice(0, split + 1), whole.slice(split + 2)];
  if (split < 0 || !tail.endsWith('\n')) throw new Unreadable('the note: no signatures behind an empty line');
  const lines = tail.slice(0, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) throw new Unreadable(`the note: more than ${MOST_SIGNATURES} signatures`);
  const statement = readRoot(text);
  const signatures = lines.map(readSignature);
  const signs = (key, line) => key.name === line.name && equal(key.hash, line.hash);
  for (const key of known) {
    const line = signatures.find((candidate) => signs(key, candidate));
    if (line === undefined) throw new Unsigned('NotSigned', key.name);
    if (!isSigned(line.signature, text, key.publicKey)) throw new Unsigned('SignatureFalse', key.name);
  }
  const found = signatures.map((line) => ({ name: line.name, known: known.some((key) => signs(key, line)) }));
  return new Note({ ...statement, signatures: found });
}

/** What the text of a note says of a root. */
function readRoot(text) {
  const [origin, version, encoded, end, ...rest] = text.split('\n');
  const root = base64(encoded ?? '');
  const isNumber = /^(0|[1-9][0-9]{0,19})$/.test(version ?? '') && BigInt(version) <= 0xffff_ffff_ffff_ffffn;
  const isOrigin = [...origin].some((letter) => !WHITE.test(letter)) && !/[\u007f-\u009f]/.test(origin);
  if (!isOrigin || !isNumber || root?.length !== 32 || end !== '' || rest.length > 0) {
    throw new Unreadable('the note: not the three lines of a root');
  }
  return { origin, version: BigInt(version), root };
}
