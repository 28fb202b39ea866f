//! What the oracle should answer: the specification's results, as tokens.

use aardvark_spec::block::execution::Contents;
use aardvark_spec::block::import::ImportRejection;
use aardvark_spec::block::rejection::Rejection;
use aardvark_spec::block::root::HashedState;
use aardvark_spec::block::state::ValidatorState;
use aardvark_spec::block::validator::Effects;
use aardvark_spec::decoding::applied_bytes::{BytesRejection, ImportBytesRejection};
use aardvark_spec::decoding::checked_bytes::{SignedBytesRejection, SnapshotRejection};
use aardvark_spec::decoding::snapshot_decoder::encode_snapshot;
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::key_map::KeyMap;

use crate::tokens::Line;

impl Line {
    fn state(&mut self, state: &ValidatorState) {
        self.parameters(&state.parameters);
        self.bytes(&state.dictionary_id);
        self.size(state.version);
        self.size(state.size);
        self.elements(&state.commitments);
        self.list(&state.window, |line, record| {
            line.list(&record.record_writes, Self::write);
            line.size(record.record_size);
            line.list(&record.record_commitments, |line, previous| {
                line.size(previous.previous_vector);
                line.option(previous.previous_commitment.as_ref(), |line, commitment| line.element(*commitment));
            });
        });
        self.size(state.tail_start);
        self.list(&state.tail, Self::slot);
        self.list(&state.replay_set, Self::replay_entry);
    }

    fn contents(&mut self, contents: &Contents) {
        self.list(contents, |line, content| line.option(content.as_ref(), Self::bytes));
    }

    fn effects(&mut self, effects: &Effects) {
        self.list(&effects.effect_writes, Self::write);
        self.list(&effects.effect_contents, Self::contents);
        self.list(&effects.effect_changes, Self::change);
        self.list(&effects.effect_ids, Self::bytes);
    }

    fn rejection(&mut self, rejection: &Rejection) {
        self.word(&format!("{:?}", rejection.reason));
        self.option(rejection.transaction.as_ref(), |line, x| line.size(*x));
        self.option(rejection.item.as_ref(), |line, j| line.size(*j));
    }

    fn accepted(&mut self, (state, effects): &(ValidatorState, Effects)) {
        self.state(state);
        self.effects(effects);
    }

    fn imported(&mut self, (state, array): &(ValidatorState, Array)) {
        self.state(state);
        self.array(array);
    }

    fn import_rejection(&mut self, rejection: &ImportRejection) {
        let (name, number) = match rejection {
            ImportRejection::ImportWrongVersion => ("ImportWrongVersion", None),
            ImportRejection::ImportEmptyKey(i) => ("ImportEmptyKey", Some(i)),
            ImportRejection::ImportKeyTooLong(i) => ("ImportKeyTooLong", Some(i)),
            ImportRejection::ImportValueTooLong(i) => ("ImportValueTooLong", Some(i)),
            ImportRejection::ImportNotAscending(i) => ("ImportNotAscending", Some(i)),
            ImportRejection::ImportIncompleteArray => ("ImportIncompleteArray", None),
        };
        self.word(name);
        number.into_iter().for_each(|i| self.size(*i));
    }
}

fn result<T, E>(
    specified: &Result<T, E>,
    accepted: impl FnOnce(&mut Line, &T),
    refused: impl FnOnce(&mut Line, &E),
) -> String {
    let mut line = Line::default();
    match specified {
        Ok(value) => {
            line.word("accepted");
            accepted(&mut line, value);
        }
        Err(error) => {
            line.word("refused");
            refused(&mut line, error);
        }
    }
    line.text()
}

/// What the oracle should say of a genesis: whether it is legal, and the state at version 0.
pub fn specified_genesis(legal: bool, state: &ValidatorState) -> String {
    let mut line = Line::default();
    line.flag(legal);
    line.state(state);
    line.text()
}

/// What the oracle should say of a block: the result of `apply_block`, or of
/// `apply_aggregated_block`.
pub fn specified_judgement(specified: &Result<(ValidatorState, Effects), Rejection>) -> String {
    result(specified, Line::accepted, Line::rejection)
}

/// What the oracle should say of a transaction: the result of `check_transaction`.
pub fn specified_check(specified: &Result<Contents, Rejection>) -> String {
    result(specified, Line::contents, Line::rejection)
}

/// What the oracle should say of an import: the result of `apply_import`.
pub fn specified_import(specified: &Result<(ValidatorState, Array), ImportRejection>) -> String {
    result(specified, Line::imported, Line::import_rejection)
}

/// What the oracle should say of changes to an array: the result of `apply_changes`.
pub fn specified_changes(specified: Option<&Array>) -> String {
    let mut line = Line::default();
    line.option(specified, Line::array);
    line.text()
}

/// What the oracle should say of transactions on a map: the result of `map_transactions`.
pub fn specified_map(specified: &Result<KeyMap, Rejection>) -> String {
    result(specified, Line::key_map, Line::rejection)
}

/// What the oracle should say of received bytes of a block: the result of `apply_chain_list`,
/// `apply_aggregated_bytes` or `apply_block_bytes`.
pub fn specified_received(specified: &Result<(ValidatorState, Effects), BytesRejection>) -> String {
    result(specified, Line::accepted, |line, rejection| match rejection {
        BytesRejection::UnreadableBlock(why) => {
            line.word("unreadable");
            line.word(&format!("{why:?}"));
        }
        BytesRejection::RefusedBlock(rejection) => {
            line.word("block");
            line.rejection(rejection);
        }
    })
}

/// What the oracle should say of received bytes of an import: the result of `apply_import_bytes`.
pub fn specified_received_import(specified: &Result<(ValidatorState, Array), ImportBytesRejection>) -> String {
    result(specified, Line::imported, |line, rejection| match rejection {
        ImportBytesRejection::UnreadableImport(why) => {
            line.word("unreadable");
            line.word(&format!("{why:?}"));
        }
        ImportBytesRejection::RefusedImport(rejection) => {
            line.word("import");
            line.import_rejection(rejection);
        }
    })
}

/// What the oracle should say of received bytes of a transaction: the result of
/// `check_signed_bytes`.
pub fn specified_received_transaction(specified: &Result<Contents, SignedBytesRejection>) -> String {
    result(specified, Line::contents, |line, rejection| match rejection {
        SignedBytesRejection::UnreadableTransaction(why) => {
            line.word("unreadable");
            line.word(&format!("{why:?}"));
        }
        SignedBytesRejection::RefusedTransaction(rejection) => {
            line.word("transaction");
            line.rejection(rejection);
        }
    })
}

/// What the oracle should say of received bytes of a snapshot: the result of `accept_snapshot`, the
/// state encoded again.
pub fn specified_received_snapshot(specified: &Result<HashedState, SnapshotRejection>) -> String {
    let accepted = |line: &mut Line, state: &HashedState| line.bytes(&encode_snapshot(state));
    result(specified, accepted, |line, rejection| match rejection {
        SnapshotRejection::UnreadableSnapshot(why) => {
            line.word("unreadable");
            line.word(&format!("{why:?}"));
        }
        SnapshotRejection::MiscountedCommitments => line.word("miscounted"),
        SnapshotRejection::OtherStateRoot => line.word("root"),
    })
}
