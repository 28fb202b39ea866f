// Proofs of answers, format 2, as JSON (docs/format.md, "Proofs of answers").

import { isBinary, readBinary } from './binary.js';
import { U32, U64 } from './bytes.js';
import { schemeField } from './commitments.js';
import { formatField, optional, readJson } from './json.js';
import { MOST_KEY_BYTES, MOST_VALUE_BYTES } from './question.js';
import { PARAMETERS_BYTES } from './root.js';

/** Most bytes of a proof's text. */
const LARGEST = 64 * 2 ** 20;

export const u64 = (json) => json.integer(U64);
export const digest = (json) => json.bytes('a digest', 32);
export const key = (json) => json.hex('a key', MOST_KEY_BYTES);

/** A slot of a claim. */
const slot = (json) => json.object({ key, value: (field) => field.hex('a value', MOST_VALUE_BYTES), next: key });

/** A claim: the slot that stands at a position, with an opening unless all are folded into one. */
export const claim = (json) => json.object({ position: u64, slot, opening: (field) => field.bytes('an opening', 48) });

const claimOfEither = (json) => json.object({
  position: u64,
  slot,
  opening: optional((field) => field.bytes('an opening', 48)),
});

const tiedVector = (json) => json.object({
  number: u64,
  commitment: (field) => field.bytes('a commitment', 48),
  path: (field) => field.list(digest),
});

function identity(json) {
  const read = json.object({
    name: (field) => field.hex('a name', LARGEST),
    salt: digest,
    parameters: (field) => field.bytes('parameters', PARAMETERS_BYTES),
    setup_digest: digest,
    content_digest: digest,
    binding: (field) => field.hex('a binding', LARGEST),
  });
  const { name, salt, parameters, binding } = read;
  return { name, salt, parameters, setupDigest: read.setup_digest, contentDigest: read.content_digest, binding };
}

export function tie(json) {
  const read = json.object({
    size: u64,
    tail_start: u64,
    commitment_root: digest,
    tail_digest: digest,
    replay_digest: digest,
    window_digest: digest,
    vectors: (field) => field.list(tiedVector),
    identity: optional(identity),
  });
  return {
    size: read.size,
    tailStart: read.tail_start,
    commitmentRoot: read.commitment_root,
    tailDigest: read.tail_digest,
    replayDigest: read.replay_digest,
    windowDigest: read.window_digest,
    vectors: read.vectors,
    identity: read.identity ?? null,
  };
}

const range = (json) => {
  const { from, to, limit } = json.object({ from: key, to: key, limit: optional(u64) });
  return { kind: 'range', from, to, limit: limit ?? null };
};

function question(json) {
  const found = Object.values(json.object({
    keys: optional((field) => ({ kind: 'keys', keys: field.list(key) })),
    range: optional(range),
    predecessor: optional((field) => ({ kind: 'predecessor', key: key(field) })),
    successor: optional((field) => ({ kind: 'successor', key: key(field) })),
  }));
  return found.length === 1 ? found[0] : json.fail('a question is one of keys, range, predecessor and successor');
}

/** Reads a proof: JSON as text or its bytes, or a proof as bytes. It is only checked for its form. */
export function readProof(text) {
  if (text instanceof Uint8Array && isBinary(text) && text.length <= LARGEST) return readBinary(text);
  return readJson(text, LARGEST, 'the proof', (json) => {
    const read = json.object({
      format: formatField(2),
      dictionary: (field) => field.bytes('dictionary', 32),
      scheme: schemeField,
      vector_size: (field) => Number(field.integer(U32)),
      version: u64,
      question,
      claims: (field) => field.list(claimOfEither),
      folded_opening: optional((field) => field.bytes('a folded opening', 96)),
      root: optional(tie),
    });
    const folded = read.folded_opening ?? null;
    const opened = read.claims.filter(({ opening }) => opening !== undefined).length;
    if (opened !== (folded === null ? read.claims.length : 0)) {
      json.fail('each claim has an opening, or one folded opening stands for all');
    }
    const { dictionary, scheme, vector_size: vectorSize, version, claims } = read;
    return { dictionary, scheme, vectorSize, version, question: read.question, claims, folded, tie: read.root ?? null };
  });
}
