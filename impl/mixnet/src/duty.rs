//! What a server must post next, and how it makes that: both follow from the view alone, and from
//! the server's seed. A server that is started again makes the same bytes.

use aardvark_sigma::permutation::PermutationSecret;
use aardvark_sigma::threshold::{Statement, decrypt};
use aardvark_sigma::{Context, Digest, Secrets};

use crate::dealt::{encode_dealing, encode_verdict, key_shares};
use crate::fault::{Fault, FaultKind};
use crate::identity::Identity;
use crate::keys::PublicKeys;
use crate::post::{Kind, PostKey};
use crate::trace::Trace;
use crate::view::{Asked, AskedStage, Stage, View};
use crate::{decryption, zero_test};

/// Something that a server must post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Duty {
    /// Deal keys.
    Dealing,
    /// Say whose shares are false.
    Verdict,
    /// Shuffle the last list.
    Layer,
    /// Agree on the mix.
    Agreement,
    /// Decrypt the last list.
    Shares,
    /// Shuffle the column of the query with this id.
    Column(Digest),
    /// Blind its targets.
    ZeroTest(Digest),
    /// Decrypt its targets.
    AnswerShares(Digest),
}

impl Duty {
    /// What is posted.
    pub fn kind(self) -> Kind {
        match self {
            Self::Dealing => Kind::Dealing,
            Self::Verdict => Kind::Verdict,
            Self::Layer => Kind::Layer,
            Self::Agreement => Kind::Agreement,
            Self::Shares => Kind::Shares,
            Self::Column(_) => Kind::Column,
            Self::ZeroTest(_) => Kind::ZeroTest,
            Self::AnswerShares(_) => Kind::AnswerShares,
        }
    }

    /// The query that it belongs to.
    pub fn query(self) -> Option<Digest> {
        match self {
            Self::Column(id) | Self::ZeroTest(id) | Self::AnswerShares(id) => Some(id),
            _ => None,
        }
    }
}

impl View {
    /// What a server must post, of what it has not posted yet.
    pub fn duties(&self, server: u16) -> Vec<Duty> {
        let due = match self.stage {
            Stage::Dealing => vec![Duty::Dealing],
            Stage::Verdicts => vec![Duty::Verdict],
            Stage::Mixing if self.turn == Some(server) => vec![Duty::Layer],
            Stage::Decrypting if self.agreed.len() < self.ceremony.quorum() => vec![Duty::Agreement],
            Stage::Decrypting => vec![Duty::Agreement, Duty::Shares],
            Stage::Done => self.asked.iter().filter_map(|asked| asked_duty(asked, server)).collect(),
            Stage::Mixing | Stage::Open | Stage::Void => Vec::new(),
        };
        let is_server = self.ceremony.server(server).is_some();
        due.into_iter().filter(|duty| is_server && !self.written.contains(&self.duty_key(*duty, server))).collect()
    }

    /// The key of what a server posts for a duty.
    pub fn duty_key(&self, duty: Duty, server: u16) -> PostKey {
        self.server_key(duty.kind(), duty.query(), server)
    }

    /// The body of what a server posts for a duty.
    ///
    /// All that it shuffles or decrypts was verified, subgroups included, when the view was made.
    pub fn perform(&self, duty: Duty, server: u16, identity: &Identity) -> Result<Vec<u8>, Fault> {
        let seed = identity.seed();
        match duty {
            Duty::Dealing => {
                let (keys, threshold) = (self.ceremony.keys(), self.ceremony.threshold());
                let dealing = self.dealer(server).deal(&self.ceremony.transport_keys(), keys, threshold, seed);
                Ok(encode_dealing(&dealing))
            }
            Duty::Verdict => {
                let mut complaints = Vec::new();
                for (number, dealing) in self.remaining() {
                    let transport = identity.transport_secret();
                    complaints.extend(dealing.receive(&self.dealer(number), server, transport, seed)?.err());
                }
                Ok(encode_verdict(&complaints))
            }
            Duty::Layer => self.perform_layer(server, identity),
            Duty::Agreement => Ok(self.mix_digest().ok_or(not_due())?.to_vec()),
            Duty::Shares => self.perform_shares(server, identity),
            Duty::Column(id) | Duty::ZeroTest(id) | Duty::AnswerShares(id) => {
                let asked = self.query(&id).ok_or(not_due())?;
                self.perform_asked(duty, asked, server, identity)
            }
        }
    }

