// An archive with something in it, made and served by the command itself.

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export const PROGRAM = process.env.AARDVARK ?? new URL('../../../../target/debug/aardvark', import.meta.url).pathname;

/** Small vectors, so that the keys fill several and every path has digests. */
export const VECTOR_SIZE = 64;
export const WINDOW = 10;
/** What is changed, deleted, added to, and what must never become markup. */
export const [CHANGED, DELETED, BALANCE] = ['key-100', 'key-150', 'balance'];
export const HOSTILE = {
  key: `<img src=x onerror="document.title='taken'">`,
  value: `</code><script>document.title='taken'</script><a href="javascript:document.title='taken'">x</a>`,
};
/** Longer than any line. */
export const LONG = { key: 'l'.repeat(255), value: 'w'.repeat(1024) };

const keyOf = (number) => `key-${String(number).padStart(3, '0')}`;
const imported = [
  ...Array.from({ length: 300 }, (_, number) => ({ key: keyOf(number), value: `value of ${keyOf(number)}` })),
  HOSTILE, LONG,
  { key: 'turned \u202e around', value: 'a key that hides its direction' },
];
/** A list of transactions a block. */
const blocks = [
  [[{ put: { key: CHANGED, value: 'changed' } }], [{ add: { key: BALANCE, amount: 1000 } }]],
  [[{ delete: { key: DELETED } }]],
  [[{ add: { key: BALANCE, amount: 7 } }], [{ put: { key: 'key-200', value: 'later' } }], [{ put: { key: 'key-999', value: 'new' } }]],
];
/** Of each height, from the newest: height, kind, accepted. */
export const HEIGHTS = [['4', 'transactions', '3'], ['3', 'transactions', '1'], ['2', 'transactions', '2'], ['1', 'import', '303'], ['0', 'genesis', '0']];
export const VERSION = 4;

const lines = (items) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
let nonce = 0;
const transaction = (operations) => {
  nonce += 1;
  return { first_valid: 1, last_valid: 1 + WINDOW, nonce: `0x${nonce.toString(16).padStart(32, '0')}`, operations, claims: [] };
};

/** Makes an archive in a temporary folder and serves it; `url`, and `stop` for the end. */
export async function serveArchive() {
  const folder = await mkdtemp(join(tmpdir(), 'aardvark-page-'));
  const aardvark = (...words) => promisify(execFile)(PROGRAM, words);
  const [dictionary, file] = [join(folder, 'dictionary'), join(folder, 'in.jsonl')];
  await aardvark('init', dictionary, '--vector-size', String(VECTOR_SIZE), '--window', String(WINDOW));
  await writeFile(file, lines(imported));
  await aardvark('import', dictionary, file);
  for (const block of blocks) {
    await writeFile(file, lines(block.map(transaction)));
    await aardvark('apply', dictionary, file);
  }
  return serve('archive', dictionary, () => rm(folder, { recursive: true }));
}

/** Rows of a day: a number for each hour and home, more in the evening; and what the hours add up to. */
const homes = ['ada', 'bob', 'cyd'];
const power = (hour, home) => (hour === 4 ? 0 : 100 + 37 * home + 40 * Math.max(0, 6 - Math.abs(19 - hour)) + 3 * hour);
export const HOURS = Array.from({ length: 24 }, (_, hour) => ({ hour, sum: homes.reduce((sum, _, home) => sum + power(hour, home), 0) }));

/** Makes a dictionary with a table in a temporary folder; a keeper serves it, and an archive after it. */
export async function serveTable() {
  const folder = await mkdtemp(join(tmpdir(), 'aardvark-table-'));
  const aardvark = (...words) => promisify(execFile)(PROGRAM, words);
  const [dictionary, file] = [join(folder, 'dictionary'), join(folder, 'rows.csv')];
  await aardvark('init', dictionary, '--vector-size', String(VECTOR_SIZE));
  await aardvark('table', 'create', dictionary, 'meters', '--key', 'hour:u32', '--key', 'town:text12', '--value', 'power:0..=20000', '--value', 'heat:0.0..=9.9', '--row', 'user');
  const rows = HOURS.flatMap(({ hour }) => homes.map((home, number) => `${hour},${number === 0 ? 'Bern' : 'Chur'},${power(hour, number)},${1.5 + (hour % 2)},${home}\n`));
  await writeFile(file, `hour,town,power,heat,user\n${rows.join('')}`);
  await aardvark('table', 'import', dictionary, 'meters', file);
  const [keeper, archive] = await Promise.all(['keeper', 'archive'].map((what) => serve(what, dictionary, async () => {})));
  const stop = async () => {
    await Promise.all([keeper.stop(), archive.stop()]);
    await rm(folder, { recursive: true });
  };
  return { keeper, archive, stop };
}

/** Serves a dictionary by a process; `url`, and `stop` for the end, after which `behind` is done. */
function serve(what, dictionary, behind) {
  return serveBy(['node', what, '--dir', dictionary, '--listen', '127.0.0.1:0', '--json'], behind);
}

/** Starts a process of the command; `stop` ends it. */
export function background(words, output = 'ignore') {
  const server = spawn(PROGRAM, words, { stdio: ['ignore', output, 'inherit'] });
  process.once('exit', () => server.kill('SIGKILL'));
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  return { server, stop };
}

/** Starts a process that says where it listens; `url`, and `stop` for the end, after which `behind` is done. */
export async function serveBy(words, behind) {
  const { server, stop } = background(words, 'pipe');
  const said = createInterface(server.stdout)[Symbol.asyncIterator]();
  const { value, done } = await said.next();
  if (done) throw new Error('the archive ended before it listened');
  return { url: `http://${JSON.parse(value).listening}/`, stop: () => stop().then(behind) };
}
