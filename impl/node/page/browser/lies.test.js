// What a visitor sees where the archive lies, or sends what is no answer.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HOSTILE, VERSION, serveArchive } from './archive.js';
import { serveLies } from './liar.js';
import { Visitor, startBrowser, until } from './visitor.js';

let [archive, liar, browser] = [];
before(async () => {
  [archive, browser] = await Promise.all([serveArchive(), startBrowser()]);
  liar = await serveLies(archive.url);
});
after(async () => {
  await Promise.all([browser?.close(), liar?.stop()]);
  await archive?.stop();
});

/** A test of one visit to an archive that tells `lie`. */
function visit(name, lie, steps) {
  test(name, async () => {
    liar.tell(lie);
    const visitor = await Visitor.open(browser, liar.url);
    try {
      await steps(visitor);
      assert.deepEqual(visitor.requests.filter((url) => !url.startsWith(liar.url)), []);
      assert.deepEqual(visitor.complaints, []);
      assert.equal(await visitor.page.title(), 'Aardvark archive');
    } finally {
      await visitor.close();
    }
  });
}

/** A lie about proofs only. */
const aboutProofs = (change) => (path, answer) => {
  if (path.startsWith('/v1/proof/')) change(answer);
  return answer;
};
const flipped = (text) => text.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
const inHex = (text) => `0x${Buffer.from(text).toString('hex')}`;
const honest = async (key) => (await fetch(`${archive.url}v1/proof/${key}?version=${VERSION}&root=true`)).json();

const lies = {
  'another value': ['key-042', (proof) => { proof.claims[0].slot.value = inHex('a lie'); }, /opening/],
  'a byte of the opening': ['key-042', (proof) => { proof.claims[0].opening = flipped(proof.claims[0].opening); }, /opening/],
  'the proof of another key': ['key-042', (proof) => { Object.assign(proof, others['key-043']); }, /about another key/],
  'the proof of another key under the name of this one': ['key-042', (proof) => { Object.assign(proof, others['key-043'], { key: inHex('key-042') }); },
    /does not cover the key/],
  'a slot that hides the key': ['key-042', (proof) => { Object.assign(proof.claims[0].slot, { key: inHex('key-041'), value: inHex('x') }); }, /opening/],
  'a slot for a key that is absent': ['key-0425', (proof) => { Object.assign(proof.claims[0].slot, { key: inHex('key-0425'), value: inHex('a lie') }); }, /opening/],
  'a size that lets more in': ['key-042', (proof) => { proof.root.size += 1; }, /root/],
  'a proof without the root\'s parts': ['key-042', (proof) => { delete proof.root; }, /no root/],
};
const others = {};

for (const [what, [key, change, reason]] of Object.entries(lies)) {
  visit(`a lie is refused: ${what}`, null, async (visitor) => {
    others['key-043'] ??= await honest('key-043');
    await visitor.ask('key-043');
    liar.tell(aboutProofs(change));
    const verdict = await visitor.ask(key);
    assert.match(verdict, /^Not proved: /);
    assert.match(verdict, reason);
    // Neither what the lie says nor what the answer before it proved is left to be taken for this answer.
    assert.equal(await visitor.text('#evidence'), null);
    assert.doesNotMatch(await visitor.text('main'), /a lie|value of/);
    if (what === 'another value') await visitor.shoot('lie');
  });
}

visit('an archive that names another dictionary or vector size than its proofs is refused', (path, answer) => {
  if (path === '/v1/status') answer.dictionary = flipped(answer.dictionary);
  return answer;
}, async (visitor) => {
  assert.match(await visitor.ask('key-042'), /^Not proved: .*another dictionary/);
  liar.tell((path, answer) => (path === '/v1/status' ? { ...answer, vector_size: 32 } : answer));
  await visitor.page.reload();
  assert.match(await visitor.ask('key-042'), /^Not proved: .*contradicts itself/);
});

visit('markup in what an archive says of itself and its blocks is shown as text', (path, answer) => {
  if (path === '/v1/status') return { ...answer, state: 'stopped', chain_id: HOSTILE.key, error: HOSTILE.value };
  if (path.startsWith('/v1/blocks')) {
    for (const block of answer.blocks) Object.assign(block, { kind: HOSTILE.key, root: HOSTILE.value, accepted: HOSTILE.key });
  }
  return answer;
}, async (visitor) => {
  assert.ok((await visitor.text('#status')).endsWith(HOSTILE.value));
  const kinds = await until(async () => (await visitor.texts('#blocks td:nth-child(2)')).at(0), 'a list of blocks');
  assert.equal(kinds, HOSTILE.key);
  assert.equal(await visitor.page.$('body :is(img, iframe, main a:not(#link > #permalink), body script)'), null);
  await visitor.shoot('hostile-status');
  liar.tell((path) => (path.startsWith('/v1/proof/') ? { raw: { status: 404, text: JSON.stringify({ error: HOSTILE.value }) } } : undefined));
  await visitor.page.reload();
  assert.equal(await visitor.ask('key-042'), `No answer: ${HOSTILE.value}`);
});

/** What is no proof at all; none of it may show as one, or leave the page waiting. */
const nonsense = {
  'no JSON': 'x', 'an empty answer': '', 'null': 'null', 'a list': '[]', 'a number': '7', 'no claims': '{"format":1}',
  'numbers in the place of text': '{"format":1,"scheme":"kzg","dictionary":7,"root":{},"key":7,"claims":[7]}',
  'markup': HOSTILE.value,
};
visit('an answer that is no proof is refused', null, async (visitor) => {
  for (const [what, text] of Object.entries(nonsense)) {
    liar.tell((path) => (path.startsWith('/v1/proof/') ? { raw: { text } } : undefined));
    assert.match(await visitor.ask('key-042'), /^(Not proved|No answer): /, what);
    assert.equal(await visitor.text('#evidence'), null, what);
  }
});

