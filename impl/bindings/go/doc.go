// Package aardvark verifies what an archive of an Aardvark dictionary answers: the values of keys,
// or that they are absent; the entries of a range, all of them; a key's neighbours. Archives are
// not trusted. A reader trusts one of
//
//   - the commitments of a version ([ReadCommitments]),
//   - its state root of 32 bytes, with the dictionary's id and vector size ([Root]),
//   - the root alone, where the proof brings what the id is a hash over ([RootAlone]),
//   - a root that a publisher signed ([OpenNote]),
//
// asks a [Question], and gets a [Proof] from anybody ([ReadProof], [ReadProofBytes]).
// [Verifier.Verify] gives the answer, or a [*Refusal] with the reason, whose names, order and
// classes are those of the specification (docs/answers.md). It has the answer's type by the
// question's: [AskKeys] and [KeysAnswer], [AskRange] and [RangeAnswer], [AskPredecessor] and
// [PredecessorAnswer], [AskSuccessor] and [SuccessorAnswer].
//
// Openings are ordinary KZG openings on the Ethereum ceremony, and go-eth-kzg judges them; folded
// ones, one for all claims of a proof, take a pairing by gnark-crypto. Every byte of a proof may be
// hostile: nothing panics, and work and memory are bounded by its length.
package aardvark
