// Byte strings: their notation as hexadecimal, their order, integers as bytes, the tagged hash.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { Unreadable } from './reason.js';

export { concatBytes, sha256 };

/** The largest number of 32 bits. */
export const U32 = 0xffff_ffffn;
/** The largest number of 64 bits. */
export const U64 = 0xffff_ffff_ffff_ffffn;

/** `0x` and two lower-case digits a byte. */
export function toHex(bytes) {
  return `0x${bytesToHex(bytes)}`;
}

/**
 * The bytes that `text` stands for: `0x` and pairs of lower-case digits, the only text that `toHex`
 * writes for them. Exactly `length` of them where that is given.
 */
export function fromHex(text, what = 'the text', length = undefined) {
  if (typeof text !== 'string' || !text.startsWith('0x')) throw new Unreadable(`${what} is not hexadecimal, which starts with 0x`);
  const digits = text.slice(2);
  if (/[^0-9a-f]/.test(digits)) throw new Unreadable(`${what} is not hexadecimal in lower-case digits`);
  if (digits.length % 2 === 1) throw new Unreadable(`${what} is not hexadecimal: an odd number of digits`);
  if (length !== undefined && digits.length !== 2 * length) {
    throw new Unreadable(`${what} has ${digits.length / 2} bytes where ${length} are needed`);
  }
  return hexToBytes(digits);
}

/** The bytes of what a caller gives as a key: bytes as they are, text in UTF-8. */
export function asBytes(key) {
  if (key instanceof Uint8Array) return Uint8Array.from(key);
  if (typeof key === 'string') return utf8ToBytes(key);
  throw new TypeError('a key is text or a Uint8Array');
}

/** The bytes of a digest that a caller gives: 32 bytes, or their hexadecimal. */
export function asDigest(digest, what) {
  if (typeof digest === 'string') return fromHex(digest, what, 32);
  if (digest instanceof Uint8Array && digest.length === 32) return Uint8Array.from(digest);
  throw new TypeError(`${what}: 32 bytes, or their hexadecimal after 0x`);
}

/** Below 0, 0 or above 0, as `a` comes before, is, or comes after `b` in lexicographic order. */
export function compare(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    if (a[i] !== b[i]) return a[i] - b[i];
  }
  return a.length - b.length;
}

export const equal = (a, b) => compare(a, b) === 0;

/** A number as so many bytes, the highest first; it must fit. */
export function bigEndian(value, length) {
  return hexToBytes(BigInt(value).toString(16).padStart(2 * length, '0'));
}

/** The number that bytes are, the highest first. */
export function numberOf(bytes) {
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}

/** H(tag, x) = SHA-256(u8 len(tag) || tag || x), with x in parts, of which there may be many. */
export function taggedHash(tag, parts) {
  const hash = sha256.create().update(Uint8Array.of(tag.length)).update(utf8ToBytes(tag));
  for (const part of parts) hash.update(part);
  return hash.digest();
}
