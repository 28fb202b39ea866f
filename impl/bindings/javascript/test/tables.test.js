// Answers about tables against the vectors that every implementation is tested with.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal, readSchema, readTableAnswer, verifyTable } from 'aardvark-proof';
import { TableQuery } from '../src/table_query.js';
import { numbers, trustedOf, vectors } from './common.js';

const file = vectors('tables');

const fraction = (value) => value && (value.denominator === 1n ? `${value.numerator}` : `${value.numerator}/${value.denominator}`);

/** What comes of an answer, as the vectors write it. An error of another kind is a test's failure. */
function verdict(trusted, { table, query, answer }) {
  try {
    const { runs, groups } = verifyTable(trusted, table, query, answer);
    const group = ({ key, rows, sums, value }) => ({ key: key.map(String), rows: String(rows), sums: sums.map(String), value: fraction(value) });
    return { found: { runs, groups: groups.map(group) } };
  } catch (error) {
    if (error instanceof Refusal) return { refused: { class: error.class, item: error.item, reason: error.reason } };
    if (error?.name === 'Unreadable') return { refused: { class: error.class, item: null, reason: 'Unreadable' } };
    throw error;
  }
}

test('every answer has the outcome that the file says', () => {
  assert.ok(file.tests.length > 35);
  for (const { id, comment, trusted, expected, ...asked } of file.tests) {
    assert.deepEqual(verdict(trustedOf(file.trusted[trusted]), asked), expected, `${id}: ${comment}`);
  }
});

const honest = file.tests.filter(({ expected }) => expected.found !== undefined);
const trusted = trustedOf(file.trusted[honest[0].trusted]);

test('an answer that is changed anywhere is refused, or says the same', () => {
  const below = numbers(41);
  const [first] = honest;
  for (let round = 0; round < 40; round += 1) {
    const at = below(first.answer.length);
    const digit = '0123456789abcdef'[below(16)];
    const answer = first.answer.slice(0, at) + digit + first.answer.slice(at + 1);
    const outcome = verdict(trusted, { ...first, answer });
    if (outcome.found !== undefined) assert.deepEqual(outcome, first.expected, `character ${at}`);
  }
  for (let end = 0; end < first.answer.length; end += 97) {
    assert.equal(verdict(trusted, { ...first, answer: first.answer.slice(0, end) }).refused.reason, 'Unreadable');
  }
});

const schema = readSchema(readTableAnswer(honest[0].answer).schema.slot.value);

test('a schema is read with its columns', () => {
  assert.deepEqual(schema.keys.map(({ name, width }) => [name, width]), [['time', 4], ['town', 6]]);
  assert.deepEqual(schema.values.map(({ name, lowest, span }) => [name, lowest, span]), [['heat', 0n, 9n], ['power', -5n, 205n]]);
  for (let end = 0; end < schema.bytes.length; end += 1) assert.throws(() => readSchema(schema.bytes.slice(0, end)), { name: 'Unreadable' });
});

test('texts that ask for the same are one query, and what is none is refused', () => {
  const bytes = (text) => TableQuery.parse('meters', text, schema).toBytes();
  for (const [one, other] of [
    ['sum(power) where time > 5 and time < 7', 'sum(power) where time = 6'],
    ["count(power) where town in ('b', 'a', 'a')", " count ( power )\nwhere town in('a','b')"],
    ['sum(power) where time >= 0', 'sum(power)'],
    ['sum(power) where time < 0', 'sum(power) where time between 7 and 6'],
    ['sum(power) where time in (3, 1, 2)', 'sum(power) where time between 1 and 3'],
    ["sum(power) where town = 'it''s'", "sum(power) where town between 'it''s' and 'it''s'"],
    ['variance(power) where time in (1, 2, 3, 9)', 'variance(power) where time between 1 and 9 and time in (9, 3, 2, 1)'],
  ]) assert.deepEqual(bytes(one), bytes(other), one);
  for (const text of [
    '', 'sum', 'sum(power', 'sum(size)', 'sum(power) where', 'sum(power) where size = 1', 'sum(power) where time = -1',
    'sum(power) where time = 4294967296', "sum(power) where time = 'x'", 'sum(power) where town = x', "sum(power) where town = 'toolong'",
    "sum(power) where town = 'x", 'sum(power) group town', 'sum(power) group by time, time', 'sum(power) sum(power)', 'moment(power, 3)',
    'moment(power, 0)', 'variance(heat)', 'constructor(power)', 'sum(power) where time in ()', 'sum(power) where time ! 1', 'sum(power);',
  ]) assert.throws(() => bytes(text), { name: 'Unreadable' }, text);
  for (const text of ['median(power)', 'rank(power, 7)', 'row(power)', 'max(power)']) {
    assert.throws(() => bytes(text), { name: 'Refusal', reason: 'FunctionUnknown', class: 'malformed' }, text);
  }
});
