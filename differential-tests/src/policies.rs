//! Policies of a chain, who signed, and certificates of tables, as the specification has them; and
//! the implementation's codes for its reasons.

use aardvark_chain::{Accounts, Policy, SignerSignature, TableCertificate, TxCode, account_id};
use aardvark_spec::convert::to_seq;
use aardvark_spec::decoding::signed_decoder::ReceivedCertificate;
use aardvark_spec::policy::accounts::{AccountsPolicy, FeeRule};
use aardvark_spec::policy::check_policy;
use aardvark_spec::policy::policy_reason::PolicyReason;
use aardvark_spec::policy::signers::Signer;

use crate::convert::bytes_to_spec;

/// A policy.
pub fn policy_to_spec(policy: &Policy) -> check_policy::Policy {
    match policy {
        Policy::Accounts(Accounts { fee, minimum }) => check_policy::Policy::PolicyAccounts(AccountsPolicy {
            accounts_fee: FeeRule {
                fee_account: bytes_to_spec(&fee.account),
                fee_base: fee.base,
                fee_byte: fee.byte,
                fee_claim: fee.claim,
                fee_operation: fee.operation,
            },
            accounts_minimum: *minimum,
        }),
        Policy::Publisher(keys) => {
            check_policy::Policy::PolicyPublisher(to_seq(keys.iter().map(|key| bytes_to_spec(key)).collect()))
        }
        Policy::Tables { creators } => {
            check_policy::Policy::PolicyTables(to_seq(creators.iter().map(|key| bytes_to_spec(key)).collect()))
        }
        Policy::Board { organisers } => {
            check_policy::Policy::PolicyBoard(to_seq(organisers.iter().map(|key| bytes_to_spec(key)).collect()))
        }
    }
}

/// A signer, whose signature is taken to be true.
pub fn signer_to_spec(signer: &SignerSignature) -> Signer {
    Signer {
        signer_public_key: bytes_to_spec(&signer.public_key),
        signer_account: bytes_to_spec(&account_id(&signer.public_key)),
    }
}

/// A certificate that a transaction brings, as bytes.
pub fn certificate_to_spec(brought: &TableCertificate) -> ReceivedCertificate {
    ReceivedCertificate {
        received_segments: usize::from(brought.segments),
        received_certificate: bytes_to_spec(&brought.certificate),
    }
}

/// The implementation's code for a reason of a policy.
pub fn code(reason: PolicyReason) -> TxCode {
    match reason {
        PolicyReason::KeyNotAccount => TxCode::KeyNotAccount,
        PolicyReason::OperationForbidden => TxCode::OperationForbidden,
        PolicyReason::DeleteUnguarded => TxCode::DeleteUnguarded,
        PolicyReason::PayerMissing => TxCode::PayerMissing,
        PolicyReason::SumsDiffer => TxCode::SumsDiffer,
        PolicyReason::SignerMissing => TxCode::SignerMissing,
        PolicyReason::SignerSuperfluous => TxCode::SignerSuperfluous,
        PolicyReason::FeeTooLow => TxCode::FeeTooLow,
        PolicyReason::BelowMinimum => TxCode::BelowMinimum,
        PolicyReason::WriteMalformed => TxCode::TableMalformed,
        PolicyReason::SchemaNotPinned => TxCode::SchemaNotPinned,
        PolicyReason::RecordRefused => TxCode::RecordFalse,
        PolicyReason::KeyClosed => TxCode::Closed,
        PolicyReason::RunImmutable => TxCode::Immutable,
        PolicyReason::CertificatesMalformed => TxCode::CertificateMalformed,
        PolicyReason::CertificateRefused => TxCode::CertificateFalse,
        PolicyReason::PostMalformed => TxCode::PostMalformed,
        PolicyReason::OrganiserUnknown => TxCode::OrganiserUnknown,
        PolicyReason::PostForbidden => TxCode::PostForbidden,
        PolicyReason::AdmissionNotRequired => TxCode::AdmissionNotRequired,
        PolicyReason::GateNotRequired => TxCode::GateNotRequired,
    }
}
