// A reader of JSON texts whose form is known beforehand.
//
// It refuses what `JSON.parse` takes: unknown, repeated and missing fields, numbers that are not
// whole or do not fit. Numbers keep all their 64 bits. Nothing is built but what the form has, so
// neither depth nor names in a hostile text matter, and memory follows the text's length.

import { fromHex } from './bytes.js';
import { Unreadable } from './reason.js';

/** The text of bytes or of text, of at most so many bytes. */
export function textOf(input, most, what) {
  if (typeof input !== 'string' && !(input instanceof Uint8Array)) {
    throw new TypeError(`${what}: JSON as text, or its bytes`);
  }
  if (input.length > most) throw new Unreadable(`${what}: more than ${most} bytes`);
  if (typeof input === 'string') return input;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    throw new Unreadable(`${what}: not UTF-8`);
  }
}

/** A field that may be missing, and is not `null`. */
export const optional = (read) => Object.assign((json) => read(json), { optional: true });

export class JsonReader {
  #text;
  #what;
  #fields = [];
  #at = 0;

  constructor(text, what) {
    this.#text = text;
    this.#what = what;
  }

  fail(why) {
    throw new Unreadable(`${this.#place()}: ${why} (at ${this.#at})`);
  }

  /** What is read, and the field in it. */
  #place() {
    return [this.#what, ...this.#fields].join(', ');
  }

  #skip() {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #take(token) {
    this.#skip();
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token) {
    if (!this.#take(token)) this.fail(`${token} is missing`);
  }

  /** Text. */
  string() {
    this.#expect('"');
    const start = this.#at;
    let end = this.#text.indexOf('"', start);
    if (end < 0) this.fail('text without an end');
    const plain = this.#text.slice(start, end);
    if (!/[\\\u0000-\u001f]/.test(plain)) {
      this.#at = end + 1;
      return plain;
    }
    for (end = start; this.#text[end] !== '"'; end += 1) {
      if (end >= this.#text.length) this.fail('text without an end');
      if (this.#text[end] === '\\') end += 1;
    }
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start - 1, end + 1));
    } catch {
      return this.fail('text with an escape that is none');
    }
  }

  /** A whole number from 0 to `most`, as a bigint. */
  integer(most) {
    this.#skip();
    const start = this.#at;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (!(code >= 0x30 && code <= 0x39)) break;
      this.#at += 1;
    }
    const length = this.#at - start;
    if (length === 0 || length > 20 || (length > 1 && this.#text[start] === '0')) this.fail('not a whole number');
    const value = BigInt(this.#text.slice(start, this.#at));
    return value <= most ? value : this.fail(`a number above ${most}`);
  }

  /** Bytes in hexadecimal, at most `most` of them. */
  hex(what, most) {
    const text = this.string();
    if (text.length > 2 + 2 * most) this.fail(`${what}: more than ${most} bytes`);
    return fromHex(text, `${this.#place()}: ${what}`);
  }

  /** Exactly `length` bytes in hexadecimal. */
  bytes(what, length) {
    return fromHex(this.string(), `${this.#place()}: ${what}`, length);
  }

  /** A list, each item of which `read` reads. */
  list(read) {
    const items = [];
    this.#expect('[');
    if (this.#take(']')) return items;
    do items.push(read(this)); while (this.#take(','));
    this.#expect(']');
    return items;
  }

  /** An object that has exactly these fields, each read by its function. */
  object(fields) {
    const found = Object.create(null);
    this.#expect('{');
    if (!this.#take('}')) {
      do {
        const name = this.string();
        if (!Object.hasOwn(fields, name)) this.fail(`unknown field ${JSON.stringify(name.slice(0, 40))}`);
        if (name in found) this.fail(`duplicate field ${name}`);
        this.#expect(':');
        this.#fields.push(name);
        found[name] = fields[name](this);
        this.#fields.pop();
      } while (this.#take(','));
      this.#expect('}');
    }
    for (const [name, read] of Object.entries(fields)) {
      if (!(name in found) && read.optional !== true) this.fail(`missing field ${name}`);
    }
    return { ...found };
  }

  /** Nothing but white space may follow. */
  end() {
    this.#skip();
    if (this.#at < this.#text.length) this.fail('something follows the end');
  }
}

/** What a text of a known form says. */
export function readJson(input, most, what, read) {
  const reader = new JsonReader(textOf(input, most, what), what);
  const value = read(reader);
  reader.end();
  return value;
}

/** The field `format`, which must be this number. */
export function formatField(wanted) {
  return (json) => {
    const found = json.integer(0xffff_ffff_ffff_ffffn);
    if (found !== BigInt(wanted)) json.fail(`format ${found}, where format ${wanted} is read`);
    return wanted;
  };
}
