/**
 * Verifies what a dictionary of Aardvark says.
 *
 * Trusted are the commitments of a version, a state root of 32 bytes, or a note that somebody signed; a
 * proof may come from anybody. No byte of it is believed.
 *
 * @packageDocumentation
 */

/** Bytes; or text, which stands for its UTF-8. */
export type Key = Uint8Array | string;

/** 32 bytes; or their lower-case hexadecimal after `0x`. */
export type Digest = Uint8Array | string;

/** JSON, as text or as its bytes. */
export type Json = string | Uint8Array;

/** What is asked. {@link Question} makes it. */
export type AnyQuestion =
  | { readonly kind: 'keys'; readonly keys: readonly Uint8Array[] }
  | { readonly kind: 'range'; readonly from: Uint8Array; readonly to: Uint8Array; readonly limit: bigint | null }
  | { readonly kind: 'predecessor'; readonly key: Uint8Array }
  | { readonly kind: 'successor'; readonly key: Uint8Array };

/** Makes questions. */
export declare const Question: {
  /** What is the value of one key? */
  key(key: Key): AnyQuestion;
  /** What are the values of these keys? They are put in order, and each is asked for once. */
  keys(keys: Iterable<Key>): AnyQuestion;
  /**
   * What are the entries with `from <= key < to`? An empty `to` is no end; `limit` is the most that
   * is wanted of them.
   */
  range(from: Key, to: Key, limit?: bigint | number | null): AnyQuestion;
  /** Which is the greatest key below this one, and its value? */
  predecessor(key: Key): AnyQuestion;
  /** Which is the least key above this one? */
  successor(key: Key): AnyQuestion;
};

/** A key that is there, and its value. */
export interface Entry {
  key: Uint8Array;
  value: Uint8Array;
}

/** A key that was asked for, and its value; `null` where the key is absent. */
export interface KeyAnswer {
  key: Uint8Array;
  value: Uint8Array | null;
}

/** What a proof that holds says, at its version. */
export type Answer =
  | { kind: 'keys'; version: bigint; keys: KeyAnswer[] }
  /** `next` is the key to go on with, where the limit ended the answer; else `null`. */
  | { kind: 'range'; version: bigint; entries: Entry[]; next: Uint8Array | null }
  /** `null` where there is none. */
  | { kind: 'predecessor'; version: bigint; entry: Entry | null }
  /** `null` where there is none. */
  | { kind: 'successor'; version: bigint; key: Uint8Array | null };

/** The commitments of one version, which {@link readCommitments} reads. */
export declare class Commitments {
  private constructor();
  /** The dictionary's id, 32 bytes. */
  readonly dictionary: Uint8Array;
  /** N, the number of slots in a vector. */
  readonly vectorSize: number;
  readonly version: bigint;
  /** The number of slots. */
  readonly slots: bigint;
  /** The commitments in hexadecimal, as the text has them. */
  readonly commitments: readonly string[];
}

/** A signed note, which {@link openNote} opens. */
export declare class Note {
  private constructor();
  /** The dictionary's name. */
  readonly origin: string;
  readonly version: bigint;
  /** The state root, 32 bytes. */
  readonly root: Uint8Array;
  /** Who signed: names of keys, and whether the reader named the key, whose signature then holds. */
  readonly signatures: readonly { readonly name: string; readonly known: boolean }[];
}

/** A state root, with the dictionary's id and its number of slots in a vector. */
export interface KnownRoot {
  root: Digest;
  dictionary: Digest;
  vectorSize: number;
}

/** A state root alone: the proof must bring along what the dictionary's id is over. */
export interface RootAlone {
  root: Digest;
  dictionary?: undefined;
}

/** What a verifier believes. All else comes from whoever answers. */
export type Trusted = Commitments | Note | KnownRoot | RootAlone;

/** A slot: a key, its value, and the next key that is there. */
export interface Slot {
  key: Uint8Array;
  value: Uint8Array;
  next: Uint8Array;
}

/** That a slot stands at a position. */
export interface Claim {
  position: bigint;
  slot: Slot;
  /** 48 bytes; none where all openings are folded into one. */
  opening?: Uint8Array;
}

/** What a dictionary's id is over. */
export interface Identity {
  name: Uint8Array;
  salt: Uint8Array;
  parameters: Uint8Array;
  setupDigest: Uint8Array;
  contentDigest: Uint8Array;
  binding: Uint8Array;
}

