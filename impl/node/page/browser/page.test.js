// What a visitor of an honest archive sees.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BALANCE, CHANGED, DELETED, HEIGHTS, HOSTILE, LONG, VERSION, WINDOW, serveArchive } from './archive.js';
import { Visitor, startBrowser, until } from './visitor.js';

let [archive, browser] = [];
before(async () => {
  [archive, browser] = await Promise.all([serveArchive(), startBrowser()]);
});
after(() => Promise.all([browser?.close(), archive?.stop()]));

/** A test of one visit; nothing ever goes elsewhere, and nothing is thrown. */
function visit(name, options, steps) {
  test(name, async () => {
    const visitor = await Visitor.open(browser, archive.url, options);
    try {
      await steps(visitor);
      assert.deepEqual(visitor.requests.filter((url) => !url.startsWith(archive.url)), [], 'requests that go elsewhere');
      assert.deepEqual(visitor.complaints, []);
      assert.equal(await visitor.page.title(), 'Aardvark archive');
    } finally {
      await visitor.close();
    }
  });
}

visit('a key that is there is shown with its value, its slot and the steps that prove it', {}, async (visitor) => {
  assert.equal(await visitor.ask('key-042'), 'key-042 is present: value of key-042');
  const claim = await visitor.claim();
  assert.deepEqual([claim['slot key'], claim['slot value'], claim['slot next']], ['key-042', 'value of key-042', 'key-043']);
  assert.equal((await visitor.texts('#steps li')).length, 5);
  assert.match(await visitor.text('#basis'), /root that this archive names/);
  await visitor.shoot('present');
  assert.equal(await visitor.ask(CHANGED), `${CHANGED} is present: changed`);
  assert.match(await visitor.ask(BALANCE), /as a balance: 1007/);
});

visit('a key that is not there is shown absent, between the ends of the slot that covers it', {}, async (visitor) => {
  assert.equal(await visitor.ask('key-0425'), 'key-0425 is absent');
  const claim = await visitor.claim();
  assert.deepEqual([claim['slot key'], claim['slot next']], ['key-042', 'key-043']);
  await visitor.shoot('absent');
});

visit('a deleted key is absent, and the slot before it covers it', {}, async (visitor) => {
  assert.equal(await visitor.ask(DELETED), `${DELETED} is absent`);
  const claim = await visitor.claim();
  assert.deepEqual([claim['slot key'], claim['slot next']], ['key-149', 'key-151']);
});

visit('the ring has the ends of the slot, and the key where it lies', {}, async (visitor) => {
  const ring = async () => [
    await visitor.page.$eval('#ring svg', (svg) => svg.getAttribute('aria-label')),
    await visitor.page.$$eval('#ring circle title', (titles) => titles.map((title) => title.textContent)),
    await visitor.page.$$eval('#ring path.arc', (arcs) => arcs.length),
  ];
  await visitor.ask('key-0425');
  assert.deepEqual(await ring(), [
    'The slot from key-042 to key-043 covers key-0425', ['slot\'s key: key-042', 'next key: key-043', 'key asked for: key-0425'], 1]);
  // Behind the greatest key the ring closes, with the empty key at both its ends.
  await visitor.ask('zzz');
  assert.match((await ring())[0], /^The slot from turned|^The slot from 0x7475726e6564.* to \(empty\) covers zzz$/);
  await visitor.ask('0x00');
  assert.match((await ring())[0], /^The slot from \(empty\) to .* covers 0x00$/);
});

visit('a proof says of which version it is, and how long it is of use', {}, async (visitor) => {
  assert.match(await visitor.text('#status'), new RegExp(`^version ${VERSION}, 304 keys`));
  await visitor.ask('key-042');
  assert.equal(await visitor.text('#expiry'),
    `Version ${VERSION} is the latest. A transaction can use this proof up to version ${VERSION + WINDOW}.`);
});

