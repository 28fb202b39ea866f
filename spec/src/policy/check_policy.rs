//! The policy of a chain, one of four kinds.
//!
//! A policy decides twice on a transaction, as validators do. [`check_policy`] looks at what needs
//! no point, before signatures are verified: what is written, who signed, and which segments the
//! certificates cover. [`certify_policy`] looks at the rest behind the openings, since until then
//! anybody can pin a schema that names himself a writer; under the other policies nothing is left.
//! So both have the certificates among their arguments: those that a signed transaction brings are
//! a matter of the policy, and only `tables` has any. Under `board` a transaction has no signers
//! either: the signatures of its posts ([`board_posts`]) are verified in their place.
//!
//! [`board_posts`]: crate::policy::board::board_posts
//!
//! Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::block::transaction::*;
use crate::commitment::kzg::*;
use crate::decoding::signed_decoder::*;
use crate::policy::accounts::*;
use crate::policy::board::*;
use crate::policy::policy_reason::*;
use crate::policy::publisher::*;
use crate::policy::signers::*;
use crate::policy::tables::*;
use crate::table::run_record::*;
use hacspec_lib::*;

/// Which signers may do which operations.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Balances that only their owners spend.
    PolicyAccounts(AccountsPolicy),
    /// The public keys of those who may write anything.
    PolicyPublisher(Seq<ByteString>),
    /// The public keys of those who may create tables, which their schemas' writers write.
    PolicyTables(Seq<ByteString>),
    /// The public keys of those who organise mixnets' ceremonies on a board.
    PolicyBoard(Seq<ByteString>),
}

/// Whether a policy lets the signers do what a transaction does.
pub fn check_signed(policy: &Policy, tx: &Transaction, signed_by: &Seq<Signer>) -> Result<(), PolicyReason> {
    match policy {
        Policy::PolicyAccounts(rule) => check_accounts(rule, tx, &signing_accounts(signed_by)),
        Policy::PolicyPublisher(publishers) => check_publisher(publishers, &public_keys_of(signed_by)),
        Policy::PolicyTables(creators) => check_tables(creators, tx, &public_keys_of(signed_by)),
        Policy::PolicyBoard(organisers) => check_board(organisers, tx, &public_keys_of(signed_by)),
    }
}

/// Whether a transaction brings the certificates that a policy asks for, as far as their number and
/// what they cover say so.
pub fn check_brought(policy: &Policy, tx: &Transaction, items: &Seq<ReceivedCertificate>) -> Result<(), PolicyReason> {
    match policy {
        Policy::PolicyTables(_) => check_tables_covered(tx, items),
        _ => {
            if items.len() == 0 {
                Ok(())
            } else {
                Err(PolicyReason::CertificatesMalformed)
            }
        }
    }
}

/// Whether a policy lets the signers do a transaction that brings these certificates, but for what
/// [`certify_policy`] looks at; or the first rule that is broken.
pub fn check_policy(
    policy: &Policy,
    tx: &Transaction,
    signed_by: &Seq<Signer>,
    items: &Seq<ReceivedCertificate>,
) -> Result<(), PolicyReason> {
    let _ = check_signed(policy, tx, signed_by)?;
    check_brought(policy, tx, items)
}

/// Whether what needs points holds of a transaction that [`check_policy`] lets pass: `points` are
/// the points of which it has encodings, `meanings` what the bytes of its certificates are.
pub fn certify_policy(
    policy: &Policy,
    setup: &KzgSetup,
    dictionary: &ByteString,
    tx: &Transaction,
    items: &Seq<ReceivedCertificate>,
    points: &Seq<TablePoint>,
    meanings: &Seq<CertificateMeaning>,
) -> Result<(), PolicyReason> {
    match policy {
        Policy::PolicyTables(_) => certify_tables(setup, dictionary, tx, items, points, meanings),
        _ => Ok(()),
    }
}
