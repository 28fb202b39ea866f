// What a visitor sees of tables of private rows: statistics that the browser verifies, and their plot.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HOURS, serveTable } from './archive.js';
import { serveLies } from './liar.js';
import { Visitor, startBrowser, until } from './visitor.js';

let [served, liar, browser] = [];
before(async () => {
  [served, browser] = await Promise.all([serveTable(), startBrowser()]);
  liar = await serveLies(served.keeper.url);
});
after(async () => {
  await Promise.all([browser?.close(), liar?.stop()]);
  await served?.stop();
});

/** A test of one visit to a server. */
function visit(name, url, steps, options = {}) {
  test(name, async () => {
    const visitor = await Visitor.open(browser, url(), options);
    try {
      await until(() => visitor.text('#tables h2'), 'the tables');
      await until(async () => (await visitor.text('#columns'))?.startsWith('Keys: hour, town.'), 'the columns');
      await steps(visitor);
      assert.deepEqual(visitor.requests.filter((asked) => !asked.startsWith(url())), []);
      assert.deepEqual(visitor.complaints, []);
    } finally {
      await visitor.close();
    }
  });
}

/** Asks a query; gives what the page says, once it says something. */
async function asked(visitor, query) {
  if (query !== undefined) await visitor.write('query', query);
  await visitor.page.click('#statistic button');
  return until(() => visitor.page.evaluate(() => {
    const [found, said] = ['found', 'said'].map((id) => document.getElementById(id));
    return found.getAttribute('aria-busy') === 'false' && said.checkVisibility() && said.innerText.trim();
  }), 'an answer');
}

const keeper = () => served.keeper.url;
const bars = (visitor) => visitor.texts('#plot rect title');
const sums = HOURS.map(({ hour, sum }) => `${hour}: ${sum}`);

visit('the sums of a column over time are verified here, and drawn', keeper, async (visitor) => {
  assert.deepEqual(await visitor.texts('#table option'), ['meters']);
  assert.equal(await visitor.page.$eval('#query', (input) => input.value), 'sum(power) group by hour');
  assert.equal(await asked(visitor), '24 groups 72 rows in 48 runs, version 2');
  assert.match(await visitor.text('#rests'), /^Verified under the state root that this archive names/);
  assert.deepEqual(await bars(visitor), sums);
  // The bars are as long as the sums are great, and stand in a row.
  const drawn = await visitor.page.$$eval('#plot rect', (bars) => bars.map((bar) => ['x', 'height'].map((name) => Number(bar.getAttribute(name)))));
  const greatest = Math.max(...HOURS.map(({ sum }) => sum));
  const longest = Math.max(...drawn.map(([, height]) => height));
  drawn.forEach(([x, height], hour) => {
    assert.ok(Math.abs(height / longest - HOURS[hour].sum / greatest) < 0.01, `hour ${hour}: ${height}`);
    assert.ok(hour === 0 || x > drawn[hour - 1][0]);
  });
  assert.equal((await visitor.texts('#groups tr')).length, 24);
  await visitor.shoot('tables');
});

visit('other statistics are exact numbers, by the columns that are asked for', keeper, async (visitor) => {
  const whole = HOURS.reduce((sum, { sum: hour }) => sum + hour, 0);
  assert.match(await asked(visitor, 'sum(power)'), new RegExp(`^${whole} 72 rows in 48 runs`));
  assert.equal((await visitor.texts('#plot svg')).length, 0);
  assert.match(await asked(visitor, "count(power) where hour < 3 and town = 'Chur'"), /^6 6 rows in 3 runs/);
  assert.match(await asked(visitor, 'mean(power) group by town'), /^2 groups/);
  assert.match((await visitor.texts('#groups tr'))[0], /^Bern/);
  // Of numbers with a digit behind the point squares have two.
  assert.match(await asked(visitor, 'sum(heat)'), /^144\.0 72 rows/);
  assert.match(await asked(visitor, 'moment(heat, 2)'), /^4\.25 72 rows/);
  assert.match(await asked(visitor, 'variance(heat)'), /^0\.25 72 rows/);
  assert.match(await asked(visitor, 'stddev(heat)'), /^the root of 0\.25 72 rows/);
  assert.match(await asked(visitor, 'sum(size)'), /^No answer: .*size/);
  assert.match(await asked(visitor, 'median(power)'), /^Not proved: .*not verified here/);
});

for (const [what, lie, reason] of [
  ['another sum', (answer) => { answer.totals[3][0] = String(Number(answer.totals[3][0]) + 1); }, /does not show the stated numbers/],
  ['an hour left out', (answer) => { answer.runs.splice(6, 2); answer.totals.splice(3, 1); }, /does not cover/],
  ['another version', (answer) => { answer.version -= 1; }, /root|version/],
]) {
  visit(`a keeper that lies is refused: ${what}`, () => liar.url, async (visitor) => {
    liar.tell((path, answer) => {
      if (path.endsWith('/query')) lie(answer);
      return answer;
    });
    assert.match(await asked(visitor, 'sum(power) group by hour'), new RegExp(`^Not proved: .*(?:${reason.source})`));
    assert.equal((await bars(visitor)).length, 0);
    await visitor.shoot(`tables-lie-${what.replaceAll(' ', '-')}`);
    liar.tell(null);
  });
}

visit('an archive without rows shows how many there are, and names their keeper for the rest', () => served.archive.url, async (visitor) => {
  assert.match(await asked(visitor, 'sum(power)'), /^No answer: .*keeper/);
  assert.match(await asked(visitor, 'count(power) where hour = 7'), /^3 3 rows in 2 runs/);
});

for (const [name, options] of [['narrow', { width: 360, height: 740 }], ['dark', { dark: true }]]) {
  visit(`nothing is wider than the window: ${name}`, keeper, async (visitor) => {
    await asked(visitor, 'sum(power) group by hour');
    assert.deepEqual(await visitor.overflows(), []);
    await visitor.shoot(`tables-${name}`);
  }, options);
}
