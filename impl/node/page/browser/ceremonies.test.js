// What a visitor of a mixnet's board sees: where its ceremonies stand, who posted what, answers and faults.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HOSTILE, serveArchive } from './archive.js';
import { serveCeremony } from './ceremony.js';
import { serveLies } from './liar.js';
import { Visitor, startBrowser, until } from './visitor.js';

let [board, archive, liar, browser] = [];
before(async () => {
  [board, archive, browser] = await Promise.all([serveCeremony(), serveArchive(), startBrowser()]);
  liar = await serveLies(board.url);
});
after(async () => {
  await Promise.all([browser?.close(), liar?.stop()]);
  await Promise.all([board?.stop(), archive?.stop()]);
});

/** A test of one visit to a server, which says of ceremonies what `lie` makes of it. */
function visit(name, steps, { lie = null, ...options } = {}) {
  test(name, async () => {
    liar.tell(lie === null ? null : (path, answer) => (path === '/v1/ceremonies' ? lie(answer) : undefined));
    const visitor = await Visitor.open(browser, liar.url, options);
    try {
      await until(() => visitor.text('#ceremonies h2'), 'the ceremonies');
      await steps(visitor);
      assert.deepEqual(visitor.requests.filter((asked) => !asked.startsWith(liar.url)), []);
      assert.deepEqual(visitor.complaints, []);
      assert.notEqual(await visitor.page.title(), 'taken');
    } finally {
      await visitor.close();
    }
  });
}

visit('a ceremony that is done shows its stages, servers and answers', async (visitor) => {
  assert.match(await visitor.text('#judged'), /^Judged by this board at version \d+; this page verifies none of it\./);
  assert.deepEqual(await visitor.texts('.stages li'), ['dealing', 'verdicts', 'open', 'mixing', 'decrypting', 'done']);
  assert.deepEqual(await visitor.texts('.stages [aria-current]'), ['done']);
  assert.match(await visitor.text('article p'), /^3 inputs \(valid: north: 1, south: 2\); 3 outputs$/);
  const servers = await visitor.texts('.servers tbody tr');
  assert.equal(servers.length, 2);
  servers.forEach((server) => assert.match(server, /dealing, verdict, layer, shares, column, answershares, agreement/));
  const [query, ...others] = await visitor.texts('.queries tbody tr');
  assert.match(query, /^0x[0-9a-f]{12}…[0-9a-f]{8}trace-out, each.*answered.*1 yes, 2 no/);
  assert.equal(others.length, 0);
  await visitor.page.click('.queries summary');
  const said = await visitor.text('.queries details p');
  assert.deepEqual(said.split(', ').map((part) => part.replace(/^output \d+ /, '')).sort(), ['(7): yes', '(8): no', '(9): no']);
  assert.equal(await visitor.text('.faults'), null);
  await visitor.shoot('ceremony');
});

const fault = { fault: 'ColumnProofFalse', author: '0x07', server: 4, post: `0x${'ab'.repeat(80)}`, place: null };
const hostile = (answer) => {
  const [ceremony] = answer.ceremonies;
  const query = { ...ceremony.queries[0], private: true, yes: null, no: null, answers: [] };
  return { ...answer, more: 1, ceremonies: [{ ...ceremony, title: HOSTILE.key, stage: 'mixing', labels: { [HOSTILE.value]: 1 }, faults: [fault, { ...fault, server: null }], faulty: 300, queries: [query] }] };
};

visit('faults name their authors, and nothing becomes markup', async (visitor) => {
  assert.deepEqual(await visitor.texts('.stages [aria-current]'), ['mixing']);
  const faults = await visitor.texts('.faults tbody tr');
  assert.match(faults[0], /^ColumnProofFalseserver 40xab/);
  assert.match(faults[1], /^ColumnProofFalse0x070x(?:ab){6}…(?:ab){4}$/);
  assert.equal(await visitor.text('.faults + p'), '2 of 300 are shown.');
  assert.match((await visitor.texts('.queries tbody tr'))[0], /for its querier alone$/);
  assert.ok((await visitor.text('article h3')).startsWith('<img src=x'));
  assert.equal(await visitor.text('#more'), '1 more ceremony on the board.');
  await visitor.shoot('ceremony-faults');
}, { lie: hostile });

visit('a board with too much to judge says so', async (visitor) => {
  assert.match(await visitor.text('#judged'), /^There is too much on this board to be judged here \(version \d+\)/);
  assert.deepEqual(await visitor.texts('article'), []);
}, { lie: (answer) => ({ ...answer, judged: false, ceremonies: [] }) });

visit('a board that answers something else shows nothing of it', async (visitor) => {
  assert.deepEqual(await visitor.texts('article h3'), ['– ceremony –']);
}, { lie: (answer) => ({ ...answer, ceremonies: [{ title: 7, servers: 'none', queries: null, faults: { length: 3 } }] }) });

for (const [name, options] of [['narrow', { width: 360, height: 740 }], ['dark', { dark: true }]]) {
  visit(`nothing is wider than the window: ${name}`, async (visitor) => {
    assert.deepEqual(await visitor.overflows(), []);
    await visitor.shoot(`ceremony-${name}`);
  }, { lie: hostile, ...options });
}

test('an archive that is no board is asked once, and shows no ceremonies', async () => {
  const visitor = await Visitor.open(browser, archive.url);
  try {
    const asked = () => visitor.requests.filter((url) => url.endsWith('/v1/ceremonies')).length;
    await until(() => asked() > 0, 'the question');
    await until(() => visitor.requests.filter((url) => url.endsWith('/v1/status')).length > 2, 'two more looks');
    assert.equal(asked(), 1);
    assert.equal(await visitor.text('#ceremonies'), null);
  } finally {
    await visitor.close();
  }
});
