//! Replays the files: the implementation from bytes, the specification from the numbers beside
//! them.

use std::sync::Arc;

use aardvark_algebra::{scalar_from_bytes, scalar_to_bytes};
use aardvark_commitment::{Commitment, Kzg, Opening, Scheme, SchemeKind, VectorCommitment, insecure};
use aardvark_dictionary::{Block, Genesis, ImportBlock, Transaction, Validator};
use aardvark_spec::block::state::genesis_state;
use aardvark_spec::block::validator::apply_block;
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::libert_yung::libert_yung_setup;
use aardvark_spec::commitment::scheme::{Setup, verify_point};

use super::encodings::{EncodingCase, VECTOR_SIZE, What};
use super::file::{Hex, Outcome};
use super::histories::{Expected, HistoryCase, Outcomes, Refused, SlotJson, Step, WriteJson};
use super::identities::entries;
use super::openings::OpeningCase;
use crate::compare::writes_from_spec;
use crate::convert::{
    Refusal, block_to_spec, element_to_spec, exponent_from_spec, genesis_to_spec, scalar_from_spec, scalar_to_spec,
};
use crate::points::{Meaning, Points, multiple_of_generator};

use aardvark_algebra::group::Curve;

/// What the implementation says of an opening. `strict` demands the subgroup.
pub fn opening_by_implementation(scheme: &impl VectorCommitment, case: &OpeningCase, strict: bool) -> Outcome {
    let decode = if strict { Opening::from_bytes_strict } else { Opening::from_bytes };
    let commitment = case.commitment.array().and_then(|bytes| Commitment::from_bytes(&bytes).ok());
    let scalar = case.scalar.array().and_then(|bytes| scalar_from_bytes(&bytes).ok());
    let opening = case.opening.array().and_then(|bytes| decode(&bytes).ok());
    match (commitment, scalar, opening) {
        (Some(commitment), Some(scalar), Some(opening)) => {
            if scheme.verify(&commitment, case.index, &scalar, &opening) { Outcome::Valid } else { Outcome::False }
        }
        _ => Outcome::Malformed,
    }
}

/// What the specification says of an opening whose discrete logarithms are known.
pub fn opening_by_specification(setup: &Setup, case: &OpeningCase) -> Outcome {
    let known = case.known.as_ref().expect("a file with known secrets");
    let number = |hex: &Option<Hex>| hex.as_ref().and_then(Hex::array).and_then(|bytes| scalar_from_bytes(&bytes).ok());
    let scalar = case.scalar.array().and_then(|bytes| scalar_from_bytes(&bytes).ok());
    match (number(&known.commitment), scalar, number(&known.opening)) {
        (Some(commitment), Some(scalar), Some(opening)) => {
            let [commitment, opening] = [commitment, opening].map(|exponent| element_to_spec(&exponent));
            let scalar = scalar_to_spec(&scalar);
            if verify_point(setup, commitment, case.index, scalar, opening) { Outcome::Valid } else { Outcome::False }
        }
        _ => Outcome::Malformed,
    }
}

/// The verifier on the Ethereum ceremony for vectors of N scalars.
pub fn ceremony_verifier(vector_size: usize) -> Kzg {
    Kzg::verifier(vector_size).expect("a legal size")
}

/// Both sides' setups of a known secret.
pub fn setups(kind: SchemeKind, vector_size: usize, secret: &Hex) -> (Arc<Scheme>, Setup) {
    let secret = secret.array().and_then(|bytes| scalar_from_bytes(&bytes).ok()).expect("a scalar");
    let in_spec = scalar_to_spec(&secret);
    match kind {
        SchemeKind::Kzg => {
            let scheme = insecure::kzg_with_known_tau(vector_size, secret).expect("a legal setup");
            (Arc::new(scheme.into()), Setup::Kzg(kzg_setup(vector_size, in_spec)))
        }
        SchemeKind::LibertYung => {
            let scheme = insecure::libert_yung_with_known_alpha(vector_size, secret).expect("a legal setup");
            (Arc::new(scheme.into()), Setup::LibertYung(libert_yung_setup(vector_size, in_spec)))
        }
    }
}

/// Whether the implementation decodes bytes, to something that encodes to them again.
pub fn encoding_by_implementation(case: &EncodingCase) -> Outcome {
    let bytes = &case.bytes.0;
    let again = match case.what {
        What::Transaction => Transaction::decode(bytes).map(|decoded| (decoded.encode(), decoded.encoded_length())),
        What::Block => Block::decode_unlimited(bytes, VECTOR_SIZE, u32::MAX)
            .map(|decoded| (decoded.encode(), decoded.encoded_length())),
        What::Import => ImportBlock::decode(bytes).map(|decoded| (decoded.encode(), bytes.len())),
    };
    match again {
        Ok((encoded, length)) if encoded == *bytes && length == bytes.len() => Outcome::Valid,
        Ok(_) => panic!("{case:?} decodes and encodes to something else"),
        Err(_) => Outcome::Malformed,
    }
}

