//! The light client's state: the newest header that it believes, and how it gets a newer one.

use std::time::Duration;

use tendermint::{Hash, Time};

use crate::light::error::{Accusation, Fault, LightError, Server};
use crate::light::headers::{HeaderFault, LightOptions, VerifiedHeader};
use crate::light::trust::TrustPoint;
use crate::rpc::RpcClient;

/// How often a witness is asked for a height that it does not have yet.
const PATIENCE: u32 = 30;

/// How long between two times.
const PAUSE: Duration = Duration::from_millis(100);

/// With whom headers are compared.
#[derive(Clone, Debug)]
pub enum Witnesses {
    /// At least one of these has to have the same header, and none another one that is signed too.
    /// The node itself, under whatever name, is not asked.
    Compare(Vec<RpcClient>),
    /// Nobody, as the user has decided.
    Nobody,
}

/// What goes forward from a trusted header.
#[derive(Clone, Debug)]
pub struct LightClient {
    options: LightOptions,
    nodes: Vec<RpcClient>,
    witnesses: Witnesses,
    trusted: VerifiedHeader,
}

/// A step forward.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Updated {
    /// The newest header, verified, confirmed and recent.
    pub header: VerifiedHeader,
    /// The node that gave it.
    pub node: String,
    /// The witnesses that have it too.
    pub confirmed_by: Vec<String>,
    /// Those that were not believed on the way.
    pub refused: Vec<Accusation>,
}

impl LightClient {
    /// Starts from a header by height and hash, which the first node that has it gives. The nodes
    /// are asked in their order.
    ///
    /// # Errors
    /// [`LightError::NoHeader`] where none has it.
    pub fn start(
        point: &TrustPoint,
        nodes: Vec<RpcClient>,
        witnesses: Witnesses,
        options: LightOptions,
    ) -> Result<(Self, Vec<Accusation>), LightError> {
        let mut refused = Vec::new();
        let nodes = renewed(&nodes, options.server_time);
        for node in &nodes {
            match VerifiedHeader::trusted(node, point.height, &point.hash) {
                Ok(trusted) => return Ok((Self { options, nodes, witnesses, trusted }, refused)),
                Err(fault) => refused.push(Accusation::new(Server::Rpc(node.url().to_owned()), fault)),
            }
        }
        Err(LightError::NoHeader(refused))
    }

    /// The newest header that is believed.
    pub fn trusted(&self) -> &VerifiedHeader {
        &self.trusted
    }

    /// How long one server may take for all that it is asked, from one [`LightClient::update`] to
    /// the next.
    pub fn server_time(&self) -> Duration {
        self.options.server_time
    }

    /// The nodes, in the order in which they are asked, with what [`LightClient::update`] left them
    /// of their time.
    pub fn nodes(&self) -> &[RpcClient] {
        &self.nodes
    }

    /// Goes forward to the newest header that a node has, by a clock that says `now`. Each server
    /// has [`server_time`](LightOptions::server_time) for all that it is asked, here and until the
    /// next update.
    ///
    /// # Errors
    /// [`LightError`]; what was trusted before stays.
    pub fn update(&mut self, now: Time) -> Result<Updated, LightError> {
        self.forward(now, Self::newest)
    }

    /// Goes forward to the header of a height that is not below the trusted one, by a clock that
    /// says `now`; the header may be as old as it is. Else as [`LightClient::update`].
    ///
    /// # Errors
    /// [`LightError`]; what was trusted before stays.
    pub fn update_to(&mut self, height: u64, now: Time) -> Result<Updated, LightError> {
        self.forward(now, |light, node, now| {
            let header = light.trusted.advance(node, Some(height), &light.options, now)?;
            header.root()?;
            Ok(header)
        })
    }

