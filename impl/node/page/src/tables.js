// Tables of private rows: which there are, and statistics of them, which a keeper answers and this browser verifies.

import { ProofError, Question, readSchema, verify, verifyTable } from 'aardvark-proof';
import { drawPlot, isPlottable } from './plot.js';
import { shown } from './text.js';

const byId = (id) => document.getElementById(id);
const encoder = new TextEncoder();

/** The key of a table's schema. */
function schemaKey(table) {
  const name = encoder.encode(table);
  return Uint8Array.of(0x54, name.length, ...name, 0);
}

/** How many of the column's numbers a statistic multiplies with each other: as often its result has their scale. */
function factorsOf(statistic, power) {
  return { count: 0, moment: power, variance: 2, stddev: 2 }[statistic] ?? 1;
}

/** A statistic in the column's own units, or a power of them: a decimal number where it is one, else a fraction. */
function inUnits({ numerator, denominator }, scale) {
  const unit = 10n ** BigInt(scale);
  if (denominator !== 1n) {
    const rounded = Number((numerator * 1000n) / (denominator * unit)) / 1000;
    return scale === 0 ? `${numerator}/${denominator} ≈ ${rounded}` : `≈ ${rounded}`;
  }
  const [sign, size] = numerator < 0n ? ['-', -numerator] : ['', numerator];
  const digits = String(size % unit).padStart(scale, '0');
  return `${sign}${size / unit}${scale === 0 ? '' : `.${digits}`}`;
}

/** The section of tables, on a page that asks with `ask` and knows what is trusted by `trusted`. */
export class Tables {
  #ask;
  #trusted;
  #element;
  #version = null;
  #schemas = new Map();
  #asked = 0;

