// Verifying answers about tables: counts, sums, means, moments and variances (docs/tables.md,
// "Answers"). Whether the runs are in order, their certificates say, which are not looked at here.

import { basisOf, commitmentsOf, resolveTrusted } from './basis.js';
import { bigEndian, compare, concatBytes, equal, numberOf, taggedHash, toHex } from './bytes.js';
import { decodePoint, verifyFold } from './openings.js';
import { Question } from './question.js';
import { ProofError, Refusal } from './reason.js';
import { MOST_RUNS, readTableAnswer } from './table_answer.js';
import { runsInBox } from './table_box.js';
import { TableQuery } from './table_query.js';
import { columnsOfHead, readSchema, tablePrefix, valuesOf } from './table_schema.js';
import { checkAbout, checkForm, checkOpenings } from './verify.js';

/** A box has fewer rows. */
const MOST_ROWS = 1n << 40n;
const POINT = 48;

/**
 * What an answer says to a query of a table, under what is trusted. `answer` is JSON, or what
 * `readTableAnswer` made of it.
 */
export function verifyTable(trusted, table, text, answer) {
  const read = typeof answer === 'string' || answer instanceof Uint8Array ? readTableAnswer(answer) : answer;
  // The schema that the answer claims; that it is the table's is part of what is verified.
  const query = TableQuery.parse(table, text, readSchema(read.schema.slot.value));
  checkQuery(query, read);
  const claims = [read.schema, ...read.runs];
  const question = Question.key(read.schema.slot.key);
  const { dictionary, version, tie } = read;
  const known = resolveTrusted(trusted, { tie });
  const proof = { dictionary, version, tie, claims, question, scheme: 'kzg', vectorSize: known.vectorSize, folded: null };
  checkForm(question, claims);
  checkAbout(known, question, proof);
  const commitments = commitmentsOf(basisOf(known, proof), known.vectorSize, claims);
  for (const [c, { opening }] of claims.entries()) {
    if (decodePoint(opening) === null) throw new Refusal('AnswerOpeningMalformed', c);
  }
  if (!equal(read.schema.slot.key, concatBytes(tablePrefix(table), Uint8Array.of(0)))) throw new Refusal('SchemaMismatched');
  const places = runsInBox(query.box, read.runs.map(({ slot }) => slot));
  const runs = runsAt(query, read.runs, places);
  const groups = groupsOf(query, runs);
  const stated = claimsOf(query, groups, read);
  const opening = openingOf(read, stated);
  // The dictionary's openings come first, as they do in the specification.
  checkOpenings(known, proof, commitments);
  if (opening !== null) {
    const seed = taggedHash('AARDVARK-V1-ANSWER-FOLD', [seedOf(query, read, places)]);
    if (!verifyFold(seed, stated, ...opening)) throw new Refusal('OpeningFalse');
  }
  return { version, runs: runs.length, groups: found(query, groups, read.totals ?? []) };
}

/** Whether the answer says that it is about the query. */
function checkQuery(query, { table, query: text }) {
  if (table !== query.table) throw new Refusal('OtherTable');
  let stated = null;
  try {
    stated = TableQuery.parse(table, text, query.schema);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
  }
  if (stated === null || !query.equals(stated)) throw new Refusal('OtherQuery');
}

/** The runs at these places of the claims. */
function runsAt(query, claims, places) {
  if (places.length > MOST_RUNS) throw new Refusal('RunsExceeded');
  const { schema, prefix, column } = query;
  const runs = places.map((place, item) => {
    const { key, value } = claims[place].slot;
    const columns = columnsOfHead(schema, prefix, key);
    const record = columns && recordOf(value, schema.values[column].moments);
    if (!record) throw new Refusal('RunMalformed', item);
    return { columns, ...record };
  });
  if (runs.reduce((sum, { rows }) => sum + rows, 0n) >= MOST_ROWS) throw new Refusal('RunsExceeded');
  return runs;
}

/** The rows and the commitments to sums that a head of one segment has; null where it is none. */
function recordOf(head, moments) {
  if (head.length !== 17 + 5 + POINT + 32 + moments * POINT || head[0] !== 1) return null;
  const number = (from, to) => numberOf(head.subarray(from, to));
  const [log, first, rows] = [number(17, 18), number(18, 20), number(20, 22)];
  if (number(5, 9) !== 1n || number(9, 17) !== rows) return null;
  // A segment has rows, and lies between the origin and the guard of its domain.
  if (log < 3n || log > (moments > 2 ? 10n : 11n) || rows === 0n || first === 0n || first + rows > (1n << log) - 3n) return null;
  const points = [22, ...Array.from({ length: moments }, (_, p) => 102 + POINT * p)].map((at) => decodePoint(head.subarray(at, at + POINT)));
  return points.includes(null) ? null : { rows, sums: points.slice(1) };
}

