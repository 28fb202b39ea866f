// Why something is not believed: the reasons with their classes, and the errors that carry them.
//
// Names, classes and texts are those of the crate aardvark-proof (docs/answers.md).

/** Reasons by class. */
const REASONS = {
  malformed: {
    QuestionIllegal: 'nobody can ask this question',
    AnswerSlotTooLong: "a slot's key, next key or value is longer than any may be",
    TieMismatched: 'nothing ties the claims to the root, or something does where commitments are trusted',
    TiedVectorsMismatched: 'the tied vectors are not those of the claims, in ascending order',
    CommitmentMalformed: 'the bytes of a commitment are not a point of the group',
    PartsMalformed: 'the identity is none that a dictionary can have',
    AnswerOpeningMalformed: 'the bytes of an opening are not a point of the group',
    PathCount: 'there is not one path for each claim',
    FunctionUnknown: 'answers to this function are not verified here',
    RunMalformed: 'a key or value in the box is no run of the table',
    RunsExceeded: 'there are more runs or rows than an answer has',
    PartsMismatched: 'a part is missing, or one is there that the function does not ask for',
    OpeningMalformed: 'the opening is no point of the curve',
  },
  other: {
    OtherDictionary: 'the proof is about another dictionary',
    OtherScheme: 'the proof is for another commitment scheme',
    OtherVectorSize: 'the proof is for another vector size',
    OtherVersion: 'the proof is about another version',
    OtherQuestion: 'the proof is about another question',
    OtherTable: 'the answer is about another table',
    OtherQuery: 'the answer is to another query',
    SchemaMismatched: 'the answer is of a table with another schema',
  },
  false: {
    RootFalse: 'the parts do not hash to the root',
    PathFalse: 'a path does not tie its commitment to the root',
    AnswerPositionOutOfRange: 'the claimed position is not in use',
    AnswerOpeningFalse: 'an opening does not prove its claim',
    ChainNotCovering: 'a slot does not cover what it has to, or does not precede it',
    ChainSuperfluous: "there are slots after the answer's end",
    ChainMissing: 'the slots end before the answer does',
    TotalsExceeded: "a total is greater than the rows and the column's bounds allow",
    OpeningFalse: 'the opening does not show the stated numbers',
    NotPredecessor: "the second claim is not that of the key's predecessor",
  },
};

const CLASS_OF = new Map(
  Object.entries(REASONS).flatMap(([name, reasons]) => Object.entries(reasons).map(([reason, text]) => [reason, { name, text }])));

/** The names of all reasons. */
export const reasons = Object.freeze([...CLASS_OF.keys()]);

/** What this package throws about what it is given to read or to verify, and nothing else is. */
export class ProofError extends Error {
  constructor(message, classOfError) {
    super(message);
    this.name = new.target.name;
    /** `malformed`, `other` (about something else) or `false`. */
    this.class = classOfError;
  }

  /** With which code a program ends: 1 for what is false, 2 for the others. */
  get exitCode() {
    return this.class === 'false' ? 1 : 2;
  }
}

/** Text that is no proof, no commitments, no note or no key, whatever it may say. */
export class Unreadable extends ProofError {
  constructor(message) {
    super(message, 'malformed');
  }
}

/** A proof that does not hold: the reason, and the claim or tied vector that gave it. */
export class Refusal extends ProofError {
  constructor(reason, item = null) {
    const { name, text } = CLASS_OF.get(reason);
    super(`${item === null ? '' : `item ${item + 1}: `}${text} (${reason})`, name);
    this.reason = reason;
    /** The claim, or the tied vector, from 0; null where the reason is about the whole proof. */
    this.item = item;
  }
}

/** A note that one of the keys has not signed (`NotSigned`), or not this text (`SignatureFalse`). */
export class Unsigned extends ProofError {
  constructor(reason, name) {
    const isFalse = reason === 'SignatureFalse';
    super(isFalse ? `the signature of ${name} is false` : `the note is not signed by ${name}`, isFalse ? 'false' : 'other');
    this.reason = reason;
  }
}
