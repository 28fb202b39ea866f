// The page: asks the archive, verifies here, shows what convinced it. Texts from outside enter as text, never as markup.

import { ProofError, fromHex, readKeyProof, toHex as hex, verifyKey } from 'aardvark-proof';
import { Ceremonies } from './ceremonies.js';
import { askPatiently, isBusy, laterThan } from './patience.js';
import { drawRing } from './ring.js';
import { Tables } from './tables.js';
import { amountOf, keyOf, shown } from './text.js';

const byId = (id) => document.getElementById(id);
const REFRESH = 3000;

/** What the archive says of itself, as it said it last. */
let status = null;
/** The version of the proof that is shown; null where none is. */
let shownVersion = null;
/** Seconds a block, from the blocks' times; null where there are none. */
let blockTime = null;
/** How many searches were begun: only the last one shows what it finds. */
let searches = 0;
/** Whether a search comes from the address, which then stands for it already. */
let isAddressed = false;
/** The section of tables. */
const tables = new Tables({
  ask: async (path, wait, { isText = false, body } = {}) => (isText ? askText(path, wait, body) : ask(path, wait)),
  trusted: async (wait) => {
    status ??= await ask('v1/status', wait);
    return trusted(wait);
  },
  element,
});

/** The section of ceremonies, where the archive is a mixnet's board. */
const ceremonies = new Ceremonies({ ask, element });

/** What the archive answers; where it has no time, asked again, as long as `wait` waits. */
async function askText(path, wait, body) {
  const { answer, text } = await askPatiently(path, wait, body);
  if (answer.ok) return text;
  const said = isBusy(answer) ? null : json(text);
  const why = isBusy(answer) ? `the archive is busy; try again ${laterThan(answer)}` : said?.error ?? `the archive answered with status ${answer.status}`;
  throw Object.assign(new Error(why), { code: said?.code });
}

async function ask(path, wait) {
  return json(await askText(path, wait));
}

/** What is asked every few seconds anyway is not waited for. */
const never = async () => false;

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the archive sent something that is not JSON');
  }
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.append(...[text].flat());
  if (className) made.className = className;
  return made;
}

/** A digest in full, which one click marks as a whole. */
const whole = (text) => element('code', text, 'whole');

// What is trusted

/** What the visitor trusts, filled up with the archive's word; `own` says whether the root is the visitor's. */
async function trusted(wait) {
  const typed = (id) => byId(id).value.trim().toLowerCase();
  const dictionary = fromHex(typed('dictionary') || status.dictionary, 'the dictionary', 32);
  const vectorSize = Number(typed('vector-size') || status.vector_size);
  if (!(vectorSize >= 1 && 4096 % vectorSize === 0)) throw new Error('a vector has a power of two of slots, 4096 at most');
  const own = typed('root') !== '';
  const all = own && typed('dictionary') !== '' && typed('vector-size') !== '';
  const { blocks } = await ask('v1/blocks?last=100', wait);
  const rooted = blocks.filter((block) => block.root !== null);
  if (own) {
    const root = fromHex(typed('root'), 'the root', 32);
    const version = typed('version') !== '' ? Number(typed('version')) : rooted.find((block) => block.root === hex(root))?.version;
    if (version === undefined) throw new Error('none of the last 100 versions has that root here; say of which version it is');
    return { root, version, dictionary, vectorSize, own, all };
  }
  const block = typed('version') === '' ? rooted[0] : await blockOf(Number(typed('version')), rooted, wait);
  if (block === undefined) throw new Error('the archive knows no root');
  return { root: fromHex(block.root, 'the root', 32), version: block.version, dictionary, vectorSize, own, all };
}

/** The block of a version: of those at hand, or of the archive's older ones. */
async function blockOf(version, blocks, wait) {
  if (!Number.isSafeInteger(version) || version < 0) throw new Error('the version is not a number');
  const block = blocks.find((block) => block.version === version) ?? await ask(`v1/blocks/${version}`, wait);
  if (block.root === null) throw new Error(`the archive does not know the root of version ${version}`);
  return block;
}

// A search

async function search(event) {
  event.preventDefault();
  const [begun, number, keepAddress] = [performance.now(), searches += 1, isAddressed];
  byId('result').hidden = false;
  byId('evidence').hidden = true;
  shownVersion = null;
  byId('link').hidden = true;
  for (const id of ['ring', 'times', 'claim', 'steps', 'expiry']) byId(id).replaceChildren();
  say('', ['asking …']);
  byId('result').setAttribute('aria-busy', 'true');
  await answered(begun, number, keepAddress);
  if (number === searches) byId('result').setAttribute('aria-busy', 'false');
}

