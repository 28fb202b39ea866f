//! What servers' posts of one kind come to: whose are valid, which are faulty, who is waited for.
//!
//! Source: docs/mixnet.md, "Ceremonies".

use crate::base::bytes::*;
use crate::mixnet::counted_post::*;
use crate::mixnet::post_key::*;
use hacspec_lib::*;

/// In which way servers are waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReadRule {
    /// All post at once.
    ReadAll,
    /// Each in its turn; whose post is false is passed over.
    ReadTurns,
    /// Each in its turn; a false post ends it.
    ReadStops,
}

/// What there is of a server's in a place.
#[derive(Clone, Debug)]
pub enum ServerPlace {
    /// Nothing that can be judged yet.
    PlaceWaits,
    /// Nothing, and nothing is waited for: the server is declared absent.
    PlaceAbsent,
    /// A post that fails the first checks.
    PlaceFaulty,
    /// A post whose body is to be judged.
    PlaceCounted(ViewPost),
}

/// What was read of the servers' posts of one kind.
#[derive(Clone, Debug)]
pub struct ServersRead {
    /// The servers whose posts are valid, in the order in which they were read.
    pub read_valid: Seq<usize>,
    /// What is wrong with the others' bodies.
    pub read_faults: Seq<PostFault>,
    /// The first server that is waited for; 0 where none is.
    pub read_waits: usize,
    /// Whether a false post ended it.
    pub read_stopped: bool,
    /// The dealers that valid verdicts convict.
    pub read_accused: Seq<usize>,
}

/// One step of [`number_among`].
pub fn number_among_step(found: bool, numbers: &Seq<usize>, i: usize, number: usize) -> bool {
    found || numbers[i] == number
}

/// Whether a number is among these.
pub fn number_among(numbers: &Seq<usize>, number: usize) -> bool {
    let mut found = false;
    for i in 0..numbers.len() {
        found = number_among_step(found, numbers, i, number);
    }
    found
}

/// One step of [`numbers_among`].
pub fn numbers_among_step(found: bool, numbers: &Seq<usize>, others: &Seq<usize>, i: usize) -> bool {
    found && number_among(numbers, others[i])
}

/// Whether all of the others are among these numbers.
pub fn numbers_among(numbers: &Seq<usize>, others: &Seq<usize>) -> bool {
    let mut found = true;
    for i in 0..others.len() {
        found = numbers_among_step(found, numbers, others, i);
    }
    found
}

/// One step of [`server_numbers`].
pub fn server_numbers_step(numbers: Seq<usize>, i: usize) -> Seq<usize> {
    numbers.push_owned(i + 1)
}

/// The numbers of the servers.
pub fn server_numbers(terms: &ViewTerms) -> Seq<usize> {
    let mut numbers = Seq::<usize>::new(0);
    for i in 0..terms.terms_servers.len() {
        numbers = server_numbers_step(numbers, i);
    }
    numbers
}

/// The key of the server with this number; no bytes where there is none.
pub fn server_author(terms: &ViewTerms, number: usize) -> ByteString {
    if 0 < number && number <= terms.terms_servers.len() {
        terms.terms_servers[number - 1].clone()
    } else {
        ByteString::new(0)
    }
}

/// The post of a server of a kind, about this query.
pub fn server_post(
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    kind: usize,
    query: &ByteString,
    number: usize,
) -> Option<ViewPost> {
    post_at(posts, kind, query, number, &server_author(terms, number))
}

/// Whether the organiser says that a server's post of a kind is not waited for.
pub fn is_absent(terms: &ViewTerms, posts: &Seq<ViewPost>, kind: usize, number: usize) -> bool {
    if kind_may_be_absent(kind) {
        match post_at(posts, KIND_ABSENT, &ByteString::new(0), kind * 256 + number, &terms.terms_organiser) {
            Some(word) => is_counted(terms, &word),
            None => false,
        }
    } else {
        false
    }
}