/** What ties claims to a state root. */
export interface RootParts {
  size: bigint;
  tailStart: bigint;
  commitmentRoot: Uint8Array;
  tailDigest: Uint8Array;
  replayDigest: Uint8Array;
  windowDigest: Uint8Array;
}

/** A proof of format 2, as it says of itself: nothing of it is checked but its form. */
export interface Proof {
  dictionary: Uint8Array;
  scheme: 'kzg' | 'libert-yung';
  vectorSize: number;
  version: bigint;
  question: AnyQuestion;
  claims: Claim[];
  /** 96 bytes, where all openings are folded into one. */
  folded: Uint8Array | null;
  tie:
    | (RootParts & {
        vectors: { number: bigint; commitment: Uint8Array; path: Uint8Array[] }[];
        identity: Identity | null;
      })
    | null;
}

/** A proof of format 1, for one key, as it says of itself: nothing of it is checked but its form. */
export interface KeyProof {
  dictionary: Uint8Array;
  scheme: 'kzg' | 'libert-yung';
  vectorSize: number;
  version: bigint;
  key: Uint8Array;
  claims: Claim[];
  root: (RootParts & { version: bigint; claims: { commitment: Uint8Array; path: Uint8Array[] }[] }) | null;
}

/**
 * The answer that a proof, JSON or binary, gives to a question, under what is trusted.
 *
 * @throws {Refusal} where the proof gives none.
 * @throws {Unreadable} where it is no proof.
 */
export declare function verify(trusted: Trusted, question: AnyQuestion, proof: Json | Proof): Answer;

/**
 * What a proof of format 1 says of a key, under what is trusted: its value, `null` where it is
 * absent, and whether the key's predecessor is shown, too, as a deletion needs it.
 *
 * @throws {Refusal} where the proof does not hold.
 * @throws {Unreadable} where the text is no proof.
 */
export declare function verifyKey(
  trusted: Commitments | KnownRoot,
  key: Key,
  proof: Json | KeyProof,
): { version: bigint; value: Uint8Array | null; showsPredecessor: boolean };

/**
 * Reads the commitments of a version, as `aardvark commitments` writes them.
 *
 * @throws {Unreadable} where the text is none.
 */
export declare function readCommitments(text: Json): Commitments;

/**
 * Reads a proof of format 2: JSON, or the binary form. {@link verify} does so by itself.
 *
 * @throws {Unreadable} where it is none.
 */
export declare function readProof(proof: Json): Proof;

/**
 * Reads a proof of format 1. {@link verifyKey} does so by itself.
 *
 * @throws {Unreadable} where the text is none.
 */
export declare function readKeyProof(text: Json): KeyProof;

/**
 * Opens a signed note (C2SP signed-note) that every one of the keys has signed, and maybe others.
 * `keys` are texts `name+hash+base64`, as `aardvark` prints them.
 *
 * @throws {Unreadable} where note or key is none.
 * @throws {Unsigned} where a key has not signed it, or its signature is false.
 */
export declare function openNote(note: string | Uint8Array, keys: readonly string[]): Note;

/** A key column of a table: `kind` 0 for natural numbers, 1 for integers, 2 for texts. */
export interface KeyColumn {
  name: string;
  kind: number;
  /** How many bytes a value has. */
  width: number;
}

/** A value column of a table: numbers from `lowest` to `lowest + span`, in units of their last digit. */
export interface ValueColumn {
  name: string;
  lowest: bigint;
  span: bigint;
  bits: number;
  /** How many powers of the numbers have sums. */
  moments: number;
  /** How many decimal digits stand behind the point where a number is shown. */
  scale: number;
}

/** What the columns of a table are, and what may become of its runs. */
export interface TableSchema {
  appendOnly: boolean;
  deletable: boolean;
  keys: KeyColumn[];
  values: ValueColumn[];
  /** The names of the columns of private text. */
  rows: string[];
  bytes: Uint8Array;
}

/** A number as a fraction in lowest terms. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** What was found of a group of runs; without `group by` there is one. */
export interface TableGroup {
  /** The values of the columns of `group by`. */
  key: (bigint | string)[];
  rows: bigint;
  /** The sums of the numbers, of their squares, and so on, as far as the statistic needs them. */
  sums: bigint[];
  /** The statistic, of `stddev` its square; `null` where there are no rows. */
  value: Fraction | null;
}