async function answered(begun, number, keepAddress) {
  const wait = async (seconds) => {
    if (number !== searches) return false;
    say('', [`the archive is busy; asking again in ${seconds} s …`]);
    await new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
    return number === searches;
  };
  let [trust, given] = [];
  try {
    status ??= await ask('v1/status', wait);
    const key = keyOf(byId('key').value.trim());
    if (key.length === 0) throw new Error('type a key');
    trust = await trusted(wait);
    showLink(key, trust.version, keepAddress);
    const text = await askText(`v1/proof/${encodeURIComponent(hex(key))}?version=${trust.version}&root=true`, wait);
    if (number !== searches) return;
    given = text;
    const received = performance.now();
    const proof = readKeyProof(given);
    const answer = verifyKey(trust, key, proof);
    show(key, answer, trust, proof);
    byId('times').textContent = `Asked in ${(received - begun).toFixed(0)} ms, verified in ${(performance.now() - received).toFixed(0)} ms.`;
  } catch (error) {
    if (number !== searches) return;
    // Whatever goes wrong with a proof that is there, nothing is proved.
    if (given === undefined) return say('bad', [element('strong', 'No answer: '), error.message]);
    say('bad', [element('strong', 'Not proved: '), why(error)], trust.own
      ? `Do not believe this answer. The archive lies, or what you pasted is not of version ${trust.version}.`
      : 'Do not believe this answer: the archive contradicts itself.');
  }
}

/** Reasons of refusals in the words of somebody who asked for one key. */
const REASONS = {
  TieMismatched: 'the proof has no root',
  OtherQuestion: 'the proof is about another key',
  OtherVectorSize: 'the archive contradicts itself: the proof is for another vector size',
  RootFalse: 'the proof does not belong to the trusted state root',
  PathFalse: 'the path does not lead from the commitment to the root',
  AnswerOpeningFalse: 'the opening does not prove the slot: the equation fails',
  ChainNotCovering: 'the proved slot does not cover the key',
};

const why = (error) => (error instanceof ProofError && REASONS[error.reason]) || error.message;

/**
 * The address of this question: the key, its version, and what the visitor has typed of what to trust. What the archive said
 * is left out, since whoever follows the link would take it for the word of whoever sent it.
 */
function showLink(key, version, keepAddress) {
  const typed = ['root', 'dictionary', 'vector-size'].map((id) => [id, byId(id).value.trim()]).filter(([, text]) => text !== '');
  const address = `#${new URLSearchParams([['key', hex(key)], ['version', version], ...typed])}`;
  byId('permalink').setAttribute('href', address);
  byId('link').hidden = false;
  if (!keepAddress) history.pushState(null, '', address);
}

/** The verdict, and what it rests on. */
function say(kind, content, basis = '', isMarked = false) {
  byId('verdict').className = kind;
  byId('verdict').replaceChildren(...content);
  byId('basis').hidden = basis === '';
  byId('basis').textContent = basis;
  byId('basis').className = isMarked ? 'mark' : 'quiet';
}

function show(key, { value, version }, trust, proof) {
  const [present, [claim], [tie]] = [value !== null, proof.claims, proof.root.claims];
  const [n, { position }] = [BigInt(trust.vectorSize), claim];
  const name = element('code', shown(key));
  const word = element('strong', present ? 'present' : 'absent');
  say('good', present ? [name, ' is ', word, ': ', element('code', shown(value, 200)), ...balance(value)] : [name, ' is ', word],
    basisOf(trust), !trust.all);
  byId('ring').replaceChildren(drawRing(claim.slot, key, present));
  const rows = [
    ['slot key', shown(claim.slot.key)], ['slot value', shown(claim.slot.value, 200)], ['slot next', shown(claim.slot.next)],
    ['position', `${position} = ${position / n} · ${n} + ${position % n}`],
    ['commitment', hex(tie.commitment)], ['opening π', hex(claim.opening)],
  ];
  byId('claim').replaceChildren(...rows.flatMap(([term, text]) => [element('dt', term), element('dd', text, 'mono')]));
  byId('steps').replaceChildren(...steps(present, trust, proof).map((step) => element('li', step)));
  byId('evidence').hidden = false;
  shownVersion = Number(version);
  showExpiry();
}

function basisOf({ own, all }) {
  if (all) return 'Proved from the state root that you pasted.';
  return own ? 'Proved from the state root that you pasted, if the dictionary and its slots a vector are what this archive says.'
    : 'Proved from the state root that this archive names. To trust nobody, paste one that you have from elsewhere, above.';
}

