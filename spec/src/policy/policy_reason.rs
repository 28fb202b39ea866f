//! Why a policy refuses a transaction.

/// The rule that is broken. A policy looks at its rules in a fixed order, and the first one that is
/// broken gives the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyReason {
    /// A key is none of an account.
    KeyNotAccount,
    /// The policy knows no such operation.
    OperationForbidden,
    /// A `Delete` without the requirement, right before it, that the balance is zero.
    DeleteUnguarded,
    /// Nobody pays.
    PayerMissing,
    /// The sum of what is added is not the sum of what is subtracted.
    SumsDiffer,
    /// Somebody who has to sign did not, or nobody signed.
    SignerMissing,
    /// Somebody signed who is not asked for.
    SignerSuperfluous,
    /// The account of fees gets less than the transaction costs.
    FeeTooLow,
    /// An account could be left with less than the minimum.
    BelowMinimum,
    /// The operations are no write of a table.
    WriteMalformed,
    /// The first operation requires no schema of a table.
    SchemaNotPinned,
    /// A head or a segment is not what its step asks for.
    RecordRefused,
    /// A key is below the watermark.
    KeyClosed,
    /// The table does not allow that runs or segments are replaced or deleted so.
    RunImmutable,
    /// Certificates are none, or do not cover what is put.
    CertificatesMalformed,
    /// A certificate does not hold.
    CertificateRefused,
    /// The operations are no posts of a board.
    PostMalformed,
    /// A post of a ceremony whose organiser genesis does not name.
    OrganiserUnknown,
    /// A post of the organiser's kind by somebody else, or of a server without a number.
    PostForbidden,
    /// A post does not require its author's admission.
    AdmissionNotRequired,
    /// A post does not require that its gates are absent, and nothing else.
    GateNotRequired,
}
