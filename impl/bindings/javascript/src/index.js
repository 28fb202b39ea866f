// What a program uses of this package; types/index.d.ts documents it.

export { fromHex, toHex } from './bytes.js';
export { Commitments, readCommitments } from './commitments.js';
export { readKeyProof, verifyKey } from './key_proof.js';
export { Note, openNote } from './note.js';
export { readProof } from './proof.js';
export { Question } from './question.js';
export { ProofError, Refusal, Unreadable, Unsigned, reasons } from './reason.js';
export { covers } from './slot.js';
export { readTableAnswer } from './table_answer.js';
export { readSchema } from './table_schema.js';
export { verifyTable } from './table_verify.js';
export { verify } from './verify.js';
