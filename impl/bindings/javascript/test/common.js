// What the tests share: files of the repository, and how an outcome is told.

import { readFileSync } from 'node:fs';
import { Question, Refusal, fromHex, readCommitments, toHex, verify } from 'aardvark-proof';

const repository = new URL('../../../../', import.meta.url);

/** A file of the repository, as text. */
export const file = (path) => readFileSync(new URL(path, repository), 'utf8');

/** A file of vectors. */
export const vectors = (name) => JSON.parse(file(`differential-tests/vectors/${name}.json`));

/** Proofs of random dictionaries that were made just now, where `cargo xtask bindings` made some. */
export const freshProofs = () => {
  const path = process.env.AARDVARK_FRESH_PROOFS;
  return path ? [JSON.parse(readFileSync(path, 'utf8'))] : [];
};

export const example = (name) => file(`impl/proof/examples/${name}.json`);

/** The question of a vector; what nobody can ask is not put right. */
export function questionOf({ keys, range, predecessor, successor }) {
  if (keys !== undefined) return { kind: 'keys', keys: keys.map((key) => fromHex(key)) };
  if (range !== undefined) return Question.range(fromHex(range.from), fromHex(range.to), range.limit ?? null);
  return predecessor !== undefined ? Question.predecessor(fromHex(predecessor)) : Question.successor(fromHex(successor));
}

/** What a vector trusts. */
export function trustedOf({ commitments, root, root_alone: alone }) {
  if (commitments !== undefined) return readCommitments(JSON.stringify(commitments));
  if (alone !== undefined) return { root: alone };
  return { root: root.root, dictionary: fromHex(root.dictionary), vectorSize: root.vector_size };
}

const entryOf = ({ key, value }) => ({ key: toHex(key), value: value && toHex(value) });

/** An answer as the vectors write it. */
export function answerJson(answer) {
  switch (answer.kind) {
    case 'keys':
      return { keys: answer.keys.map(entryOf) };
    case 'range':
      return { range: { entries: answer.entries.map(entryOf), resume: answer.next && toHex(answer.next) } };
    case 'predecessor':
      return { predecessor: answer.entry && entryOf(answer.entry) };
    default:
      return { successor: answer.key && toHex(answer.key) };
  }
}

/** What comes of a proof, as the vectors write it. An error of another kind is a test's failure. */
export function verdict(trusted, question, proof) {
  try {
    return { answer: answerJson(verify(trusted, question, proof)) };
  } catch (error) {
    return { refused: refusalOf(error) };
  }
}

function refusalOf(error) {
  if (error instanceof Refusal) return { class: error.class, item: error.item, reason: error.reason };
  if (error?.name === 'Unreadable') return { class: error.class, item: null, reason: 'Unreadable' };
  throw error;
}

/** Numbers that are the same in each run. */
export function numbers(seed) {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn;
    return Number((state >> 33n) % BigInt(below));
  };
}
