//! Result codes: numbers that are equal on every validator. Prose goes to the log field.

use aardvark_algebra::integers::usize_of_u32;
use aardvark_dictionary::Reason;

/// Where the numbers of the dictionary's reasons begin: the reason at place i of [`Reason::ALL`] is
/// `100 + i`.
const FIRST_REASON: u32 = 100;

/// What became of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
#[non_exhaustive]
pub enum TxCode {
    /// It is applied, or, in CheckTx, may be.
    Applied,
    /// Its bytes are not a signed transaction.
    Malformed,
    /// It has more bytes than the dictionary allows.
    TooLong,
    /// The policy wants a signer that it lacks.
    SignerMissing,
    /// It has a signer that the policy does not ask for.
    SignerSuperfluous,
    /// A signature is not true of the transaction's id.
    SignatureFalse,
    /// The policy does not know the operation.
    OperationForbidden,
    /// A key is not the hash of a public key: it does not have 32 bytes.
    KeyNotAccount,
    /// An account is deleted without the requirement, right before, that it is zero.
    DeleteUnguarded,
    /// What is added is not what is subtracted.
    SumsDiffer,
    /// Its block breaks the rules as a whole and is applied as empty.
    BlockRefused,
    /// It takes from nobody, so that nobody pays for it.
    PayerMissing,
    /// It adds less to the account of fees than its work costs.
    FeeTooLow,
    /// It may leave an account below the minimum.
    BelowMinimum,
    /// It is more work than a block may be.
    TooMuchWork,
    /// In CheckTx only: its signers have as much waiting as the validator lets one account have
    /// now.
    TooMuchWaiting,
    /// In CheckTx only: the validator has verified as much since the last block as it does between
    /// two.
    Busy,
    /// Under the policy `tables`: its operations are no write of a table.
    TableMalformed,
    /// Under the policy `tables`: its first operation requires no schema.
    SchemaNotPinned,
    /// A head or a segment of a table is not what its step asks for.
    RecordFalse,
    /// A key of a table is below the watermark.
    Closed,
    /// The table does not allow that its runs, or segments, are replaced or deleted so.
    Immutable,
    /// Certificates are none, or do not cover what the transaction puts.
    CertificateMalformed,
    /// A certificate does not hold.
    CertificateFalse,
    /// Under the policy `board`: its operations are no posts.
    PostMalformed,
    /// A post of a ceremony whose organiser genesis does not name.
    OrganiserUnknown,
    /// A post of an organiser's kind by somebody else, or of a server without a number.
    PostForbidden,
    /// A post does not require its author's admission.
    AdmissionNotRequired,
    /// A post does not require that its gates are absent, and nothing else.
    GateNotRequired,
    /// A change of validators that was made for another set than there is.
    ChangeStale,
    /// A change of validators removes who is none.
    ValidatorUnknown,
    /// A change leaves no validator, more than a chain may have, or too much voting power.
    SetForbidden,
    /// The dictionary refuses it.
    Rejected(Reason),
}

impl TxCode {
    const OWN: [Self; 32] = [
        Self::Applied,
        Self::Malformed,
        Self::TooLong,
        Self::SignerMissing,
        Self::SignerSuperfluous,
        Self::SignatureFalse,
        Self::OperationForbidden,
        Self::KeyNotAccount,
        Self::DeleteUnguarded,
        Self::SumsDiffer,
        Self::BlockRefused,
        Self::PayerMissing,
        Self::FeeTooLow,
        Self::BelowMinimum,
        Self::TooMuchWork,
        Self::TooMuchWaiting,
        Self::Busy,
        Self::TableMalformed,
        Self::SchemaNotPinned,
        Self::RecordFalse,
        Self::Closed,
        Self::Immutable,
        Self::CertificateMalformed,
        Self::CertificateFalse,
        Self::PostMalformed,
        Self::OrganiserUnknown,
        Self::PostForbidden,
        Self::AdmissionNotRequired,
        Self::GateNotRequired,
        Self::ChangeStale,
        Self::ValidatorUnknown,
        Self::SetForbidden,
    ];