/// What there is of a server's of a kind, about this query.
pub fn server_place(
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    kind: usize,
    query: &ByteString,
    number: usize,
) -> ServerPlace {
    match server_post(terms, posts, kind, query, number) {
        None => {
            if is_absent(terms, posts, kind, number) {
                ServerPlace::PlaceAbsent
            } else {
                ServerPlace::PlaceWaits
            }
        }
        Some(written) => {
            if !is_admitted(terms, &written) {
                ServerPlace::PlaceFaulty
            } else if !written.viewed_at_hand {
                ServerPlace::PlaceWaits
            } else {
                ServerPlace::PlaceCounted(written)
            }
        }
    }
}

/// What is wrong with the body of a post, where these dealings are valid.
pub fn body_flaw(written: &ViewPost, dealers: &Seq<usize>) -> Option<PostFlaw> {
    match written.viewed_flaw {
        Some(flaw) => Some(flaw),
        None => {
            if numbers_among(dealers, &written.viewed_accused) {
                None
            } else {
                Some(PostFlaw::FlawComplaintUnfounded)
            }
        }
    }
}

/// What was read, and a server is waited for.
pub fn read_waiting(found: ServersRead, number: usize) -> ServersRead {
    ServersRead {
        read_valid: found.read_valid,
        read_faults: found.read_faults,
        read_waits: if found.read_waits == 0 { number } else { found.read_waits },
        read_stopped: found.read_stopped,
        read_accused: found.read_accused,
    }
}

/// What was read, and a post that fails the first checks, or whose body is false: `flaw` says how.
pub fn read_false(found: ServersRead, faults: Seq<PostFault>) -> ServersRead {
    ServersRead {
        read_valid: found.read_valid,
        read_faults: faults,
        read_waits: found.read_waits,
        read_stopped: true,
        read_accused: found.read_accused,
    }
}

/// What was read, and a valid post of a server.
pub fn read_valid_post(found: ServersRead, number: usize, written: &ViewPost) -> ServersRead {
    ServersRead {
        read_valid: found.read_valid.push_owned(number),
        read_faults: found.read_faults,
        read_waits: found.read_waits,
        read_stopped: found.read_stopped,
        read_accused: found.read_accused.concat(&written.viewed_accused),
    }
}

/// What was read, and a post whose body was judged.
pub fn read_judged(found: ServersRead, number: usize, written: &ViewPost, flaw: &Option<PostFlaw>) -> ServersRead {
    match flaw {
        None => read_valid_post(found, number, written),
        Some(_) => {
            let faults = with_fault(found.read_faults.clone(), written, flaw);
            read_false(found, faults)
        }
    }
}

/// Whether nothing behind what was read is looked at.
pub fn read_ends(found: &ServersRead, rule: &ReadRule) -> bool {
    match rule {
        ReadRule::ReadAll => false,
        ReadRule::ReadTurns => found.read_waits != 0,
        ReadRule::ReadStops => found.read_waits != 0 || found.read_stopped,
    }
}

/// One step of [`read_servers`].
pub fn read_servers_step(
    found: ServersRead,
    rule: &ReadRule,
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    place: &PostKey,
    dealers: &Seq<usize>,
    number: usize,
) -> ServersRead {
    if read_ends(&found, rule) {
        found
    } else {
        match server_place(terms, posts, place.post_kind, &place.post_query, number) {
            ServerPlace::PlaceWaits => read_waiting(found, number),
            ServerPlace::PlaceAbsent => found,
            ServerPlace::PlaceFaulty => {
                let faults = found.read_faults.clone();
                read_false(found, faults)
            }
            ServerPlace::PlaceCounted(written) => read_judged(found, number, &written, &body_flaw(&written, dealers)),
        }
    }
}

/// What these servers' posts of a kind come to, where these dealings are valid. `place` says the
/// kind, and the query that they are about.
pub fn read_servers(
    rule: &ReadRule,
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    place: &PostKey,
    dealers: &Seq<usize>,
    order: &Seq<usize>,
) -> ServersRead {
    let mut found = ServersRead {
        read_valid: Seq::<usize>::new(0),
        read_faults: Seq::<PostFault>::new(0),
        read_waits: 0,
        read_stopped: false,
        read_accused: Seq::<usize>::new(0),
    };
    for i in 0..order.len() {
        found = read_servers_step(found, rule, terms, posts, place, dealers, order[i]);
    }
    found
}
