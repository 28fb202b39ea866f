// Slots: the interval of keys that one covers, and the scalar that stands for it under a commitment.

import { hash_to_field } from '@noble/curves/abstract/hash-to-curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bigEndian, compare, concatBytes, sha256 } from './bytes.js';

/** Whether a key lies in the cyclic interval [slot.key, slot.next). */
export function covers({ key: start, next }, key) {
  const [behind, before] = [compare(start, key) <= 0, compare(key, next) < 0];
  return compare(start, next) < 0 ? behind && before : behind || before;
}

/** Whether a key lies in the cyclic interval (slot.key, slot.next]. */
export function precedes({ key: start, next }, key) {
  const [behind, before] = [compare(start, key) < 0, compare(key, next) <= 0];
  return compare(start, next) < 0 ? behind && before : behind || before;
}

/** encode(slot): u16 len(key) || key || u16 len(next) || next || value. */
export function encodeSlot({ key, value, next }) {
  return concatBytes(bigEndian(key.length, 2), key, bigEndian(next.length, 2), next, value);
}

/** hash_to_field of RFC 9380 into the scalar field. */
export function hashToScalar(message, tag) {
  const options = { p: bls12_381.fields.Fr.ORDER, m: 1, k: 128, expand: 'xmd', hash: sha256, DST: tag };
  return hash_to_field(message, 1, options)[0][0];
}

/** The scalar of a slot. */
export function slotScalar(slot) {
  return hashToScalar(encodeSlot(slot), 'AARDVARK-V1-SLOT');
}