fn genesis_of(case: &HistoryCase, scheme: &Scheme) -> Genesis {
    let parameters = case.parameters.parameters();
    let identity = case.identity.identity();
    Genesis::new(identity, parameters, scheme.setup_digest(), entries(&case.entries)).expect("a legal genesis")
}

fn scheme_of(case: &HistoryCase) -> (Arc<Scheme>, Setup) {
    let parameters = case.parameters.parameters();
    setups(parameters.scheme, parameters.vector_size as usize, &case.secret)
}

fn decode(step: &Step, case: &HistoryCase) -> Block {
    let limit = case.parameters.limits[6];
    Block::decode_unlimited(&step.block.0, case.parameters.vector_size, limit)
        .expect("the blocks of histories are well-formed")
}

/// What the implementation makes of a history: the id, the first commitments, and what comes of
/// each block.
pub fn history_by_implementation(case: &HistoryCase) -> (Hex, Vec<Hex>, Vec<Expected>) {
    let (scheme, _) = scheme_of(case);
    let mut validator = Validator::new(&genesis_of(case, &scheme), scheme).expect("a legal genesis");
    let commitments =
        |validator: &Validator| validator.commitments().iter().map(|commitment| commitment.to_bytes().into()).collect();
    let (id, first) = (validator.id().0.into(), commitments(&validator));
    let outcomes = case.steps.iter().map(|step| match validator.apply(&decode(step, case)) {
        Err(rejection) => Expected::Refused(Refused::from(&Refusal::from(&rejection))),
        Ok(applied) => Expected::Accepted(Outcomes {
            transactions: applied.transactions.iter().map(|id| id.0.into()).collect(),
            writes: applied.writes.iter().map(|write| write_json(write.position, write.after.as_ref())).collect(),
            slots: applied.size,
            tail_start: validator.tail().start(),
            commitments: commitments(&validator),
        }),
    });
    (id, first, outcomes.collect())
}

fn write_json(position: u64, slot: Option<&aardvark_dictionary::Slot>) -> WriteJson {
    WriteJson { position, slot: slot.map(SlotJson::from) }
}

/// What the specification makes of a history.
pub fn history_by_specification(case: &HistoryCase) -> (Hex, Vec<Hex>, Vec<Expected>) {
    let (scheme, setup) = scheme_of(case);
    let mut state = genesis_state(&setup, &genesis_to_spec(&genesis_of(case, &scheme)));
    let commitments = |state: &aardvark_spec::block::state::ValidatorState| {
        let elements = aardvark_spec::convert::to_vec(&state.commitments);
        elements.iter().map(|element| point(&exponent_from_spec(*element))).collect::<Vec<Hex>>()
    };
    let bytes = aardvark_spec::convert::byte_vec;
    let (id, first) = (bytes(&state.dictionary_id).into(), commitments(&state));
    let mut outcomes = Vec::new();
    for step in &case.steps {
        let block = spec_block(step, case);
        outcomes.push(match apply_block(&setup, &state, &block) {
            Err(rejection) => Expected::Refused(Refused::from(&Refusal::from(rejection))),
            Ok((after, effects)) => {
                state = after;
                let writes = writes_from_spec(&effects.effect_writes);
                Expected::Accepted(Outcomes {
                    transactions: aardvark_spec::convert::to_vec(&effects.effect_ids)
                        .iter()
                        .map(|id| bytes(id).into())
                        .collect(),
                    writes: writes.iter().map(|(position, slot)| write_json(*position, slot.as_ref())).collect(),
                    slots: state.size as u64,
                    tail_start: state.tail_start as u64,
                    commitments: commitments(&state),
                })
            }
        });
    }
    (id, first, outcomes)
}

/// The block with the openings' exponents from the file. The format's rule for bytes and the file
/// must agree on which openings are malformed.
fn spec_block(step: &Step, case: &HistoryCase) -> aardvark_spec::block::block_data::Block {
    let block = decode(step, case);
    let mut exponents = step.openings.iter();
    let points = Points::default();
    for claim in block.transactions.iter().flat_map(|transaction| &transaction.claims) {
        let stated = exponents.next().expect("an exponent or null for every claim");
        let malformed = points.meaning(&claim.opening) == Meaning::Malformed;
        assert_eq!(malformed, stated.is_none(), "which openings are malformed");
        let stated = stated.as_ref().and_then(Hex::array).and_then(|bytes| scalar_from_bytes(&bytes).ok());
        stated.into_iter().for_each(|exponent| points.learn(claim.opening, exponent));
    }
    assert!(exponents.next().is_none(), "no more exponents than claims");
    block_to_spec(&block, &points)
}

fn point(exponent: &aardvark_algebra::Scalar) -> Hex {
    multiple_of_generator(exponent).to_affine().to_compressed().into()
}

/// The 32 bytes of a specification's scalar.
pub fn scalar_hex(scalar: &aardvark_spec::base::scalar::Scalar) -> Hex {
    scalar_to_bytes(&scalar_from_spec(scalar)).into()
}
