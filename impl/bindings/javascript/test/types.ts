// Compiled and never run: a user's program with its types, and what they must refuse.

import {
  type Answer, type Class, type Reason, type Trusted, Note, ProofError, Question, Refusal, openNote, readCommitments, readProof,
  reasons, toHex, verify, verifyKey,
} from 'aardvark-proof';
import type * as declared from '../types/index.js';
import * as implemented from '../src/index.js';

/** All that is declared is there, and nothing is there that is not declared. */
const names: Record<keyof typeof declared, unknown> = implemented;
const declaredNames: Record<keyof typeof implemented, unknown> = {} as typeof declared;

export function text(answer: Answer): string {
  switch (answer.kind) {
    case 'keys':
      return answer.keys.map(({ key, value }) => `${toHex(key)}=${value && toHex(value)}`).join();
    case 'range':
      return `${answer.entries.length} entries, then ${answer.next && toHex(answer.next)}`;
    case 'predecessor':
      return toHex(answer.entry?.value ?? new Uint8Array());
    case 'successor':
      return answer.key === null ? 'none' : toHex(answer.key);
  }
}

export function ask(json: string, root: Uint8Array): [Answer, bigint, Class, Reason] | undefined {
  const note: Note = openNote(json, ['k']);
  const all: Trusted[] = [readCommitments(json), note, { root }, { root: '0x', dictionary: root, vectorSize: 4 }];
  const answers = all.map((trusted) => verify(trusted, Question.range('a', new Uint8Array(), 10), json));
  verify(readCommitments(json), Question.keys(['a', root]), readProof(json));
  const { value, version } = verifyKey({ root, dictionary: root, vectorSize: 4 }, 'k', json);
  try {
    // @ts-expect-error a key is no number
    Question.key(7);
    // @ts-expect-error a root with a dictionary needs the vector size
    verify({ root, dictionary: root }, Question.key('k'), json);
    // @ts-expect-error commitments are read, not made
    new Commitments({});
    // @ts-expect-error no such reason
    const other: Reason = 'Other';
    return [answers[0]!, version, value === null ? 'other' : 'false', other ?? reasons[0]];
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'RootFalse' && error.item !== 1) return undefined;
    if (error instanceof ProofError && error.exitCode === 1) return undefined;
    throw error;
  }
}

void names, declaredNames;
