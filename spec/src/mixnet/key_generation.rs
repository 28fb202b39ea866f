//! Key generation: whose dealings remain after the verdicts, the keys that follow from them, and
//! each server's share of these. A pure function of the posts.
//!
//! A dealer whom a valid verdict convicts is out, and t dealers must remain. A key is the sum of
//! what they dealt: the commitments to its polynomial are the sums of theirs, so Y_l is the first
//! of row l, and Σ_a k^a of that row the public half of server k's share. Source: docs/mixnet.md,
//! "Keys".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::mixnet::dealing::*;
use crate::mixnet::key_posts::*;
use crate::mixnet::linear_relation::*;
use crate::mixnet::mixnet_transcript::*;
use crate::mixnet::servers_read::*;
use crate::mixnet::sharing::*;
use hacspec_lib::*;

/// The tag of the digest of all keys.
pub fn tag_mixnet_keys() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-KEYS")
}

/// The keys that were dealt.
#[derive(Clone, Debug)]
pub struct GeneratedKeys {
    /// Whose dealings they are the sum of, in ascending order.
    pub generated_dealers: Seq<usize>,
    /// The commitments to the sum of the dealt polynomials: a row a key, t elements each.
    pub generated_committed: Seq<Seq<G1>>,
    /// `keys`: what every later hash begins with.
    pub generated_digest: ByteString,
}

/// One step of [`complaint_dealers`].
pub fn complaint_dealers_step(dealers: Seq<usize>, complaints: &Seq<KeyComplaint>, i: usize) -> Seq<usize> {
    dealers.push_owned(complaints[i].complaint_dealer)
}

/// Whom complaints are about.
pub fn complaint_dealers(complaints: &Seq<KeyComplaint>) -> Seq<usize> {
    let mut dealers = Seq::<usize>::new(0);
    for i in 0..complaints.len() {
        dealers = complaint_dealers_step(dealers, complaints, i);
    }
    dealers
}

/// One step of [`convicted_dealers`].
pub fn convicted_dealers_step(
    convicted: Seq<usize>,
    terms: &KeyTerms,
    valid: &Seq<KeyDealing>,
    verdict: &KeyVerdict,
) -> Seq<usize> {
    if verdict_holds(terms, valid, verdict) {
        convicted.concat(&complaint_dealers(&verdict.verdict_complaints))
    } else {
        convicted
    }
}

/// The dealers whom valid verdicts convict.
pub fn convicted_dealers(terms: &KeyTerms, valid: &Seq<KeyDealing>, verdicts: &Seq<KeyVerdict>) -> Seq<usize> {
    let mut convicted = Seq::<usize>::new(0);
    for i in 0..verdicts.len() {
        convicted = convicted_dealers_step(convicted, terms, valid, &verdicts[i]);
    }
    convicted
}

/// One step of [`qualified_dealings`].
pub fn qualified_dealings_step(
    qualified: Seq<KeyDealing>,
    dealing: &KeyDealing,
    convicted: &Seq<usize>,
) -> Seq<KeyDealing> {
    if number_among(convicted, dealing.deal_author) { qualified } else { qualified.push_owned(dealing.clone()) }
}

/// The valid dealings that no valid verdict convicts.
pub fn qualified_dealings(terms: &KeyTerms, dealings: &Seq<KeyDealing>, verdicts: &Seq<KeyVerdict>) -> Seq<KeyDealing> {
    let valid = valid_dealings(terms, dealings);
    let convicted = convicted_dealers(terms, &valid, verdicts);
    let mut qualified = Seq::<KeyDealing>::new(0);
    for i in 0..valid.len() {
        qualified = qualified_dealings_step(qualified, &valid[i], &convicted);
    }
    qualified
}

/// The commitments of key `l`; none beyond the last.
pub fn committed_row(committed: &Seq<Seq<G1>>, l: usize) -> Seq<G1> {
    if l < committed.len() { committed[l].clone() } else { Seq::<G1>::new(0) }
}

/// One step of [`summed_row`].
pub fn summed_row_step(sums: Seq<G1>, dealing: &KeyDealing, l: usize) -> Seq<G1> {
    linear_sum_elements(&sums, &committed_row(&dealing.deal_committed, l))
}

/// The commitments to the sum of the polynomials that were dealt for key `l`.
pub fn summed_row(dealings: &Seq<KeyDealing>, threshold: usize, l: usize) -> Seq<G1> {
    let mut sums = linear_empty_row(threshold);
    for i in 0..dealings.len() {
        sums = summed_row_step(sums, &dealings[i], l);
    }
    sums
}

