// Proofs of format 1: one key, and for a deletion its predecessor. Such a proof is two proofs in one,
// and `verify` judges both.

import { U32, asBytes } from './bytes.js';
import { schemeField } from './commitments.js';
import { formatField, optional, readJson } from './json.js';
import { claim, digest, key, u64 } from './proof.js';
import { Question } from './question.js';
import { Refusal } from './reason.js';
import { verify } from './verify.js';

/** Most bytes of a proof's text. */
const LARGEST = 2 ** 16;

const commitmentPath = (json) => json.object({
  commitment: (field) => field.bytes('a commitment', 48),
  path: (field) => field.list(digest),
});

function root(json) {
  const read = json.object({
    version: u64,
    size: u64,
    tail_start: u64,
    commitment_root: digest,
    tail_digest: digest,
    replay_digest: digest,
    window_digest: digest,
    claims: (field) => field.list(commitmentPath),
  });
  return {
    version: read.version,
    size: read.size,
    tailStart: read.tail_start,
    commitmentRoot: read.commitment_root,
    tailDigest: read.tail_digest,
    replayDigest: read.replay_digest,
    windowDigest: read.window_digest,
    claims: read.claims,
  };
}

/** Reads a proof of format 1: JSON as text, or its bytes. What it says is only checked for its form. */
export function readKeyProof(text) {
  return readJson(text, LARGEST, 'the proof', (json) => {
    const read = json.object({
      format: formatField(1),
      dictionary: (field) => field.bytes('dictionary', 32),
      scheme: schemeField,
      vector_size: (field) => Number(field.integer(U32)),
      version: u64,
      key,
      claims: (field) => field.list(claim),
      root: optional(root),
    });
    const { dictionary, scheme, vector_size: vectorSize, version, claims } = read;
    if (claims.length < 1 || claims.length > 2) json.fail('a proof has one claim or two');
    return { dictionary, scheme, vectorSize, version, key: read.key, claims, root: read.root ?? null };
  });
}

/**
 * What a proof of format 1 says of a key, under what is trusted: the version, the value or null, and
 * whether the key's predecessor is shown, too. Trusted are commitments, or a root with the
 * dictionary and its vector size.
 */
export function verifyKey(trusted, key, proof) {
  const read = typeof proof === 'string' || proof instanceof Uint8Array ? readKeyProof(proof) : proof;
  const tied = trusted?.root === undefined ? null : read.root;
  if (tied !== null && tied.claims.length !== read.claims.length) throw new Refusal('PathCount');
  const asked = Question.key(key);
  const first = verify(trusted, asked, answerProof(read, tied, Question.key(read.key), 0));
  if (tied !== null && tied.version !== read.version) throw new Refusal('RootFalse');
  const { value } = first.keys[0];
  if (read.claims.length === 2) checkPredecessor(trusted, { key: asBytes(key), value }, read, tied);
  return { version: read.version, value, showsPredecessor: read.claims.length === 2 };
}

function checkPredecessor(trusted, { key, value }, read, tied) {
  const question = Question.predecessor(key);
  try {
    verify(trusted, question, answerProof(read, tied, question, 1));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.reason === 'ChainNotCovering') throw new Refusal('NotPredecessor', 1);
    throw new Refusal(error.reason, error.item === null ? null : 1);
  }
  if (value === null) throw new Refusal('NotPredecessor', 1);
}

/** One claim of a proof, as a proof of format 2. */
function answerProof({ dictionary, scheme, vectorSize, version, claims }, tied, question, c) {
  const { commitment, path } = tied?.claims[c] ?? {};
  const number = claims[c].position / BigInt(vectorSize === 0 ? 1 : vectorSize);
  const tie = tied && { ...tied, vectors: [{ number, commitment, path }], identity: null };
  return { dictionary, scheme, vectorSize, version, question, claims: [claims[c]], folded: null, tie };
}
