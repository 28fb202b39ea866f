//! Which servers own a vector: rendezvous hashing (Thaler and Ravishankar, 1998).
//!
//! Every server has a weight for every vector, a hash of both; the two of greatest weight own it.
//! There is no table to agree on and no points on a circle to choose: who knows the names knows the
//! owners. A server that joins takes from each of the others its share and moves nothing else; one
//! that leaves hands each of its vectors to the next by weight. To find the owners takes a hash a
//! server, which for hundreds of servers is less than a microsecond beside an opening's many.
//!
//! The hash has no secret: nobody chooses the numbers of vectors, which are those of positions, and
//! who asks for one vector only is bounded by the limits of its owners.

use aardvark_algebra::tagged_hash;

/// Servers that own a vector, where there are so many.
pub const REPLICAS: usize = 2;

/// Names of servers, and what follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Ascending and distinct, each with the hash of its name.
    servers: Vec<(String, u64)>,
}

impl Ring {
    /// The ring of some names; one that occurs twice counts once.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut servers: Vec<_> = names.into_iter().map(|name| (seed(&name), name)).map(|(a, b)| (b, a)).collect();
        servers.sort();
        servers.dedup();
        Self { servers }
    }

    /// The names, ascending.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.iter().map(|(name, _)| name.as_str())
    }

    /// The places, among [`Ring::names`], of the servers that own a vector, the first one first:
    /// as many as [`REPLICAS`], or all where there are fewer.
    pub fn owners(&self, vector: u64) -> Vec<usize> {
        let mut best: Vec<(u64, usize)> = Vec::with_capacity(REPLICAS + 1);
        for (place, (_, seed)) in self.servers.iter().enumerate() {
            let weight = weight(*seed, vector);
            let at = best.partition_point(|(greater, _)| *greater >= weight);
            if at < REPLICAS {
                best.insert(at, (weight, place));
                best.truncate(REPLICAS);
            }
        }
        best.into_iter().map(|(_, place)| place).collect()
    }

    /// Whether a server owns a vector.
    pub fn owns(&self, name: &str, vector: u64) -> bool {
        let place = self.servers.binary_search_by(|(other, _)| other.as_str().cmp(name));
        place.is_ok_and(|place| self.owners(vector).contains(&place))
    }
}

fn seed(name: &str) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = tagged_hash("AARDVARK-OPENING-SERVER", name.as_bytes());
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// The mixing step of SplitMix64 (Steele, Lea and Flood, 2014) on both.
fn weight(seed: u64, vector: u64) -> u64 {
    let mixed = |number: u64| {
        let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    };
    mixed(seed ^ mixed(vector))
}