/** What an answer about a table says that holds. */
export interface TableFinding {
  version: bigint;
  /** The number of runs that were asked about. */
  runs: number;
  /** The groups, in ascending order of their keys. */
  groups: TableGroup[];
}

/** An answer about a table, as it says of itself: nothing of it is checked but its form. */
export interface TableAnswer {
  dictionary: Uint8Array;
  version: bigint;
  table: string;
  query: string;
  /** The claim of the schema. */
  schema: Claim;
  /** The claims that show which runs there are. */
  runs: Claim[];
  totals?: bigint[][];
  opening?: Uint8Array;
  tie: Proof['tie'];
}

/**
 * What an answer of a keeper of private rows says to a query, such as
 * `sum(power) where time < 110 group by town`, under what is trusted: counts, sums, means, moments,
 * variances and standard deviations. Whether the runs are in order, their certificates say, which
 * are not looked at.
 *
 * @throws {Refusal} where the answer does not hold.
 * @throws {Unreadable} where it is no answer, or the text no query of the table.
 */
export declare function verifyTable(trusted: Trusted, table: string, query: string, answer: Json | TableAnswer): TableFinding;

/**
 * Reads an answer about a table. {@link verifyTable} does so by itself.
 *
 * @throws {Unreadable} where the text is none.
 */
export declare function readTableAnswer(text: Json): TableAnswer;

/**
 * Reads a table's schema: the value of its key.
 *
 * @throws {Unreadable} where the bytes are none.
 */
export declare function readSchema(bytes: Uint8Array): TableSchema;

/** Whether a key lies in the cyclic interval from a slot's key up to, and not including, its next key. */
export declare function covers(slot: Pick<Slot, 'key' | 'next'>, key: Uint8Array): boolean;

/** `0x` and two lower-case digits a byte. */
export declare function toHex(bytes: Uint8Array): string;

/**
 * The bytes of lower-case hexadecimal after `0x`; exactly `length` of them where that is given.
 *
 * @throws {Unreadable} for any other text; `what` names it.
 */
export declare function fromHex(text: string, what?: string, length?: number): Uint8Array;

/** What is wrong with what was given: of no form, about something else, or false. */
export type Class = 'malformed' | 'other' | 'false';

/** Why a proof does not hold. */
export type Reason =
  | 'QuestionIllegal'
  | 'AnswerSlotTooLong'
  | 'TieMismatched'
  | 'TiedVectorsMismatched'
  | 'CommitmentMalformed'
  | 'PartsMalformed'
  | 'AnswerOpeningMalformed'
  | 'PathCount'
  | 'FunctionUnknown'
  | 'RunMalformed'
  | 'RunsExceeded'
  | 'PartsMismatched'
  | 'OpeningMalformed'
  | 'OtherDictionary'
  | 'OtherScheme'
  | 'OtherVectorSize'
  | 'OtherVersion'
  | 'OtherQuestion'
  | 'OtherTable'
  | 'OtherQuery'
  | 'SchemaMismatched'
  | 'RootFalse'
  | 'PathFalse'
  | 'AnswerPositionOutOfRange'
  | 'AnswerOpeningFalse'
  | 'ChainNotCovering'
  | 'ChainSuperfluous'
  | 'ChainMissing'
  | 'TotalsExceeded'
  | 'OpeningFalse'
  | 'NotPredecessor';

/** All reasons. */
export declare const reasons: readonly Reason[];

/** What this package throws about proofs, commitments, notes and keys. */
export declare abstract class ProofError extends Error {
  readonly class: Class;
  /** 1 for what is false, 2 for the others. */
  get exitCode(): 1 | 2;
}

/** A proof does not hold. */
export declare class Refusal extends ProofError {
  private constructor();
  readonly reason: Reason;
  /** The claim or tied vector, from 0; `null` where the reason is about the whole proof. */
  readonly item: number | null;
}

/** A text is no proof, no commitments, no note or no key. */
export declare class Unreadable extends ProofError {
  private constructor();
  readonly class: 'malformed';
}

/** A note that a key has not signed, or not this text of it. */
export declare class Unsigned extends ProofError {
  private constructor();
  readonly class: 'other' | 'false';
  readonly reason: 'NotSigned' | 'SignatureFalse';
}
