//! The policy `board`: posts of mixnets' ceremonies, and nothing else. Genesis names organisers.
//!
//! A transaction is one post or several, one after the other:
//!
//! | post | operations |
//! |---|---|
//! | of the organiser: terms, close, absence, admission | for each gate `Require`(gate, absent); `Put`(key, value) |
//! | any other | `Require`(admission, its value); for each gate `Require`(gate, absent); `Put`(key, value) |
//!
//! The gates are those of [`post_gates`], the post's own key the first of them: posts are written
//! once, and nothing is deleted. The admission's key follows from the post's ([`admission_key`]):
//! it says as what the author is admitted, so a sender writes one input, and server k the posts
//! with the number k.
//!
//! A transaction has no signers. What has to be signed are the posts and the admissions that are
//! required, each by its [`post_signer`], under [`post_digest`], which covers dictionary, key and
//! body. So anybody may relay a post, and nobody change it; a post that is sent again finds its own
//! key there. That the signatures are true is checked elsewhere.
//!
//! [`post_digest`]: crate::mixnet::post_value::post_digest
//!
//! Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::block::operation::*;
use crate::block::transaction::*;
use crate::mixnet::post_key::*;
use crate::mixnet::post_value::*;
use crate::policy::policy_reason::*;
use crate::policy::signers::*;
use hacspec_lib::*;

/// A post that its signer has to have signed.
#[derive(Clone, Debug, Default)]
pub struct BoardPost {
    /// Its key.
    pub board_key: PostKey,
    /// The bytes of its value.
    pub board_value: ByteString,
}

/// What was read of a transaction's operations.
#[derive(Clone, Debug)]
pub struct BoardReading {
    /// The posts, each behind the admission that it requires.
    pub read_posts: Seq<BoardPost>,
    /// The requirements behind the last post.
    pub read_requirements: Seq<Operation>,
}

/// Whether a condition holds, or the rule that is broken.
pub fn expect_board(condition: bool, otherwise: PolicyReason) -> Result<(), PolicyReason> {
    if condition { Ok(()) } else { Err(otherwise) }
}

/// The post of these bytes.
pub fn board_post(key_bytes: &ByteString, value_bytes: &ByteString) -> Result<BoardPost, PolicyReason> {
    match decode_post_key(key_bytes) {
        Err(_) => Err(PolicyReason::PostMalformed),
        Ok(post_key) => match decode_post_value(value_bytes) {
            Err(_) => Err(PolicyReason::PostMalformed),
            Ok(_) => Ok(BoardPost { board_key: post_key, board_value: value_bytes.clone() }),
        },
    }
}

/// Whether an operation requires that a key is absent.
pub fn requires_absence(operation: &Operation, k: &ByteString) -> bool {
    match &operation.action {
        Action::RequireAbsent => bytes_equal(&operation.operation_key, k),
        _ => false,
    }
}

/// One step of [`gates_required`].
pub fn gates_required_step(
    all_required: bool,
    items: &Seq<Operation>,
    first: usize,
    gates: &Seq<PostKey>,
    i: usize,
) -> bool {
    all_required && first + i < items.len() && requires_absence(&items[first + i], &encode_post_key(&gates[i]))
}

/// Whether requirements are, from the first of these on, those of the gates, and no others.
pub fn gates_required(items: &Seq<Operation>, first: usize, gates: &Seq<PostKey>) -> bool {
    let mut all_required = items.len() == first + gates.len();
    for i in 0..gates.len() {
        all_required = gates_required_step(all_required, items, first, gates, i);
    }
    all_required
}

/// The admission that an operation requires, if it is the one with this key.
pub fn admission_required(operation: &Operation, admission: &PostKey) -> Result<BoardPost, PolicyReason> {
    match &operation.action {
        Action::RequireValue(required) => {
            if bytes_equal(&operation.operation_key, &encode_post_key(admission)) {
                board_post(&operation.operation_key, required)
            } else {
                Err(PolicyReason::AdmissionNotRequired)
            }
        }
        _ => Err(PolicyReason::AdmissionNotRequired),
    }
}