visit('an archive that goes away is said to have gone, and found when it is back', null, async (visitor) => {
  liar.tell(() => ({ raw: { status: 503, text: '{"error":"gone"}' } }));
  await until(async () => /does not answer/.test(await visitor.text('#status')), 'a word that the archive is gone');
  liar.tell((path) => (path.startsWith('/v1/blocks') ? { raw: { status: 500, text: '{"error":"gone"}' } } : undefined));
  assert.equal(await visitor.ask('key-042'), 'No answer: gone');
  liar.tell(null);
  await until(async () => /^version/.test(await visitor.text('#status')), 'the archive\'s return');
  assert.equal(await visitor.ask('key-042'), 'key-042 is present: value of key-042');
});

/** An archive that has no time for the first so many proofs; `asked` has when it was asked. */
function busyFor(times, more, status = 429) {
  const asked = [];
  liar.tell((path) => {
    if (!path.startsWith('/v1/proof/')) return undefined;
    asked.push(performance.now());
    return asked.length <= times ? { raw: { status, text: status === 429 ? '{"error":"busy","code":"busy"}' : '', more } } : undefined;
  });
  return asked;
}
const waits = (asked) => asked.slice(1).map((moment, place) => Math.round((moment - asked[place]) / 1000));

visit('an archive without time is asked again when it says, and the visitor is told', null, async (visitor) => {
  for (const status of [429, 503]) {
    const asked = busyFor(2, { 'retry-after': '2' }, status);
    const answered = visitor.ask('key-042');
    await until(async () => await visitor.text('#verdict') === 'the archive is busy; asking again in 2 s …', 'a word that it waits');
    assert.equal(await answered, 'key-042 is present: value of key-042');
    assert.equal(asked.length, 3);
    assert.ok(waits(asked).every((seconds) => seconds >= 2), `${waits(asked)}`);
  }
  // Without a time that it names: later each time.
  const asked = busyFor(2, {});
  assert.equal(await visitor.ask('key-043'), 'key-043 is present: value of key-043');
  assert.ok(waits(asked)[1] > waits(asked)[0], `${waits(asked)}`);
});

visit('an archive that stays busy is asked five times and no more, and one that says much later but once', null, async (visitor) => {
  const asked = busyFor(Infinity, { 'retry-after': '0' });
  assert.equal(await visitor.ask('key-042'), 'No answer: the archive is busy; try again later');
  assert.equal(asked.length, 5);
  assert.ok(waits(asked).every((seconds) => seconds >= 1), `${waits(asked)}`);
  for (const [named, said] of [['3600', 'in 3600 s'], ['9', 'in 9 s']]) {
    const once = busyFor(Infinity, { 'retry-after': named });
    assert.equal(await visitor.ask('key-042'), `No answer: the archive is busy; try again ${said}`);
    assert.equal(once.length, 1);
  }
});

visit('a question that waits gives way to a later one', null, async (visitor) => {
  liar.tell((path) => (path.includes(inHex('key-042')) ? { raw: { status: 429, text: '', more: { 'retry-after': '1' } } } : undefined));
  await visitor.write('key', 'key-042');
  await visitor.page.click('#search button');
  await until(async () => /asking again/.test(await visitor.text('#verdict')), 'a word that it waits');
  assert.equal(await visitor.ask('key-043'), 'key-043 is present: value of key-043');
  // It is not asked again: not in the time in which the page asks three times what the archive is at.
  const count = (part) => visitor.requests.filter((url) => url.includes(part)).length;
  const later = count('v1/status') + 3;
  await until(() => count('v1/status') >= later, 'the archive\'s status, three times more');
  assert.equal(count(inHex('key-042')), 1);
  assert.equal(await visitor.verdict(), 'key-043 is present: value of key-043');
});

/** An archive that is at another version than its proofs are of. */
const later = (version) => (path, answer) => (path === '/v1/status' ? { ...answer, version } : undefined);
visit('a proof that is shown grows old as versions come', later(VERSION - 1), async (visitor) => {
  await visitor.ask('key-042');
  assert.match(await visitor.text('#expiry'), /^Version 4 is the latest/);
  liar.tell(later(VERSION + 2));
  await until(async () => (await visitor.text('#expiry')).includes('2 behind the latest, 6'), 'a proof that is two versions old');
  liar.tell(later(VERSION + 11));
  await until(async () => (await visitor.text('#expiry')).includes('no transaction can use this proof any more'), 'an expired proof');
});

visit('an answer that comes after a later question is not shown', null, async (visitor) => {
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  liar.tell(async (path, answer) => {
    if (path.includes(inHex('key-042'))) await released;
    return answer;
  });
  await visitor.write('key', 'key-042');
  await visitor.page.click('#search button');
  await until(() => visitor.requests.some((url) => url.includes(inHex('key-042'))), 'the first question');
  assert.equal(await visitor.ask('key-043'), 'key-043 is present: value of key-043');
  const answered = visitor.page.waitForResponse((response) => response.url().includes(inHex('key-042')));
  release();
  await (await answered).text();
  // What the page asks after that answer came, it gets after it has handled it.
  await visitor.page.evaluate(async () => (await fetch('v1/status')).json());
  assert.equal(await visitor.verdict(), 'key-043 is present: value of key-043');
});