    fn known_keys(&self) -> Result<&PublicKeys, Fault> {
        self.keys.as_ref().ok_or(not_due())
    }

    /// A server's shares of all keys, from what it was dealt; an error if they are not what
    /// everybody computed of them.
    pub fn key_shares(&self, server: u16, identity: &Identity) -> Result<Secrets, Fault> {
        let transport = identity.transport_secret();
        key_shares(&self.digest, &self.remaining(), self.known_keys()?, server, transport, identity.seed())
    }

    fn permutation(&self, server: u16, identity: &Identity) -> Result<PermutationSecret, Fault> {
        let rows = self.rows.as_ref().ok_or(not_due())?.list.rows();
        let context = Context { keys: self.known_keys()?.digest, server };
        Ok(PermutationSecret::derive(identity.seed(), &context, rows))
    }

    fn perform_layer(&self, server: u16, identity: &Identity) -> Result<Vec<u8>, Fault> {
        let (mixing, before) = (self.mixing().ok_or(not_due())?, self.last_list().ok_or(not_due())?);
        let secret = self.permutation(server, identity)?;
        let prepared = mixing.commit(server, &secret, identity.seed())?;
        Ok(mixing.layer(server, &secret, prepared, before, identity.seed())?.encode())
    }

    fn perform_shares(&self, server: u16, identity: &Identity) -> Result<Vec<u8>, Fault> {
        if self.agreed.len() < self.ceremony.quorum() {
            return Err(not_due());
        }
        let (keys, rows) = (self.known_keys()?, self.rows.as_ref().ok_or(not_due())?);
        let secrets = self.key_shares(server, identity)?;
        let secrets = Secrets::new(secrets.get(1..).unwrap_or_default().to_vec());
        let first = self.last_list().ok_or(not_due())?.column(0);
        let key_shares = keys.shares_of(server, 1..keys.keys.len());
        let context = Context { keys: keys.digest, server };
        let statement = Statement { context, purpose: rows.list.digest(), key_shares: &key_shares, first: &first };
        Ok(decryption::encode(&decrypt(&statement, &secrets, identity.seed())?))
    }

    fn perform_asked(&self, duty: Duty, asked: &Asked, server: u16, identity: &Identity) -> Result<Vec<u8>, Fault> {
        let mix = self.mix().ok_or(not_due())?;
        let trace = Trace::allowed(&mix, &asked.query, self.ceremony.rules.repeated)?;
        let seed = identity.seed();
        if let Duty::Column(_) = duty {
            let before = asked.columns.last().map_or(trace.first(), |column| &column.list);
            return Ok(trace.column(server, &self.permutation(server, identity)?, before, seed)?.encode());
        }
        let sums = asked.sums.as_ref().ok_or(not_due())?;
        if let Duty::ZeroTest(_) = duty {
            let before = trace.untested(sums, &asked.tests);
            return Ok(zero_test::encode(&trace.blind(server, &before, seed)?));
        }
        if asked.stage != AskedStage::Shares {
            return Err(not_due());
        }
        let shares = self.key_shares(server, identity)?;
        let of_queries = Secrets::new(shares.get(..1).unwrap_or_default().to_vec());
        Ok(decryption::encode(&trace.shares(server, &of_queries, sums, &asked.tests, seed)?))
    }
}

/// What is asked of a server for a query.
fn asked_duty(asked: &Asked, server: u16) -> Option<Duty> {
    match asked.stage {
        AskedStage::Column(next) => (next == server).then_some(Duty::Column(asked.id)),
        AskedStage::ZeroTest(next) => (next == server).then_some(Duty::ZeroTest(asked.id)),
        AskedStage::Shares => Some(Duty::AnswerShares(asked.id)),
        AskedStage::Answered | AskedStage::Stopped => None,
    }
}

/// A duty whose time has not come.
fn not_due() -> Fault {
    Fault::new(FaultKind::NotAuthorised)
}