visit('the recent blocks are there, with what each had', {}, async (visitor) => {
  const rows = await until(async () => {
    const rows = await visitor.page.$$eval('#blocks tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
    return rows.length > 0 && rows;
  }, 'a list of blocks');
  assert.deepEqual(rows.map(([height, kind, accepted, rejected]) => [height, kind, accepted, rejected]),
    HEIGHTS.map((row) => [...row, '0']));
});

visit('a root of the visitor\'s own is what the proof is checked against', {}, async (visitor) => {
  const root = await latestRoot();
  assert.equal(await visitor.ask('key-042', { root }), 'key-042 is present: value of key-042');
  assert.match(await visitor.text('#basis'), /root that you pasted, if the dictionary .* what this archive says/);
  await visitor.shoot('own-root');
  const everything = await status();
  await visitor.ask('key-042', { dictionary: everything.dictionary, 'vector-size': String(everything.vector_size) });
  assert.equal(await visitor.text('#basis'), 'Proved from the state root that you pasted.');
});

visit('under a root that is not the archive\'s nothing is proved', {}, async (visitor) => {
  const root = (await latestRoot()).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  assert.match(await visitor.ask('key-042', { root, version: String(VERSION) }), /^Not proved: .*root/);
  assert.equal(await visitor.text('#evidence'), null);
  assert.doesNotMatch(await visitor.text('main'), /value of/);
  await visitor.shoot('false-root');
  assert.match(await visitor.ask('key-042', { version: ' ' }), /^No answer: .*root/);
  assert.match(await visitor.ask('key-042', { root: 'nonsense' }), /^No answer: .*root is not hexadecimal/);
});

visit('keys and values that are markup are shown as text', {}, async (visitor) => {
  assert.equal(await visitor.ask(HOSTILE.key), `${HOSTILE.key} is present: ${HOSTILE.value}`);
  // The ring and the claim of its neighbour show the same key.
  await visitor.ask(`${HOSTILE.key}!`);
  assert.equal((await visitor.claim())['slot key'], HOSTILE.key);
  assert.equal(await visitor.page.$('main :is(img, script, a:not(#link > #permalink), iframe)'), null);
  assert.match(await visitor.page.$eval('#permalink', (link) => link.outerHTML), /^<a id="permalink" href="#key=0x[0-9a-f]+&amp;version=\d+">[a-zA-Z ]+<\/a>$/);
  assert.match(await visitor.ask('turned \u202e around'), /^0x7475726e656420e280ae2061726f756e64 is present/);
});

visit('script that got into the page would not run, nor reach another server', {}, async (visitor) => {
  await visitor.page.evaluate((elsewhere) => {
    globalThis.refused = [];
    addEventListener('securitypolicyviolation', (event) => globalThis.refused.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'globalThis.ran = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<b onclick="globalThis.ran = true">x</b>');
    document.body.lastElementChild.click();
    fetch(elsewhere).catch(() => {});
  }, 'http://127.0.0.1:9/');
  for (const directive of ['script-src-elem', 'script-src-attr', 'connect-src']) {
    await until(() => visitor.page.evaluate((directive) => globalThis.refused.includes(directive), directive), `a refusal by ${directive}`);
  }
  assert.equal(await visitor.page.evaluate(() => globalThis.ran), undefined);
  assert.match(visitor.answer.headers()['content-security-policy'], /^default-src 'none'; script-src 'self'/);
});

visit('the keyboard is enough', {}, async (visitor) => {
  const focused = () => visitor.page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
  const press = (...keys) => keys.reduce((before, key) => before.then(() => visitor.page.keyboard.press(key)), Promise.resolve());
  assert.equal(await focused(), 'key');
  await visitor.page.keyboard.down('Shift');
  await press('Tab');
  await visitor.page.keyboard.up('Shift');
  assert.notEqual(await focused(), 'key');
  await press('Tab');
  assert.equal(await focused(), 'key');
  await visitor.page.keyboard.type('key-042');
  await press('Enter');
  assert.equal(await visitor.verdict(), 'key-042 is present: value of key-042');
  await press('Tab');
  assert.equal(await focused(), 'Prove it');
  await press('Tab', 'Enter', 'Tab');
  assert.equal(await focused(), 'root');
});

visit('who asks before the page has heard all of the archive is answered once', {}, async (visitor) => {
  // The last that the page asks when it is opened.
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await visitor.page.setRequestInterception(true);
  visitor.page.on('request', async (request) => {
    if (request.url().endsWith('/v1/ceremonies')) await held;
    await request.continue();
  });
  await visitor.page.reload();
  const asked = (path) => visitor.requests.filter((url) => url.includes(path)).length;
  await until(() => asked('v1/ceremonies') === 2, 'the question that is held');
  assert.equal(await visitor.ask('key-042'), 'key-042 is present: value of key-042');
  const before = asked('v1/status');
  release();
  await until(() => asked('v1/status') > before, 'the next look at the archive');
  assert.equal(asked('v1/proof'), 1);
  assert.equal(await visitor.page.$eval('#trust', (trust) => trust.open), false);
});

visit('an address carries a key and what to trust', {}, async (visitor) => {
  const root = await latestRoot();
  await visitor.page.goto('about:blank');
  await visitor.page.goto(`${archive.url}#key=key-042&root=${root}`);
  assert.equal(await visitor.verdict(), 'key-042 is present: value of key-042');
  assert.match((await visitor.texts('#steps li'))[0], /^The root that you pasted/);
  visitor.requests = visitor.requests.filter((url) => url !== 'about:blank');
});

visit('the address of a question leads back to it, at its version, and names no root that the visitor did not', {}, async (visitor) => {
  const root = await latestRoot();
  await visitor.ask('key-042', { version: '1' });
  assert.equal(await visitor.verdict(), 'No answer: the archive does not know the root of version 1');
  await visitor.ask('key-042', { version: String(VERSION) });
  const permalink = await visitor.page.$eval('#permalink', (link) => link.href);
  assert.equal(permalink, `${archive.url}#key=0x6b65792d303432&version=${VERSION}`);
  assert.equal(visitor.page.url(), permalink);
  await visitor.ask('key-043', { root });
  assert.equal(visitor.page.url(), `${archive.url}#key=0x6b65792d303433&version=${VERSION}&root=${root}`);
  await visitor.page.goBack();
  await until(async () => await visitor.text('#verdict') === 'key-042 is present: value of key-042', 'the question before');
  assert.match(await visitor.text('#basis'), /root that this archive names/);
  assert.equal(visitor.page.url(), permalink);
  await visitor.page.goForward();
  await until(async () => await visitor.text('#verdict') === 'key-043 is present: value of key-043', 'the question after');
  assert.match(await visitor.text('#basis'), /root that you pasted/);
});

visit('roots are shown in full, and one click marks all of one', { width: 360, height: 740 }, async (visitor) => {
  const root = await latestRoot();
  await until(async () => (await visitor.texts('#blocks td.root')).includes(root), 'the latest root');
  await visitor.ask('key-042');
  for (const place of ['#blocks td.root .whole', '#steps .whole']) {
    assert.equal(await visitor.text(place), root, place);
    await visitor.page.click(place);
    assert.equal(await visitor.page.evaluate(() => getSelection().toString()), root, place);
  }
  assert.deepEqual(await visitor.overflows(), []);
});

visit('the page has an icon', {}, async (visitor) => {
  const icon = await visitor.page.$eval('link[rel=icon]', (link) => link.href);
  const answer = await fetch(icon);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml']);
});

for (const [name, options] of [['narrow', { width: 360, height: 740 }], ['wide', { width: 1400 }], ['dark', { dark: true }]]) {
  visit(`nothing is wider than the window: ${name}`, options, async (visitor) => {
    assert.deepEqual(await visitor.overflows(), [], 'before a search');
    await visitor.shoot(`${name}-empty`);
    for (const [shot, key] of [['present', 'key-042'], ['absent', 'key-0425'], ['long', LONG.key], ['markup', HOSTILE.key]]) {
      assert.match(await visitor.ask(key), / is (present|absent)/);
      assert.deepEqual(await visitor.overflows(), [], key);
      await visitor.shoot(`${name}-${shot}`);
    }
    await visitor.ask('key-042', { root: `0x${'ab'.repeat(32)}`, version: String(VERSION) });
    assert.deepEqual(await visitor.overflows(), [], 'refused');
    await visitor.shoot(`${name}-refused`);
  });
}

const status = async () => (await fetch(`${archive.url}v1/status`)).json();
const latestRoot = async () => (await (await fetch(`${archive.url}v1/blocks?last=1`)).json()).blocks[0].root;
