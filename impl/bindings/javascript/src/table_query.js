// Queries of tables as text (docs/tables.md, "Queries"): `sum(power) where time < 110 group by town`.
// Only those for totals are read here.

import { bigEndian, concatBytes, equal } from './bytes.js';
import { Refusal, Unreadable } from './reason.js';
import { KeyBox, canonical, everything, greater, intersection, smaller } from './table_box.js';
import { RUN_BYTES, encodeValue, isSigned, isText, partsOf, tablePrefix } from './table_schema.js';

const MOST_BYTES = 65_536;
const MOST_INTERVALS = 1024;

/** The functions of totals, and the highest power that each sums. */
const POWERS = { count: 0, sum: 1, mean: 1, variance: 2, stddev: 2 };
/** The functions that are not verified here. */
const OTHERS = ['min', 'max', 'median', 'percentile_disc', 'percentile_cont', 'top', 'rank', 'row'];

const TOKEN = /[\t\n\f\r ]*(?:([A-Za-z0-9_.-]+)|'((?:[^']|'')*)'|(<=|>=|[(),/=<>]))/uy;

class Words {
  #tokens = [];
  #at = 0;

  constructor(text) {
    if (new TextEncoder().encode(text).length > MOST_BYTES) this.fail(`more than ${MOST_BYTES} bytes`);
    const end = text.search(/[\t\n\f\r ]*$/u);
    for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end;) {
      const from = TOKEN.lastIndex;
      const found = TOKEN.exec(text) ?? this.fail(`nothing that a query has, at character ${from + 1}`);
      const [, word, quoted, sign] = found;
      this.#tokens.push(quoted === undefined ? { word, sign } : { quoted: quoted.replaceAll("''", "'") });
    }
  }

  fail(why) {
    throw new Unreadable(`the query: ${why}`);
  }

  /** Whether the next token is this word or sign, which is then taken. */
  takes(text) {
    const { word, sign } = this.#tokens[this.#at] ?? {};
    const found = (word ?? sign) === text;
    if (found) this.#at += 1;
    return found;
  }

  expect(text) {
    if (!this.takes(text)) this.fail(`${text} is missing`);
  }

  token(what) {
    const token = this.#tokens[this.#at] ?? this.fail(`${what} is missing`);
    this.#at += 1;
    return token;
  }

  word(what) {
    return this.token(what).word ?? this.fail(`${what} is missing`);
  }

  end() {
    if (this.#at < this.#tokens.length) this.fail('something stands behind its end');
  }
}

/** A value of a key column, as bytes. */
function value(words, column) {
  const { word, quoted } = words.token('a value');
  const number = isSigned(column) ? /^-?[0-9]+$/ : /^[0-9]+$/;
  const fits = isText(column) ? quoted !== undefined : word !== undefined && number.test(word);
  const read = fits ? encodeValue(column, isText(column) ? quoted : BigInt(word)) : null;
  return read ?? words.fail(`this is no value of the column ${column.name}`);
}

/** The intervals that a condition asks of its column. */
function condition(words, column) {
  if (words.takes('between')) {
    const low = value(words, column);
    words.expect('and');
    return [{ low, high: value(words, column) }];
  }
  if (words.takes('in')) {
    words.expect('(');
    const listed = [];
    do listed.push(value(words, column)); while (words.takes(','));
    words.expect(')');
    return listed.map((digits) => ({ low: digits, high: digits }));
  }
  const sign = ['=', '<=', '>=', '<', '>'].find((known) => words.takes(known)) ?? words.fail('a comparison is missing');
  const digits = value(words, column);
  const [all] = everything(column.width);
  switch (sign) {
    case '=':
      return [{ low: digits, high: digits }];
    case '<=':
      return [{ low: all.low, high: digits }];
    case '>=':
      return [{ low: digits, high: all.high }];
    default:
      return sign === '<' ? smaller(digits) : greater(digits);
  }
}

/** A query for totals of a table with a schema. */
export class TableQuery {
  constructor(fields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  /** Reads a query. */
  static parse(table, text, schema) {
    const words = new Words(text);
    const name = words.word('a function');
    words.expect('(');
    const columnName = words.word('a value column');
    const column = schema.values.findIndex((known) => known.name === columnName);
    if (column < 0) words.fail(`there is no value column ${columnName}`);
    if (OTHERS.includes(name)) throw new Refusal('FunctionUnknown');
    const powers = name === 'moment' ? moment(words) : Object.hasOwn(POWERS, name) ? POWERS[name] : words.fail(`there is no function ${name}`);
    if (powers > schema.values[column].moments) words.fail(`the column has no sums of powers up to ${powers}`);
    words.expect(')');
    const keyColumn = () => {
      const found = words.word('a key column');
      const place = schema.keys.findIndex((known) => known.name === found);
      return place < 0 ? words.fail(`there is no key column ${found}`) : place;
    };
    const columns = schema.keys.map(({ width }) => ({ width, intervals: everything(width) }));
    if (words.takes('where')) {
      do {
        const place = keyColumn();
        const asked = canonical(condition(words, schema.keys[place]));
        columns[place].intervals = intersection(columns[place].intervals, asked);
        if (columns[place].intervals.length > MOST_INTERVALS) words.fail(`more than ${MOST_INTERVALS} intervals of a column`);
      } while (words.takes('and'));
    }
    const groups = [];
    if (words.takes('group')) {
      words.expect('by');
      do {
        const place = keyColumn();
        if (groups.includes(place)) words.fail(`${schema.keys[place].name} is named twice`);
        groups.push(place);
      } while (words.takes(','));
    }
    words.end();
    return new TableQuery({ table, schema, statistic: name, powers, column, columns, groups });
  }

  /** What the keys of the column's runs begin with. */
  get prefix() {
    return concatBytes(tablePrefix(this.table), Uint8Array.of(1, this.column));
  }

  /** The keys of the runs that the query is about. */
  get box() {
    return new KeyBox(this.prefix, [...this.columns, { width: RUN_BYTES, intervals: everything(RUN_BYTES) }]);
  }

  /** The columns of `group by`. */
  get groupColumns() {
    return this.groups.map((place) => this.schema.keys[place]);
  }

  /** The key of the group that a run is in, by its key columns. */
  groupKey(columns) {
    const parts = partsOf(this.schema.keys, columns);
    return concatBytes(...this.groups.map((place) => parts[place]));
  }

  /** The canonical bytes. */
  toBytes() {
    const name = new TextEncoder().encode(this.table);
    return concatBytes(
      Uint8Array.of(1, name.length), name, Uint8Array.of(this.column, 1), bigEndian(this.powers, 8), bigEndian(0, 8),
      Uint8Array.of(this.groups.length, ...this.groups), Uint8Array.of(this.columns.length),
      ...this.columns.flatMap(({ intervals }) => [
        bigEndian(intervals.length, 2), ...intervals.flatMap(({ low, high }) => [low, high])]));
  }

  /** Whether another query of the same schema asks for the same, by the same name. */
  equals(other) {
    return this.statistic === other.statistic && equal(this.toBytes(), other.toBytes());
  }
}

/** The power of `moment(column, p)`. */
function moment(words) {
  words.expect(',');
  const power = words.word('a number');
  return /^[0-9]{1,9}$/.test(power) && Number(power) > 0 ? Number(power) : words.fail(`${power} is no power`);
}
