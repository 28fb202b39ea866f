// Bytes as people read them, and as the command line takes them.

import { fromHex, toHex as hex } from 'aardvark-proof';

/** The bytes that a person typed: text, or hexadecimal behind 0x. */
export function keyOf(text) {
  if (!text.startsWith('0x')) return new TextEncoder().encode(text);
  if (!/^0x([0-9a-f]{2})+$/.test(text)) throw new Error('after 0x come lower-case hexadecimal digits, two a byte');
  return fromHex(text);
}

/** Printable text as it is, anything else as hexadecimal; long ones shortened in the middle. */
export function shown(bytes, most = 66) {
  if (bytes.length === 0) return '(empty)';
  const text = readable(bytes);
  const end = Math.floor(most / 3);
  return text.length <= most ? text : `${text.slice(0, most - end - 1)}…${text.slice(-end)}`;
}

function readable(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Letters, numbers, punctuation, symbols and single spaces; nothing that hides or turns text around.
    if (/^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(text) && !text.startsWith('0x')) return text;
  } catch { /* not UTF-8 */ }
  return hex(bytes);
}

/** A number that is 8 bytes, as balances are; null for other lengths. */
export function amountOf(bytes) {
  return bytes.length === 8 ? BigInt(hex(bytes)) : null;
}