    /// The number on the wire; 0 is success.
    pub fn number(self) -> u32 {
        let place = match self {
            Self::Rejected(reason) => Reason::ALL.iter().position(|known| *known == reason),
            own => Self::OWN.iter().position(|known| *known == own),
        };
        let place = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX - FIRST_REASON);
        if matches!(self, Self::Rejected(_)) { FIRST_REASON + place } else { place }
    }

    /// The code of a number on the wire.
    pub fn from_number(number: u32) -> Option<Self> {
        let place = |number: u32| usize_of_u32(number);
        match number.checked_sub(FIRST_REASON) {
            Some(reason) => Reason::ALL.get(place(reason)).copied().map(Self::Rejected),
            None => Self::OWN.get(place(number)).copied(),
        }
    }

    /// The code's name, in events and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Applied => "Applied",
            Self::Malformed => "Malformed",
            Self::TooLong => "TooLong",
            Self::SignerMissing => "SignerMissing",
            Self::SignerSuperfluous => "SignerSuperfluous",
            Self::SignatureFalse => "SignatureFalse",
            Self::OperationForbidden => "OperationForbidden",
            Self::KeyNotAccount => "KeyNotAccount",
            Self::DeleteUnguarded => "DeleteUnguarded",
            Self::SumsDiffer => "SumsDiffer",
            Self::BlockRefused => "BlockRefused",
            Self::PayerMissing => "PayerMissing",
            Self::FeeTooLow => "FeeTooLow",
            Self::BelowMinimum => "BelowMinimum",
            Self::TooMuchWork => "TooMuchWork",
            Self::TooMuchWaiting => "TooMuchWaiting",
            Self::Busy => "Busy",
            Self::TableMalformed => "TableMalformed",
            Self::SchemaNotPinned => "SchemaNotPinned",
            Self::RecordFalse => "RecordFalse",
            Self::Closed => "Closed",
            Self::Immutable => "Immutable",
            Self::CertificateMalformed => "CertificateMalformed",
            Self::CertificateFalse => "CertificateFalse",
            Self::PostMalformed => "PostMalformed",
            Self::OrganiserUnknown => "OrganiserUnknown",
            Self::PostForbidden => "PostForbidden",
            Self::AdmissionNotRequired => "AdmissionNotRequired",
            Self::GateNotRequired => "GateNotRequired",
            Self::ChangeStale => "ChangeStale",
            Self::ValidatorUnknown => "ValidatorUnknown",
            Self::SetForbidden => "SetForbidden",
            Self::Rejected(reason) => reason.name(),
        }
    }
}

impl std::fmt::Display for TxCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Applied => "applied",
            Self::Malformed => "the bytes are not a signed transaction",
            Self::TooLong => "the transaction has too many bytes",
            Self::SignerMissing => "a signature that the policy wants is missing",
            Self::SignerSuperfluous => "there is a signature that the policy does not ask for",
            Self::SignatureFalse => "a signature is false",
            Self::OperationForbidden => "the policy does not allow the operation",
            Self::KeyNotAccount => "the key is not an account: it does not have 32 bytes",
            Self::DeleteUnguarded => "an account may be deleted only right after the requirement that it is zero",
            Self::SumsDiffer => "what is added is not what is subtracted",
            Self::BlockRefused => "the block breaks the rules and is applied as empty",
            Self::PayerMissing => "the transaction takes from nobody, so that nobody pays for it",
            Self::FeeTooLow => "the transaction adds less to the account of fees than its work costs",
            Self::BelowMinimum => "the transaction may leave an account below the minimum",
            Self::TooMuchWork => "the transaction is more work than a block may be",
            Self::TooMuchWaiting => {
                "the signers have as much waiting as one account may have now: try again after a block"
            }
            Self::Busy => "as much was verified since the last block as is between two: try again after a block",
            Self::TableMalformed => "the operations are no write of a table",
            Self::SchemaNotPinned => "the first operation requires no schema of a table",
            Self::RecordFalse => "a head or a segment of a table is not what its step asks for",
            Self::Closed => "a key of the table is closed: it is below the watermark",
            Self::Immutable => "the table does not allow that runs are replaced or deleted so",
            Self::CertificateMalformed => "the certificates are none, or do not cover what is put",
            Self::CertificateFalse => "a certificate is false",
            Self::PostMalformed => "the operations are no posts of a board",
            Self::OrganiserUnknown => "the chain takes no ceremonies of this organiser",
            Self::PostForbidden => "the author does not write posts of this kind",
            Self::AdmissionNotRequired => "a post does not require the admission of its author",
            Self::GateNotRequired => "a post does not require that its gates are absent, and nothing else",
            Self::ChangeStale => "the change was made for another set of validators than there is",
            Self::ValidatorUnknown => "the change removes who is no validator",
            Self::SetForbidden => "the change leaves no validator, too many, or too much voting power",
            Self::Rejected(reason) => return reason.fmt(formatter),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_number_and_a_name_of_its_own() {
        let all: Vec<_> =
            TxCode::OWN.into_iter().chain(Reason::ALL.iter().map(|reason| TxCode::Rejected(*reason))).collect();
        let names: std::collections::BTreeSet<_> = all.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), all.len());
        for code in all {
            assert_eq!(TxCode::from_number(code.number()), Some(code));
        }
        assert_eq!(TxCode::Applied.number(), 0);
        assert_eq!((TxCode::BlockRefused.number(), TxCode::PayerMissing.number(), TxCode::Busy.number()), (10, 11, 16));
        assert_eq!((TxCode::TableMalformed.number(), TxCode::CertificateFalse.number()), (17, 23));
        assert_eq!((TxCode::PostMalformed.number(), TxCode::GateNotRequired.number()), (24, 28));
        assert_eq!((TxCode::ChangeStale.number(), TxCode::SetForbidden.number()), (29, 31));
        assert_eq!(TxCode::Rejected(Reason::WrongVersion).number(), 100);
        assert_eq!(TxCode::from_number(99), None);
        assert_eq!(TxCode::from_number(u32::MAX), None);
    }
}