/** Anew with each block: the proof grows older. */
function showExpiry() {
  byId('expiry').textContent = shownVersion === null ? '' : expiry(shownVersion);
}

function balance(value) {
  const amount = amountOf(value);
  return amount === null ? [] : [` (as a balance: ${amount})`];
}

function steps(present, { root, own, vectorSize }, { version, root: { size, claims: [tie] }, claims: [{ position }] }) {
  const [path, n] = [tie.path.length, BigInt(vectorSize)];
  const [vector, index] = [position / n, position % n];
  const inside = present ? 'is its key' : 'lies strictly between its key and its next key';
  return [
    [own ? 'The root that you pasted, ' : 'The root that the archive names, ', whole(hex(root)),
      `, is the hash of the proof's parts: version ${version}, ${size} slots, a tree over the commitments, and digests.`],
    [`A path of ${path} ${path === 1 ? 'digest' : 'digests'} ties commitment ${vector} of ${(size + n - 1n) / n} to that tree.`],
    [`Position ${position} is in use: it is below ${size}.`],
    ['The opening proves that the slot, hashed to the scalar m, stands there: with ω of order ', `${vectorSize}, i = ${index},`,
      element('code', `e(C − m·g₁ + ω^${index}·π, g₂) = e(π, [τ]₂)`, 'equation')],
    [`The slot covers the key: the key ${inside}, and exactly one slot covers each key.`],
  ];
}

function expiry(version) {
  const last = version + status.window;
  // What the archive was at when it was last asked may be older than the version that it proved since.
  const latest = Math.max(status.version, version);
  const left = last - latest;
  const time = blockTime === null ? '' : `, for about ${Math.max(0, Math.round(left * blockTime))} s more`;
  const old = latest === version ? 'the latest' : `${latest - version} behind the latest, ${latest}`;
  return left < 0
    ? `Version ${version} is ${old}; no transaction can use this proof any more, which was good up to version ${last}.`
    : `Version ${version} is ${old}. A transaction can use this proof up to version ${last}${time}.`;
}

// What the archive is at

async function refresh() {
  try {
    status = await ask('v1/status', never);
    const states = { serving: 'serves what it has', following: `follows chain ${status.chain_id}`, catching_up: 'catches up', stopped: 'has stopped following' };
    const keys = (status.size - 1).toLocaleString('en');
    byId('status').textContent = `version ${status.version}, ${keys} keys, ${states[status.state]}${status.error ? `: ${status.error}` : ''}`;
    const { blocks } = await ask('v1/blocks?last=15', never);
    byId('when').textContent = blocks.some((block) => block.time !== null) ? 'Time' : 'Kind';
    showThroughput(blocks);
    byId('blocks').replaceChildren(...blocks.map(row));
    showExpiry();
    await tables.refresh(status.version);
    await ceremonies.refresh(status.version);
  } catch (error) {
    byId('status').textContent = `the archive does not answer: ${error.message}`;
  }
}

function row(block) {
  const time = block.time === null ? block.kind : new Date(block.time).toLocaleTimeString();
  const cells = [block.height, time, block.accepted, block.rejected, block.size.toLocaleString('en')].map((text) => element('td', String(text)));
  const root = element('td', block.root === null ? '–' : whole(block.root), 'root');
  const made = element('tr');
  made.append(...cells, root);
  return made;
}

function showThroughput(blocks) {
  const timed = blocks.filter((block) => block.time !== null);
  const seconds = timed.length < 2 ? 0 : (Date.parse(timed[0].time) - Date.parse(timed.at(-1).time)) / 1000;
  blockTime = seconds > 0 ? seconds / (timed.length - 1) : null;
  if (blockTime === null) return byId('throughput').replaceChildren();
  const accepted = timed.slice(0, -1).reduce((sum, block) => sum + block.accepted, 0);
  byId('throughput').textContent = `${(accepted / seconds).toFixed(1)} transactions a second, a block every ${blockTime.toFixed(1)} s`;
}

/** The address can carry what to show: #key=…&root=…&version=…&dictionary=…&vector-size=… */
function fromAddress() {
  if (location.hash === '') return;
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const id of ['key', 'root', 'version', 'dictionary', 'vector-size']) {
    byId(id).value = parameters.get(id) ?? '';
  }
  if (parameters.has('root') || parameters.has('version')) byId('trust').open = true;
  if (!parameters.has('key')) return;
  isAddressed = true;
  byId('search').requestSubmit();
  isAddressed = false;
}

byId('search').addEventListener('submit', search);
addEventListener('popstate', fromAddress);
// Before anybody can ask: afterwards the address is of what was asked last.
fromAddress();
refresh();
setInterval(refresh, REFRESH);