  constructor({ ask, trusted, element }) {
    this.#ask = ask;
    this.#trusted = trusted;
    this.#element = element;
    byId('table').addEventListener('change', () => this.#choose());
    byId('statistic').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#answer();
    });
  }

  /** Lists the tables of a version that is new. */
  async refresh(version) {
    if (version === this.#version) return;
    this.#version = version;
    const tables = await this.#names();
    const chosen = byId('table').value;
    byId('table').replaceChildren(...tables.map((name) => {
      const option = this.#element('option', String(name));
      option.value = String(name);
      return option;
    }));
    if (tables.includes(chosen)) byId('table').value = chosen;
    byId('tables').hidden = tables.length === 0;
    this.#schemas.clear();
    if (tables.length > 0) await this.#choose();
  }

  /** The names of tables; none of an archive that does not say them. */
  async #names() {
    try {
      const { tables } = await this.#ask('v1/tables', async () => false);
      return Array.isArray(tables) ? tables : [];
    } catch {
      return [];
    }
  }

  /** Shows the columns of the table that is chosen, and a query that can be asked of them. */
  async #choose() {
    const table = byId('table').value;
    byId('found').hidden = true;
    try {
      const { schema, own } = await this.#schema(table);
      if (table !== byId('table').value) return;
      const list = (columns) => columns.map(({ name }) => name).join(', ') || '–';
      byId('columns').textContent = `Keys: ${list(schema.keys)}. Private numbers: ${list(schema.values)}. ${own
        ? 'Proved from the state root that you pasted.' : 'Proved from the root that this archive names.'}`;
      const [value] = schema.values;
      const time = schema.keys.find(({ kind }) => kind < 2);
      const query = value === undefined ? '' : `sum(${value.name})${time === undefined ? '' : ` group by ${time.name}`}`;
      byId('query').value = query;
    } catch (error) {
      byId('columns').textContent = `No columns: ${error.message}`;
    }
  }

  /** A table's schema, proved. */
  async #schema(table) {
    const known = this.#schemas.get(table);
    if (known !== undefined) return known;
    const wait = async () => false;
    const trust = await this.#trusted(wait);
    const key = schemaKey(table);
    const proof = await this.#ask(`v1/tables/${encodeURIComponent(table)}?version=${trust.version}&root=true`, wait, { isText: true });
    const { keys: [{ value }] } = verify(trust, Question.key(key), proof);
    if (value === null) throw new Error('the table is not there');
    const found = { schema: readSchema(value), own: trust.own };
    this.#schemas.set(table, found);
    return found;
  }

  async #answer() {
    const [table, query, number] = [byId('table').value, byId('query').value.trim(), this.#asked += 1];
    const wait = async (seconds) => {
      if (number === this.#asked) this.#say('', `busy; asking again in ${seconds} s …`);
      await new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
      return number === this.#asked;
    };
    byId('found').hidden = false;
    byId('found').setAttribute('aria-busy', 'true');
    byId('plot').replaceChildren();
    byId('groups').replaceChildren();
    this.#say('', 'asking …');
    let given;
    try {
      const trust = await this.#trusted(wait);
      const begun = performance.now();
      given = await this.#given(table, query, trust.version, wait);
      if (number !== this.#asked) return;
      const received = performance.now();
      const finding = verifyTable(trust, table, query, given);
      const { schema } = await this.#schema(table);
      if (number !== this.#asked) return;
      const rests = trust.own ? 'Verified under the state root that you pasted' : 'Verified under the state root that this archive names';
      this.#show(query, finding, schema, `${rests}, in ${(performance.now() - received).toFixed(0)} ms; answered in ${(received - begun).toFixed(0)} ms. `
        + 'That the rows are in order is on whoever checked their certificates.');
    } catch (error) {
      if (number !== this.#asked) return;
      const kind = given === undefined ? 'No answer: ' : 'Not proved: ';
      this.#say('bad', error.message, kind, given !== undefined && error instanceof ProofError && error.class === 'false'
        ? 'Do not believe this answer.' : '');
    } finally {
      if (number === this.#asked) byId('found').setAttribute('aria-busy', 'false');
    }
  }

  /** The text of an answer. How many rows there are every archive shows. */
  async #given(table, query, version, wait) {
    const path = `v1/tables/${encodeURIComponent(table)}/`;
    const asked = { version, query, root: true };
    try {
      return await this.#ask(`${path}query`, wait, { isText: true, body: asked });
    } catch (error) {
      const count = /^count\(\s*([a-z0-9_-]+)\s*\)(?:\s+where\s+(.*))?$/su.exec(query);
      if (error.code !== 'no_vault' || count === null) throw error;
      const [, column, where] = count;
      return this.#ask(`${path}scan`, wait, { isText: true, body: { version, column, where, root: true } });
    }
  }

  #say(kind, text, strong = '', basis = '') {
    byId('said').className = kind;
    byId('said').replaceChildren(...(strong === '' ? [] : [this.#element('strong', strong)]), text);
    byId('rests').textContent = basis;
  }

  #show(query, { groups, runs, version }, schema, basis) {
    const [, statistic, name, power] = /^\s*([a-z_]+)\s*\(\s*([a-z0-9_-]+)\s*(?:,\s*([0-9]+))?/u.exec(query);
    const { scale } = schema.values.find((column) => column.name === name);
    const digits = scale * factorsOf(statistic, Number(power));
    const nameOf = (value) => (value === null ? 'no rows' : `${statistic === 'stddev' ? 'the root of ' : ''}${inUnits(value, digits)}`);
    const keyOf = ({ key }) => key.map((part) => (typeof part === 'bigint' ? String(part) : shown(encoder.encode(part), 24))).join(', ');
    const rows = groups.reduce((sum, group) => sum + group.rows, 0n);
    const many = groups.length === 1 && groups[0].key.length === 0 ? nameOf(groups[0].value) : `${groups.length} groups`;
    this.#say('good', ` ${rows} rows in ${runs} runs, version ${version}`, many, basis);
    if (isPlottable(groups)) byId('plot').append(drawPlot(groups, nameOf, `${query}: ${groups.length} bars from ${keyOf(groups[0])} to ${keyOf(groups.at(-1))}`));
    if (groups[0]?.key.length === 0) return;
    byId('groups').replaceChildren(...groups.slice(0, 200).map((group) => {
      const row = this.#element('tr');
      row.append(...[keyOf(group), nameOf(group.value), `${group.rows} rows`].map((text) => this.#element('td', text)));
      return row;
    }));
  }
}
