//! Why an answer does not hold: the reasons, and their three classes.

use std::fmt;

use aardvark_proof::{Class, Refusal};

/// Why an answer does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableReason {
    /// The function is not one that this version verifies.
    FunctionUnknown,
    /// The answer is about another table.
    OtherTable,
    /// The answer is to another query.
    OtherQuery,
    /// The dictionary's claims do not hold, or do not cover the box.
    Dictionary(Refusal),
    /// The dictionary's scheme has no folded openings.
    SchemeUnknown,
    /// The claim of the schema is not about the schema that the query is of.
    SchemaMismatched,
    /// A key or value in the box is no run of the table.
    RunMalformed,
    /// There are more runs or rows than an answer has.
    RunsExceeded,
    /// A part is missing that the function asks for, or one is there that it does not ask for.
    PartsMismatched,
    /// A total is greater than the rows and the cap allow.
    TotalsExceeded,
    /// The cut is not one that is asked for.
    CutFalse,
    /// The bytes of a comparison break the format's rule.
    ComparisonMalformed,
    /// A comparison cannot be looked at under its challenge.
    ComparisonFalse,
    /// The row's position is none of the run's rows, its number is above the cap, or its text is
    /// not at this position.
    RowFalse,
    /// The row's texts are not those that its owner gave.
    TextMismatched,
    /// The bytes of the opening break the format's rule.
    OpeningMalformed,
    /// The opening does not show what is claimed.
    OpeningFalse,
    /// A certificate or its statement is not one of this table's.
    CertificateMalformed,
    /// A certificate is false.
    CertificateFalse,
    /// A run stands in no statement.
    CertificateMissing,
}

impl TableReason {
    /// Its class.
    pub fn class(&self) -> Class {
        match self {
            Self::Dictionary(refusal) => refusal.class(),
            Self::OtherTable | Self::OtherQuery | Self::SchemaMismatched => Class::Other,
            Self::TotalsExceeded
            | Self::CutFalse
            | Self::ComparisonFalse
            | Self::RowFalse
            | Self::TextMismatched
            | Self::OpeningFalse
            | Self::CertificateFalse
            | Self::CertificateMissing => Class::False,
            _ => Class::Malformed,
        }
    }
}

impl TableReason {
    /// Its name, as the documentation and programs have it; of the dictionary's claims, their own.
    pub fn name(&self) -> &'static str {
        match self {
            Self::FunctionUnknown => "FunctionUnknown",
            Self::OtherTable => "OtherTable",
            Self::OtherQuery => "OtherQuery",
            Self::Dictionary(refusal) => refusal.reason.name(),
            Self::SchemeUnknown => "SchemeUnknown",
            Self::SchemaMismatched => "SchemaMismatched",
            Self::RunMalformed => "RunMalformed",
            Self::RunsExceeded => "RunsExceeded",
            Self::PartsMismatched => "PartsMismatched",
            Self::TotalsExceeded => "TotalsExceeded",
            Self::CutFalse => "CutFalse",
            Self::ComparisonMalformed => "ComparisonMalformed",
            Self::ComparisonFalse => "ComparisonFalse",
            Self::RowFalse => "RowFalse",
            Self::TextMismatched => "TextMismatched",
            Self::OpeningMalformed => "OpeningMalformed",
            Self::OpeningFalse => "OpeningFalse",
            Self::CertificateMalformed => "CertificateMalformed",
            Self::CertificateFalse => "CertificateFalse",
            Self::CertificateMissing => "CertificateMissing",
        }
    }
}

impl fmt::Display for TableReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FunctionUnknown => "this version verifies no answers to this function",
            Self::OtherTable => "the answer is about another table",
            Self::OtherQuery => "the answer is to another query",
            Self::Dictionary(refusal) => return write!(f, "the dictionary's claims: {refusal}"),
            Self::SchemeUnknown => "the dictionary's scheme has no folded openings",
            Self::SchemaMismatched => "the answer is of a table with another schema",
            Self::RunMalformed => "a key or value in the box is no run of the table",
            Self::RunsExceeded => "there are more runs or rows than an answer has",
            Self::PartsMismatched => "a part is missing, or one is there that the function does not ask for",
            Self::TotalsExceeded => "a total is greater than the rows and the column's bounds allow",
            Self::CutFalse => "the cut is not one that is asked for",
            Self::ComparisonMalformed => "a comparison is malformed",
            Self::ComparisonFalse => "a comparison is false",
            Self::RowFalse => "the row does not stand at this position of the run",
            Self::TextMismatched => "the row's text is not the one that its owner gave",
            Self::OpeningMalformed => "the opening is no point of the curve",
            Self::OpeningFalse => "the opening does not show the stated numbers",
            Self::CertificateMalformed => "a certificate or its statement is not one of this table's",
            Self::CertificateFalse => "a certificate is false",
            Self::CertificateMissing => "a run stands in no certified statement",
        })
    }
}

/// A refusal: the reason, and the run, comparison or certificate that gave it, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerError {
    /// The reason.
    pub reason: TableReason,
    /// The item; none for reasons about the answer as a whole.
    pub item: Option<usize>,
}

impl AnswerError {
    /// A refusal of the answer as a whole.
    pub(crate) fn whole(reason: TableReason) -> Self {
        Self { reason, item: None }
    }

    /// A refusal for one of its items.
    pub(crate) fn item(reason: TableReason, item: usize) -> Self {
        Self { reason, item: Some(item) }
    }

    /// [`TableReason::class`].
    pub fn class(&self) -> Class {
        self.reason.class()
    }

    /// Whether the answer says what is not so, or does not prove what it says; where it is not, the
    /// answer is malformed or about something else.
    pub fn is_proof_invalid(&self) -> bool {
        self.class() == Class::False
    }
}

impl From<Refusal> for AnswerError {
    fn from(refusal: Refusal) -> Self {
        Self { reason: TableReason::Dictionary(refusal), item: None }
    }
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.item {
            None => write!(f, "{}", self.reason),
            Some(item) => write!(f, "item {}: {}", item.saturating_add(1), self.reason),
        }
    }
}

impl std::error::Error for AnswerError {}
