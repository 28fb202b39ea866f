//! Requests about policies: whether one lets a transaction pass, before signatures and behind the
//! openings.
//!
//! A [`PolicyRequest`] is what a function of the specification is given. [`Oracle::policy`] asks
//! the oracle, [`PolicyRequest::judged`] the specification, in the oracle's words.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::scalar::Scalar;
use aardvark_spec::block::transaction::Transaction;
use aardvark_spec::commitment::kzg::KzgSetup;
use aardvark_spec::decoding::signed_decoder::ReceivedCertificate;
use aardvark_spec::mixnet::post_key::encode_post_key;
use aardvark_spec::policy::board::{BoardPost, board_posts};
use aardvark_spec::policy::check_policy::{Policy, certify_policy, check_policy};
use aardvark_spec::policy::signers::Signer;
use aardvark_spec::policy::table_made::TableSheet;
use aardvark_spec::policy::tables::{CertificateMeaning, judge_tables};
use aardvark_spec::table::certificate_transcript::certificate_statement;
use aardvark_spec::table::linked_certificate::linked_statement;
use aardvark_spec::table::run_record::TablePoint;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// What a function of policies is given.
#[derive(Clone, Copy, Debug)]
pub enum PolicyRequest<'a> {
    /// What is looked at before signatures: `check_policy`.
    Check {
        /// The policy.
        policy: &'a Policy,
        /// The transaction.
        transaction: &'a Transaction,
        /// Who signed it.
        signed_by: &'a Seq<Signer>,
        /// The certificates that it brings.
        brought: &'a Seq<ReceivedCertificate>,
    },
    /// What has to be signed of a transaction of posts: `board_posts`.
    Posts {
        /// The organisers whom the policy names.
        organisers: &'a Seq<ByteString>,
        /// The transaction.
        transaction: &'a Transaction,
    },
    /// What the certificates of a transaction have to hold for: `judge_tables`, of whose sheets the
    /// statements are compared.
    Sheets {
        /// The dictionary's id.
        dictionary: &'a ByteString,
        /// The transaction.
        transaction: &'a Transaction,
        /// The certificates that it brings.
        brought: &'a Seq<ReceivedCertificate>,
        /// The points of which it has encodings.
        points: &'a Seq<TablePoint>,
    },
    /// What is looked at behind the openings: `certify_policy`.
    Certify {
        /// τ, N and the setup that they make.
        setup: (Scalar, usize, &'a KzgSetup),
        /// The policy.
        policy: &'a Policy,
        /// The dictionary's id.
        dictionary: &'a ByteString,
        /// The transaction.
        transaction: &'a Transaction,
        /// The certificates that it brings.
        brought: &'a Seq<ReceivedCertificate>,
        /// The points of which it has encodings.
        points: &'a Seq<TablePoint>,
        /// What the certificates' bytes are.
        meanings: &'a Seq<CertificateMeaning>,
    },
}

impl Oracle {
    /// What the oracle says. No state is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn policy(&mut self, safety: Safety, asked: &PolicyRequest<'_>) -> Result<Answer, OracleError> {
        let mut line = request(asked.name(), safety);
        asked.put(&mut line);
        self.ask(line)
    }
}

impl PolicyRequest<'_> {
    /// The request's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Check { .. } => "policy",
            Self::Posts { .. } => "policy_posts",
            Self::Sheets { .. } => "policy_sheets",
            Self::Certify { .. } => "certify",
        }
    }

    fn put(&self, line: &mut Line) {
        match self {
            Self::Check { policy, transaction, signed_by, brought } => {
                line.policy(policy);
                line.transaction(transaction);
                line.list(signed_by, |line, signer| {
                    line.bytes(&signer.signer_public_key);
                    line.bytes(&signer.signer_account);
                });
                line.list(brought, Line::brought);
            }
            Self::Posts { organisers, transaction } => {
                line.list(organisers, Line::bytes);
                line.transaction(transaction);
            }
            Self::Sheets { dictionary, transaction, brought, points } => {
                line.bytes(dictionary);
                line.transaction(transaction);
                line.list(brought, Line::brought);
                line.list(points, Line::table_point);
            }
            Self::Certify { setup: (tau, n, _), policy, dictionary, transaction, brought, points, meanings } => {
                line.scalar(*tau);
                line.size(*n);
                line.policy(policy);
                line.bytes(dictionary);
                line.transaction(transaction);
                line.list(brought, Line::brought);
                line.list(points, Line::table_point);
                line.list(meanings, Line::meaning);
            }
        }
    }

    /// What the specification says of it, as the oracle should say it.
    pub fn judged(&self) -> String {
        let mut line = Line::default();
        match self {
            Self::Check { policy, transaction, signed_by, brought } => {
                line.named(check_policy(policy, transaction, signed_by, brought), |_, ()| ());
            }
            Self::Posts { organisers, transaction } => {
                line.named(board_posts(organisers, transaction), |line, posts| {
                    line.list(&posts, |line, post: &BoardPost| {
                        line.bytes(&encode_post_key(&post.board_key));
                        line.bytes(&post.board_value);
                    });
                });
            }
            Self::Sheets { dictionary, transaction, brought, points } => {
                line.named(judge_tables(dictionary, transaction, brought, points), |line, sheets| {
                    line.list(&sheets, |line, sheet: &TableSheet| {
                        let (about, items) = (&sheet.table_sheet_about, &sheet.table_sheet_items);
                        line.bytes(&match &sheet.table_sheet_link {
                            None => certificate_statement(about, items),
                            Some(link) => linked_statement(about, link, items),
                        });
                    });
                });
            }
            Self::Certify { setup: (_, _, setup), policy, dictionary, transaction, brought, points, meanings } => {
                let said = certify_policy(policy, setup, dictionary, transaction, brought, points, meanings);
                line.named(said, |_, ()| ());
            }
        }
        line.text()
    }
}

impl Line {
    /// A policy: its kind, its fields.
    fn policy(&mut self, policy: &Policy) {
        match policy {
            Policy::PolicyAccounts(rule) => {
                self.word("accounts");
                self.bytes(&rule.accounts_fee.fee_account);
                self.number(rule.accounts_fee.fee_base);
                self.number(rule.accounts_fee.fee_byte);
                self.number(rule.accounts_fee.fee_claim);
                self.number(rule.accounts_fee.fee_operation);
                self.number(rule.accounts_minimum);
            }
            Policy::PolicyPublisher(publishers) => {
                self.word("publisher");
                self.list(publishers, Self::bytes);
            }
            Policy::PolicyTables(creators) => {
                self.word("tables");
                self.list(creators, Self::bytes);
            }
            Policy::PolicyBoard(organisers) => {
                self.word("board");
                self.list(organisers, Self::bytes);
            }
        }
    }

    /// A certificate that a transaction brings, as bytes.
    fn brought(&mut self, brought: &ReceivedCertificate) {
        self.size(brought.received_segments);
        self.bytes(&brought.received_certificate);
    }

    /// What the bytes of a certificate are.
    fn meaning(&mut self, meaning: &CertificateMeaning) {
        match meaning {
            CertificateMeaning::CertificateUnread => self.word("unread"),
            CertificateMeaning::CertificatePlain(shown) => {
                self.word("plain");
                self.certificate(shown);
            }
            CertificateMeaning::CertificateLinked(shown) => {
                self.word("linked");
                self.linked_certificate(shown);
            }
        }
    }
}
