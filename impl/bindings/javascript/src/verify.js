// Verifying an answer: the one function that everyone who reads a dictionary calls.
//
// The phases run in this order over the whole proof, and in the first that fails the lowest item
// names the reason (docs/answers.md, "Order of checks"):
//
//     form       the question can be asked; slots have lengths of the format
//     about      dictionary, scheme, vector size, version, question
//     root       parts hash to the root; each vector's path leads to it         (under a root)
//     positions  each is in use, and its vector's commitment is known
//     openings   none malformed; each opens its vector's commitment to its slot's scalar
//     chain      the slots answer the question

import { basisOf, commitmentsOf, resolveTrusted } from './basis.js';
import { equal } from './bytes.js';
import { decodePoint, firstFalse, verifyFolded } from './openings.js';
import { readProof } from './proof.js';
import { MOST_KEY_BYTES, MOST_VALUE_BYTES, isLegal, sameQuestion } from './question.js';
import { Refusal } from './reason.js';
import { answerOfSlots } from './scan.js';
import { slotScalar } from './slot.js';

/**
 * The answer that a proof gives to a question, under what is trusted; with the version that it is
 * about. `proof` is JSON, its binary form, or what `readProof` made of it.
 */
export function verify(trusted, question, proof) {
  const read = typeof proof === 'string' || proof instanceof Uint8Array ? readProof(proof) : proof;
  const known = resolveTrusted(trusted, read);
  checkForm(question, read.claims);
  checkAbout(known, question, read);
  const basis = basisOf(known, read);
  const commitments = commitmentsOf(basis, known.vectorSize, read.claims);
  checkOpenings(known, read, commitments);
  return { ...answerOfSlots(question, read.claims.map(({ slot }) => slot)), version: read.version };
}

export function checkForm(question, claims) {
  if (!isLegal(question)) throw new Refusal('QuestionIllegal');
  claims.forEach(({ slot: { key, value, next } }, c) => {
    if (key.length > MOST_KEY_BYTES || next.length > MOST_KEY_BYTES || value.length > MOST_VALUE_BYTES) {
      throw new Refusal('AnswerSlotTooLong', c);
    }
  });
}

export function checkAbout(known, question, proof) {
  if (!equal(proof.dictionary, known.dictionary)) throw new Refusal('OtherDictionary');
  if (proof.scheme !== 'kzg') throw new Refusal('OtherScheme');
  if (proof.vectorSize !== known.vectorSize) throw new Refusal('OtherVectorSize');
  // A root says its version by its parts.
  if (known.version !== null && proof.version !== known.version) throw new Refusal('OtherVersion');
  if (!sameQuestion(proof.question, question)) throw new Refusal('OtherQuestion');
}

export function checkOpenings({ vectorSize, dictionary }, { version, claims, folded }, commitments) {
  const statements = claims.map(({ position, slot }, c) => (
    { commitment: commitments[c], index: Number(position % BigInt(vectorSize)), scalar: slotScalar(slot) }));
  if (folded !== null) {
    const [quotient, witness] = [folded.subarray(0, 48), folded.subarray(48)].map((bytes) => opening(bytes, null));
    const holds = verifyFolded(vectorSize, dictionary, version, statements, quotient, witness);
    if (!holds) throw new Refusal('AnswerOpeningFalse');
    return;
  }
  const opened = statements.map((statement, c) => ({ ...statement, opening: opening(claims[c].opening, c) }));
  const lowest = firstFalse(vectorSize, dictionary, version, opened);
  if (lowest !== null) throw new Refusal('AnswerOpeningFalse', lowest);
}

function opening(bytes, item) {
  const point = decodePoint(bytes);
  if (point === null) throw new Refusal('AnswerOpeningMalformed', item);
  return { bytes, point };
}