/// The admissions that a post requires: one, but none where it is the organiser's.
pub fn admissions_of(items: &Seq<Operation>, post_key: &PostKey) -> Result<Seq<BoardPost>, PolicyReason> {
    let none = Seq::<BoardPost>::new(0);
    if kind_of_organiser(post_key.post_kind) {
        Ok(none)
    } else if items.len() == 0 {
        Err(PolicyReason::AdmissionNotRequired)
    } else {
        match admission_required(&items[0usize], &admission_key(post_key)) {
            Err(why) => Err(why),
            Ok(admission) => Ok(none.push_owned(admission)),
        }
    }
}

/// A post with the admission that it requires, behind these requirements.
pub fn check_board_post(
    organisers: &Seq<ByteString>,
    items: &Seq<Operation>,
    written: &BoardPost,
) -> Result<Seq<BoardPost>, PolicyReason> {
    let post_key = written.board_key.clone();
    let _listed = expect_board(is_listed(organisers, &post_key.post_organiser), PolicyReason::OrganiserUnknown)?;
    let _place = expect_board(post_in_place(&post_key), PolicyReason::PostForbidden)?;
    let admissions = admissions_of(items, &post_key)?;
    let gated = gates_required(items, admissions.len(), &post_gates(&post_key));
    let _gates = expect_board(gated, PolicyReason::GateNotRequired)?;
    Ok(admissions.push_owned(written.clone()))
}

/// The posts with one more, which an operation puts.
pub fn with_post(
    reading: &BoardReading,
    organisers: &Seq<ByteString>,
    key_bytes: &ByteString,
    value_bytes: &ByteString,
) -> Result<BoardReading, PolicyReason> {
    let written = board_post(key_bytes, value_bytes)?;
    let checked = check_board_post(organisers, &reading.read_requirements, &written)?;
    Ok(BoardReading { read_posts: reading.read_posts.concat(&checked), read_requirements: Seq::<Operation>::new(0) })
}

/// The posts, and a requirement more.
pub fn with_requirement(reading: &BoardReading, operation: &Operation) -> BoardReading {
    BoardReading {
        read_posts: reading.read_posts.clone(),
        read_requirements: reading.read_requirements.push(operation),
    }
}

/// What was read, with one operation more.
pub fn read_board_operation(
    reading: &BoardReading,
    organisers: &Seq<ByteString>,
    operation: &Operation,
) -> Result<BoardReading, PolicyReason> {
    match &operation.action {
        Action::RequireAbsent => Ok(with_requirement(reading, operation)),
        Action::RequireValue(_) => Ok(with_requirement(reading, operation)),
        Action::Put(written) => with_post(reading, organisers, &operation.operation_key, written),
        _ => Err(PolicyReason::OperationForbidden),
    }
}

/// One step of [`read_board`].
pub fn read_board_step(
    reading: Result<BoardReading, PolicyReason>,
    organisers: &Seq<ByteString>,
    operation: &Operation,
) -> Result<BoardReading, PolicyReason> {
    match reading {
        Err(why) => Err(why),
        Ok(so_far) => read_board_operation(&so_far, organisers, operation),
    }
}

/// What the operations are, the last requirements included.
pub fn read_board(organisers: &Seq<ByteString>, items: &Seq<Operation>) -> Result<BoardReading, PolicyReason> {
    let mut reading =
        Ok(BoardReading { read_posts: Seq::<BoardPost>::new(0), read_requirements: Seq::<Operation>::new(0) });
    for j in 0..items.len() {
        reading = read_board_step(reading, organisers, &items[j]);
    }
    reading
}

/// The posts of a transaction, each behind the admission that it requires: all that has to be
/// signed.
pub fn board_posts(organisers: &Seq<ByteString>, tx: &Transaction) -> Result<Seq<BoardPost>, PolicyReason> {
    let reading = read_board(organisers, &tx.operations)?;
    let whole = reading.read_posts.len() > 0 && reading.read_requirements.len() == 0;
    let _whole = expect_board(whole, PolicyReason::PostMalformed)?;
    Ok(reading.read_posts)
}

/// Whether a transaction is posts that may be written, once their signatures are true. The
/// transaction itself is signed by nobody.
pub fn check_board(
    organisers: &Seq<ByteString>,
    tx: &Transaction,
    signing_keys: &Seq<ByteString>,
) -> Result<(), PolicyReason> {
    let _unsigned = expect_board(signing_keys.len() == 0, PolicyReason::SignerSuperfluous)?;
    let _posts = board_posts(organisers, tx)?;
    Ok(())
}