/// One step of [`summed_commitments`].
pub fn summed_commitments_step(
    rows: Seq<Seq<G1>>,
    dealings: &Seq<KeyDealing>,
    threshold: usize,
    l: usize,
) -> Seq<Seq<G1>> {
    rows.push_owned(summed_row(dealings, threshold, l))
}

/// The commitments to the sums of the dealt polynomials, a row a key.
pub fn summed_commitments(terms: &KeyTerms, dealings: &Seq<KeyDealing>) -> Seq<Seq<G1>> {
    let mut rows = Seq::<Seq<G1>>::new(0);
    for l in 0..terms.keys_count {
        rows = summed_commitments_step(rows, dealings, terms.keys_threshold, l);
    }
    rows
}

/// One step of [`dealing_authors`].
pub fn dealing_authors_step(authors: Seq<usize>, dealing: &KeyDealing) -> Seq<usize> {
    authors.push_owned(dealing.deal_author)
}

/// Whose dealings these are.
pub fn dealing_authors(dealings: &Seq<KeyDealing>) -> Seq<usize> {
    let mut authors = Seq::<usize>::new(0);
    for i in 0..dealings.len() {
        authors = dealing_authors_step(authors, &dealings[i]);
    }
    authors
}

/// One step of [`author_bytes`].
pub fn author_bytes_step(encoded: ByteString, authors: &Seq<usize>, i: usize) -> ByteString {
    encoded.concat(&u16_bytes(authors[i]))
}

/// Two bytes a dealer.
pub fn author_bytes(authors: &Seq<usize>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..authors.len() {
        encoded = author_bytes_step(encoded, authors, i);
    }
    encoded
}

/// One step of [`dealing_lists`].
pub fn dealing_lists_step(encoded: ByteString, dealing: &KeyDealing) -> ByteString {
    encoded.concat(&dealing.deal_list)
}

/// The encodings of all A of all dealings, 96 bytes each.
pub fn dealing_lists(dealings: &Seq<KeyDealing>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..dealings.len() {
        encoded = dealing_lists_step(encoded, &dealings[i]);
    }
    encoded
}

/// `keys`: `H(tag, ceremony || u8 count || dealers || list of all A)`. So everything that comes
/// after binds whose dealings remained, and what they committed to.
pub fn keys_digest(terms: &KeyTerms, dealings: &Seq<KeyDealing>) -> ByteString {
    let points = dealings.len() * terms.keys_count * terms.keys_threshold;
    let digest = mixnet_list_digest(points, 1, &dealing_lists(dealings));
    let dealers = u8_bytes(dealings.len()).concat(&author_bytes(&dealing_authors(dealings)));
    tagged_hash(&tag_mixnet_keys(), &terms.keys_ceremony.concat(&dealers).concat(&digest))
}

/// The keys that follow from all dealings and verdicts; none where terms are not legal or fewer
/// than t dealers remain.
pub fn generate_keys(
    terms: &KeyTerms,
    dealings: &Seq<KeyDealing>,
    verdicts: &Seq<KeyVerdict>,
) -> Option<GeneratedKeys> {
    let qualified = qualified_dealings(terms, dealings, verdicts);
    if key_terms_legal(terms) && terms.keys_threshold <= qualified.len() {
        Some(GeneratedKeys {
            generated_dealers: dealing_authors(&qualified),
            generated_committed: summed_commitments(terms, &qualified),
            generated_digest: keys_digest(terms, &qualified),
        })
    } else {
        None
    }
}

/// Y_l
pub fn generated_key(keys: &GeneratedKeys, l: usize) -> G1 {
    g1_at(&committed_row(&keys.generated_committed, l), 0)
}

/// Y_{l,k}, the public half of a server's share of key `l`.
pub fn generated_public_share(keys: &GeneratedKeys, server: usize, l: usize) -> G1 {
    share_public(&committed_row(&keys.generated_committed, l), server)
}

/// One step of [`summed_shares`].
pub fn summed_shares_step(sums: Seq<Scalar>, received: &Seq<Seq<Scalar>>, i: usize) -> Seq<Scalar> {
    linear_sum_scalars(&sums, &received[i])
}

/// A server's shares of all keys: the sums of what the dealers that remain gave it.
pub fn summed_shares(terms: &KeyTerms, received: &Seq<Seq<Scalar>>) -> Seq<Scalar> {
    let mut sums = scalars_resized(&Seq::<Scalar>::new(0), terms.keys_count);
    for i in 0..received.len() {
        sums = summed_shares_step(sums, received, i);
    }
    sums
}

/// Whether a server's shares are those whose public halves everybody knows. A server for which it
/// is not so posts no shares of anything.
pub fn key_shares_hold(keys: &GeneratedKeys, server: usize, shares: &Seq<Scalar>) -> bool {
    dealt_shares_hold(&keys.generated_committed, server, shares)
}