    /// Goes forward to the header that one node after the other is asked for, until one's holds.
    fn forward(
        &mut self,
        now: Time,
        wanted: impl Fn(&Self, &RpcClient, Time) -> Result<VerifiedHeader, HeaderFault>,
    ) -> Result<Updated, LightError> {
        self.trust_lasts(now)?;
        self.nodes = renewed(&self.nodes, self.options.server_time);
        if let Witnesses::Compare(witnesses) = &mut self.witnesses {
            *witnesses = renewed(witnesses, self.options.server_time);
        }
        let mut refused = Vec::new();
        for node in &self.nodes {
            match wanted(self, node, now) {
                Err(fault) => refused.push(Accusation::new(Server::Rpc(node.url().to_owned()), fault)),
                Ok(header) => {
                    let confirmed_by = self.confirm(&header, node, now, &mut refused)?;
                    self.trusted = header.clone();
                    return Ok(Updated { header, node: node.url().to_owned(), confirmed_by, refused });
                }
            }
        }
        Err(LightError::NoHeader(refused))
    }

    fn trust_lasts(&self, now: Time) -> Result<(), LightError> {
        let (age, period) = (self.trusted.age(now), self.options.trusting_period);
        if age < period {
            return Ok(());
        }
        let height = self.trusted.height();
        Err(LightError::TrustExpired { height, age: age.as_secs(), period: period.as_secs() })
    }

    /// The node's newest header, where it holds, is recent, and has a root.
    fn newest(&self, node: &RpcClient, now: Time) -> Result<VerifiedHeader, HeaderFault> {
        let header = self.trusted.advance(node, None, &self.options, now)?;
        header.root()?;
        let (age, most) = (header.age(now), self.options.max_age);
        if age > most {
            return Err(HeaderFault::TooOld { height: header.height(), age: age.as_secs(), most: most.as_secs() });
        }
        Ok(header)
    }

    /// Asks every witness, and returns those that have the same header.
    fn confirm(
        &self,
        header: &VerifiedHeader,
        node: &RpcClient,
        now: Time,
        refused: &mut Vec<Accusation>,
    ) -> Result<Vec<String>, LightError> {
        let Witnesses::Compare(witnesses) = &self.witnesses else {
            return Ok(Vec::new());
        };
        let mut confirmed_by = Vec::new();
        let (same, others): (Vec<_>, Vec<_>) = witnesses.iter().partition(|witness| witness.is_same_server(node));
        for witness in others {
            match self.compare(header, witness, now) {
                Ok(None) => confirmed_by.push(witness.url().to_owned()),
                Ok(Some(other)) => return Err(fork(header, &other, node, witness)),
                Err(fault) => refused.push(Accusation::new(Server::Witness(witness.url().to_owned()), fault)),
            }
        }
        if confirmed_by.is_empty() {
            let itself = |witness: &RpcClient| {
                Accusation::new(Server::Witness(witness.url().to_owned()), Fault::SameServer(node.url().to_owned()))
            };
            refused.extend(same.into_iter().map(itself));
            return Err(LightError::NoWitness { height: header.height(), refused: std::mem::take(refused) });
        }
        Ok(confirmed_by)
    }

    /// `None` where the witness has the same header, another one where that is signed too.
    fn compare(
        &self,
        header: &VerifiedHeader,
        witness: &RpcClient,
        now: Time,
    ) -> Result<Option<VerifiedHeader>, HeaderFault> {
        let height = header.height();
        let mut asked = 0;
        let found = loop {
            match witness.commit(Some(height)) {
                Err(error) if error.is_refusal() && asked < PATIENCE => {
                    asked += 1;
                    witness.wait(PAUSE);
                }
                answer => break answer.map_err(HeaderFault::Rpc)?,
            }
        };
        let found = found.header.hash();
        if found.as_bytes() == header.hash() {
            return Ok(None);
        }
        match self.trusted.advance(witness, Some(height), &self.options, now) {
            Ok(other) if other.hash() != header.hash() => Ok(Some(other)),
            _ => Err(HeaderFault::conflict(height, &found, &Hash::Sha256(header.hash()))),
        }
    }
}

/// The nodes with their whole time.
fn renewed(nodes: &[RpcClient], time: Duration) -> Vec<RpcClient> {
    nodes.iter().map(|node| node.within(time)).collect()
}

fn fork(header: &VerifiedHeader, other: &VerifiedHeader, node: &RpcClient, witness: &RpcClient) -> LightError {
    LightError::Fork {
        primary: node.url().to_owned(),
        witness: witness.url().to_owned(),
        height: header.height(),
        hashes: [header, other].map(|header| hex::encode(header.hash())),
    }
}

#[cfg(test)]
mod tests;