/** The groups of runs, in ascending order of their keys; without `group by`, one, even of no run. */
function groupsOf(query, runs) {
  const groups = new Map();
  if (query.groups.length === 0) groups.set('0x', { key: new Uint8Array(), rows: 0n, runs: [] });
  for (const run of runs) {
    const key = query.groupKey(run.columns);
    const name = toHex(key);
    if (!groups.has(name)) groups.set(name, { key, rows: 0n, runs: [] });
    const group = groups.get(name);
    group.rows += run.rows;
    group.runs.push(run);
  }
  return [...groups.values()].sort((a, b) => compare(a.key, b.key));
}

/** The claims of the stated totals: the sum of a group's commitments opens at 1 to its total. */
function claimsOf({ powers, schema, column }, groups, read) {
  const { totals = [] } = read;
  if (read.cut !== undefined || read.comparisons !== undefined || read.row !== undefined) throw new Refusal('PartsMismatched');
  const withRows = groups.filter(({ rows }) => rows > 0n);
  const fits = totals.length === (powers === 0 ? 0 : withRows.length) && totals.every((of) => of.length === powers);
  if (!fits) throw new Refusal('PartsMismatched');
  const { span } = schema.values[column];
  return totals.flatMap((stated, g) => stated.map((value, p) => {
    const { rows, runs } = withRows[g];
    if (value > rows * span ** BigInt(p + 1)) throw new Refusal('TotalsExceeded');
    return { points: runs.map(({ sums }) => sums[p]), point: 1n, value };
  }));
}

/** W and W', which are there exactly if anything is claimed. */
function openingOf({ opening }, stated) {
  if ((opening === undefined) !== (stated.length === 0)) throw new Refusal('PartsMismatched');
  if (opening === undefined) return null;
  return [opening.subarray(0, POINT), opening.subarray(POINT)].map((bytes) => {
    const point = decodePoint(bytes);
    if (point === null) throw new Refusal('OpeningMalformed');
    return { bytes, point };
  });
}

/** a0, which binds all that is said. */
function seedOf(query, { dictionary, version, schema, runs, totals = [] }, places) {
  const slot = ({ key, value }) => [bigEndian(key.length, 1), key, bigEndian(value.length, 2), value];
  return taggedHash('AARDVARK-V1-ANSWER', [
    dictionary, bigEndian(version, 8), query.toBytes(), ...slot(schema.slot), bigEndian(places.length, 4),
    ...places.flatMap((place) => slot(runs[place].slot)), bigEndian(0, 4),
    ...totals.flat().map((total) => bigEndian(total, 32))]);
}

/** What was found of each group: the sums of the numbers themselves, and the statistic. */
function found(query, groups, totals) {
  const { lowest } = query.schema.values[query.column];
  let next = 0;
  return groups.map(({ key, rows }) => {
    const distances = rows === 0n || query.powers === 0 ? [] : totals[next++];
    const sums = distances.map((_, p) => trueSum([rows, ...distances], p + 1, lowest));
    return { key: valuesOf(query.groupColumns, key), rows, sums, value: valueOf(query, rows, sums) };
  });
}

/** Σ x^p = Σ C(p, k) lowest^(p-k) S_k, of S_0, S_1, .., S_p. */
function trueSum(distances, p, lowest) {
  let [sum, binomial] = [0n, 1n];
  for (let k = 0; k <= p; k += 1) {
    sum += binomial * lowest ** BigInt(p - k) * distances[k];
    binomial = (binomial * BigInt(p - k)) / BigInt(k + 1);
  }
  return sum;
}

/** The statistic as a fraction in lowest terms; null where there are no rows. */
function valueOf({ statistic, powers }, rows, sums) {
  if (statistic === 'count') return { numerator: rows, denominator: 1n };
  if (rows === 0n) return null;
  switch (statistic) {
    case 'sum':
      return { numerator: sums[0], denominator: 1n };
    case 'variance':
    case 'stddev':
      return fraction(sums[1] * rows - sums[0] * sums[0], rows * rows);
    default:
      return fraction(sums[powers - 1], rows);
  }
}

function fraction(numerator, denominator) {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b > 0n) [a, b] = [b, a % b];
  return { numerator: numerator / a, denominator: denominator / a };
}
