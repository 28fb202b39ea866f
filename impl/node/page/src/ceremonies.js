// Ceremonies of a mixnet, on a board: what the board judges its posts to say. None of it is verified here.

import { shown } from './text.js';

const byId = (id) => document.getElementById(id);
const STAGES = ['dealing', 'verdicts', 'open', 'mixing', 'decrypting', 'done'];
const encoder = new TextEncoder();

/** Text from outside: nothing in it hides, or turns what stands around it. */
const text = (value, most) => (typeof value === 'string' ? shown(encoder.encode(value), most) : '–');
/** Bytes in hexadecimal, shortened in the middle. */
const bytes = (value) => (/^0x[0-9a-f]*$/.test(value) ? (value.length <= 24 ? value : `${value.slice(0, 14)}…${value.slice(-8)}`) : '–');
const number = (value) => (Number.isSafeInteger(value) ? value.toLocaleString('en') : '–');
const list = (value) => (Array.isArray(value) ? value : []);
const counted = (count, one) => `${number(count)} ${one}${count === 1 ? '' : 's'}`;

/** The section of ceremonies, on a page that asks with `ask`. */
export class Ceremonies {
  #ask;
  #element;
  #version = null;
  #isBoard = true;

  constructor({ ask, element }) {
    this.#ask = ask;
    this.#element = element;
  }

  /** Asks again where the server has a version that was not judged yet. */
  async refresh(version) {
    if (!this.#isBoard || version === this.#version) return;
    let said;
    try {
      said = await this.#ask('v1/ceremonies', async () => false);
    } catch (error) {
      // An archive that is no board has no such path.
      this.#isBoard = error.code !== 'not_found';
      return;
    }
    this.#version = said.version;
    const ceremonies = list(said.ceremonies);
    byId('ceremonies').hidden = ceremonies.length === 0 && said.judged !== false;
    byId('judged').textContent = said.judged === false
      ? `There is too much on this board to be judged here (version ${number(said.version)}). “aardvark mixnet status” does.`
      : `Judged by this board at version ${number(said.version)}; this page verifies none of it. “aardvark mixnet verify” verifies all, under a root.`;
    byId('ceremony-list').replaceChildren(...ceremonies.map((ceremony) => this.#ceremony(ceremony)));
    byId('more').textContent = said.more > 0 ? `${counted(said.more, 'more ceremony').replace(/ys$/, 'ies')} on the board.` : '';
  }

  #ceremony({ title, number: numbered, stage, servers, inputs, labels, outputs, queries, asked, faults, faulty, missing }) {
    const made = this.#element('article');
    made.append(this.#element('h3', [`${text(title, 200)} `, this.#element('small', `ceremony ${number(numbered)}`)]));
    if (stage !== undefined) made.append(this.#stages(stage));
    const of = Object.entries(labels ?? {}).map(([label, count]) => `${text(label)}: ${number(count)}`).join(', ');
    const facts = [
      inputs === undefined ? '' : `${counted(inputs, 'input')}${of === '' ? '' : ` (valid: ${of})`}`,
      Number.isSafeInteger(outputs) ? counted(outputs, 'output') : '',
      missing > 0 ? `bodies of ${counted(missing, 'post')} are missing` : '',
    ].filter((fact) => fact !== '');
    made.append(this.#element('p', facts.join('; '), 'quiet'));
    made.append(...this.#table('servers', ['Server', 'Has posted', 'Is to post'], list(servers).map(({ server, posted, due }) => [
      number(server), list(posted).map((kind) => text(kind)).join(', ') || '–', number(due),
    ])));
    made.append(...this.#table('queries', ['Query', 'Asks', 'Stands', 'Answer'], list(queries).map((query) => [
      bytes(query.query), `trace-${text(query.direction)}, ${text(query.reveal)}`, text(query.stage), this.#answer(query),
    ]), asked));
    made.append(...this.#table('faults', ['Fault', 'Whose', 'Post'], list(faults).map(({ fault, server, author, post }) => [
      this.#element('strong', text(fault)), server === null || server === undefined ? bytes(author) : `server ${number(server)}`, bytes(post),
    ]), faulty));
    return made;
  }

  /** All stages in their order, with the one that it is at. */
  #stages(stage) {
    const made = this.#element('ol', undefined, 'stages');
    const known = STAGES.includes(stage) ? STAGES : [text(stage)];
    made.append(...known.map((name) => {
      const item = this.#element('li', name);
      if (name === stage) item.setAttribute('aria-current', 'step');
      return item;
    }));
    return made;
  }

  #answer({ direction, count, yes, no, answers, stage, private: isPrivate }) {
    if (Number.isSafeInteger(count)) return counted(count, 'yes').replace(/s$/, '');
    if (!Number.isSafeInteger(yes)) return isPrivate && stage === 'answered' ? 'for its querier alone' : '–';
    const made = this.#element('details');
    made.append(this.#element('summary', `${number(yes)} yes, ${number(no)} no`));
    const what = direction === 'in' ? 'input' : 'output';
    const bits = list(answers).map(({ place, about, answer }) => `${what} ${number(place)} (${text(about)}): ${answer === true ? 'yes' : 'no'}`);
    made.append(this.#element('p', bits.join(', ')));
    return made;
  }

  /** A table under its heading, unless it is empty; `whole` says how many rows there are where not all are here. */
  #table(name, heads, rows, whole = rows.length) {
    if (rows.length === 0) return [];
    const [table, head, body] = ['table', 'thead', 'tbody'].map((part) => this.#element(part));
    const row = (cell, contents) => {
      const made = this.#element('tr');
      made.append(...contents.map((content) => this.#element(cell, content)));
      // Where there is no room for the table's head, each cell says what it is.
      [...made.children].forEach((child, place) => { child.dataset.head = heads[place]; });
      return made;
    };
    table.className = name;
    head.append(row('th', heads));
    body.append(...rows.map((cells) => row('td', cells)));
    table.append(head, body);
    const more = whole > rows.length ? [this.#element('p', `${number(rows.length)} of ${number(whole)} are shown.`, 'quiet')] : [];
    return [table, ...more];
  }
}
