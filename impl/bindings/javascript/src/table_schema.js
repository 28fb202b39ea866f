// Schemas of tables of private rows, and the keys of their runs (docs/tables.md, "Schemas and keys").

import { bigEndian, concatBytes, numberOf } from './bytes.js';
import { Unreadable } from './reason.js';

const NAME = /^[a-z0-9_-]{1,32}$/;
const [UNSIGNED, SIGNED, TEXT] = [0, 1, 2];
/** Bytes of a run's number. */
export const RUN_BYTES = 4;

const fail = (why) => {
  throw new Unreadable(`the schema: ${why}`);
};

/** Whether a text names a table or a column. */
export const isName = (text) => NAME.test(text);

/** A number of 64 bits whose highest stands for the sign. */
const signed = (bytes) => BigInt.asIntN(8 * bytes.length, numberOf(bytes));

/** The legal schema that bytes are. */
export function readSchema(bytes) {
  if (bytes.length > 1024) fail('more than 1,024 bytes');
  let at = 0;
  const take = (length) => {
    if (at + length > bytes.length) fail('bytes are missing');
    return bytes.slice(at, at += length);
  };
  const byte = () => take(1)[0];
  const list = (read) => Array.from({ length: byte() }, read);
  const name = () => {
    const text = String.fromCharCode(...take(byte()));
    return isName(text) ? text : fail('a name that is none');
  };
  if (byte() !== 1) fail('a format that nobody knows');
  const flags = byte();
  if (flags > 2) fail('flags that nobody knows');
  const writers = list(() => take(32));
  const keys = list(() => ({ name: name(), kind: byte(), width: byte() }));
  const values = list(() => ({
    name: name(), lowest: signed(take(8)), span: numberOf(take(8)), bits: byte(), moments: byte(), scale: byte(),
  }));
  const rows = list(name);
  const watermark = take(byte());
  if (at < bytes.length) fail('bytes remain');
  if (writers.length > 8 || keys.length > 8 || values.length > 16) fail('too many columns or writers');
  for (const { kind, width } of keys) {
    if (kind > TEXT || width === 0 || (width > 8 && kind !== TEXT)) fail('a key column of no known kind and width');
  }
  if (keys.reduce((sum, { width }) => sum + width, 0) > 128) fail('more than 128 bytes of key columns');
  for (const { span, bits, moments } of values) {
    if (bits < 8 || bits > 64 || bits % 8 !== 0 || span >> BigInt(bits) > 0n || moments < 1 || moments > 3) {
      fail('a value column without legal bits, span and moments');
    }
  }
  const names = [...keys, ...values].map((column) => column.name).concat(rows);
  if (new Set(names).size !== names.length) fail('two columns of one name');
  if (watermark.length > 0 && !(keys.length > 0 && isPart(keys[0], watermark))) fail('a watermark that is no key');
  return { appendOnly: flags === 1, deletable: flags === 2, keys, values, rows, bytes: Uint8Array.from(bytes) };
}

/** Whether bytes are a value of a key column: of a text, no zero stands before another byte. */
function isPart({ kind, width }, bytes) {
  const end = bytes.indexOf(0);
  return bytes.length === width && (kind !== TEXT || end < 0 || bytes.subarray(end).every((byte) => byte === 0));
}

/** A key column's value as bytes; null where it is none of the column. */
export function encodeValue({ kind, width }, value) {
  if (kind === TEXT) {
    const text = new TextEncoder().encode(value);
    return text.length > width || text.includes(0) ? null : concatBytes(text, new Uint8Array(width - text.length));
  }
  const half = kind === SIGNED ? 1n << BigInt(8 * width - 1) : 0n;
  const number = value + half;
  return number < 0n || number >> BigInt(8 * width) > 0n ? null : bigEndian(number, width);
}

/** The value that bytes of a key column are: a bigint, or a text, in which what is no UTF-8 is replaced. */
function decodeValue({ kind, width }, bytes) {
  if (kind === TEXT) return new TextDecoder().decode(bytes).replace(/\0+$/, '');
  return numberOf(bytes) - (kind === SIGNED ? 1n << BigInt(8 * width - 1) : 0n);
}

/** The parts of key columns, which stand one after the other. */
export function partsOf(columns, bytes) {
  let at = 0;
  return columns.map(({ width }) => bytes.subarray(at, at += width));
}

/** The values of key columns. */
export const valuesOf = (columns, bytes) => partsOf(columns, bytes).map((part, i) => decodeValue(columns[i], part));

export const isText = ({ kind }) => kind === TEXT;
export const isSigned = ({ kind }) => kind === SIGNED;
export const isUnsigned = ({ kind }) => kind === UNSIGNED;

/** What the keys of a table begin with. */
export function tablePrefix(table) {
  const name = new TextEncoder().encode(table);
  return concatBytes(Uint8Array.of(0x54, name.length), name);
}

/** The key columns of a run's key behind the column's prefix; null where it is none. */
export function columnsOfHead(schema, prefix, key) {
  const width = schema.keys.reduce((sum, column) => sum + column.width, 0);
  if (key.length !== prefix.length + width + RUN_BYTES) return null;
  const columns = key.subarray(prefix.length, prefix.length + width);
  return partsOf(schema.keys, columns).every((part, i) => isPart(schema.keys[i], part)) ? columns : null;
}
