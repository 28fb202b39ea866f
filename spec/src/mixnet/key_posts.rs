//! The posts from which keys follow, and which of them are valid: dealings, and verdicts, in which
//! a server complains about dealers whose shares are false.
//!
//! A point of a post comes with its bytes, since hashes cover these. Posts come in the order of
//! their servers, one of each kind for a server: a board has one for a key. Source: docs/mixnet.md,
//! "Keys".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::scalar::*;
use crate::mixnet::column::*;
use crate::mixnet::dealing::*;
use crate::mixnet::linear_relation::*;
use hacspec_lib::*;

/// A point as it was posted.
#[derive(Clone, Debug, Default)]
pub struct PostedPoint {
    /// The point.
    pub posted_element: G1,
    /// Its encoding, 48 bytes.
    pub posted_bytes: ByteString,
}

/// What of a ceremony's terms says how keys are dealt.
#[derive(Clone, Debug)]
pub struct KeyTerms {
    /// The ceremony's digest.
    pub keys_ceremony: ByteString,
    /// t.
    pub keys_threshold: usize,
    /// How many keys are dealt: one for queries, one for each number of a value.
    pub keys_count: usize,
    /// N of each server.
    pub keys_transports: Seq<PostedPoint>,
}

/// A server's dealing.
#[derive(Clone, Debug, Default)]
pub struct KeyDealing {
    /// The dealer's number, from 1.
    pub deal_author: usize,
    /// A, a row a key.
    pub deal_committed: Seq<Seq<G1>>,
    /// The encodings of all A, 96 bytes each.
    pub deal_list: ByteString,
    /// R of each server.
    pub deal_randomised: Seq<PostedPoint>,
    /// The masked shares of each server, one a key.
    pub deal_sealed: Seq<Seq<Scalar>>,
    /// Every byte of the post but the proof.
    pub deal_statement: ByteString,
    /// That the dealer knows all constant terms and all randomness.
    pub deal_proof: LinearProof,
    /// The encodings of the proof's T, 48 bytes each.
    pub deal_first: ByteString,
}

/// A server's complaint about a dealer.
#[derive(Clone, Debug, Default)]
pub struct KeyComplaint {
    /// The dealer's number.
    pub complaint_dealer: usize,
    /// S, which opens the server's shares.
    pub complaint_shared: PostedPoint,
    /// That S is what it should be.
    pub complaint_proof: LinearProof,
    /// The encodings of the proof's T, 48 bytes each.
    pub complaint_first: ByteString,
}

/// A server's verdict: all its complaints.
#[derive(Clone, Debug, Default)]
pub struct KeyVerdict {
    /// The server's number, from 1.
    pub verdict_author: usize,
    /// In ascending order of dealers.
    pub verdict_complaints: Seq<KeyComplaint>,
}

/// Whether keys can be dealt under these terms: t of m servers, at most 255; a key for queries and
/// one at least for values.
pub fn key_terms_legal(terms: &KeyTerms) -> bool {
    let servers = terms.keys_transports.len();
    0 < terms.keys_threshold && terms.keys_threshold <= servers && servers < 256 && 1 < terms.keys_count
}

/// Whether somebody is shown to know the logarithm of a transport key; `author` is the Ed25519 key
/// that it belongs to, `first` the encoding of the proof's T.
pub fn transport_known(author: &ByteString, point: &PostedPoint, proof: &LinearProof, first: &ByteString) -> bool {
    let seed = key_proof_seed(&tag_mixnet_transport(), author, &point.posted_bytes);
    let image = Seq::<G1>::new(0).push_owned(point.posted_element);
    verify_knowledge(&image, proof, knowledge_challenge(&seed, first))
}

/// The point of the server with this number; the identity without bytes where there is none.
pub fn point_of_server(points: &Seq<PostedPoint>, server: usize) -> PostedPoint {
    if 0 < server && server <= points.len() {
        points[server - 1].clone()
    } else {
        PostedPoint { posted_element: g1_identity(), posted_bytes: ByteString::new(0) }
    }
}

/// The masked shares of the server with this number; none where there is none.
pub fn sealed_of_server(sealed: &Seq<Seq<Scalar>>, server: usize) -> Seq<Scalar> {
    if 0 < server && server <= sealed.len() { sealed[server - 1].clone() } else { Seq::<Scalar>::new(0) }
}

/// One step of [`posted_elements`].
pub fn posted_elements_step(elements: Seq<G1>, points: &Seq<PostedPoint>, i: usize) -> Seq<G1> {
    elements.push_owned(points[i].posted_element)
}

/// The points without their bytes.
pub fn posted_elements(points: &Seq<PostedPoint>) -> Seq<G1> {
    let mut elements = Seq::<G1>::new(0);
    for i in 0..points.len() {
        elements = posted_elements_step(elements, points, i);
    }
    elements
}

/// One step of [`sealed_widths`].
pub fn sealed_widths_step(fits: bool, sealed: &Seq<Seq<Scalar>>, count: usize, i: usize) -> bool {
    fits && sealed[i].len() == count
}

/// Whether each server has so many masked shares.
pub fn sealed_widths(sealed: &Seq<Seq<Scalar>>, count: usize) -> bool {
    let mut fits = true;
    for i in 0..sealed.len() {
        fits = sealed_widths_step(fits, sealed, count, i);
    }
    fits
}

/// Whether a dealing is one of a server's and has the lengths of the terms: t commitments a key,
/// for each server R and a share a key.
pub fn dealing_fits(terms: &KeyTerms, dealing: &KeyDealing) -> bool {
    let servers = terms.keys_transports.len();
    0 < dealing.deal_author
        && dealing.deal_author <= servers
        && dealing.deal_committed.len() == terms.keys_count
        && column_widths(&dealing.deal_committed, terms.keys_threshold)
        && dealing.deal_randomised.len() == servers
        && dealing.deal_sealed.len() == servers
        && sealed_widths(&dealing.deal_sealed, terms.keys_count)
}

/// Whether a dealing is valid: it fits, and its proof is true. Nobody can tell from it whether the
/// shares are those that it commits to; for that there are verdicts.
pub fn dealing_holds(terms: &KeyTerms, dealing: &KeyDealing) -> bool {
    let seed = dealing_seed(&terms.keys_ceremony, dealing.deal_author, &dealing.deal_statement);
    let randomised = posted_elements(&dealing.deal_randomised);
    let first = &dealing.deal_first;
    dealing_fits(terms, dealing)
        && verify_dealing(&seed, &dealing.deal_committed, &randomised, &dealing.deal_proof, first)
}

/// One step of [`valid_dealings`].
pub fn valid_dealings_step(valid: Seq<KeyDealing>, terms: &KeyTerms, dealing: &KeyDealing) -> Seq<KeyDealing> {
    if dealing_holds(terms, dealing) { valid.push_owned(dealing.clone()) } else { valid }
}

/// The valid dealings; no verdict speaks of another.
pub fn valid_dealings(terms: &KeyTerms, dealings: &Seq<KeyDealing>) -> Seq<KeyDealing> {
    let mut valid = Seq::<KeyDealing>::new(0);
    for i in 0..dealings.len() {
        valid = valid_dealings_step(valid, terms, &dealings[i]);
    }
    valid
}

/// One step of [`dealing_of`].
pub fn dealing_of_step(found: Option<KeyDealing>, dealing: &KeyDealing, dealer: usize) -> Option<KeyDealing> {
    match found {
        Some(first) => Some(first),
        None => {
            if dealing.deal_author == dealer {
                Some(dealing.clone())
            } else {
                None
            }
        }
    }
}

/// A dealer's dealing.
pub fn dealing_of(dealings: &Seq<KeyDealing>, dealer: usize) -> Option<KeyDealing> {
    let mut found = None;
    for i in 0..dealings.len() {
        found = dealing_of_step(found, &dealings[i], dealer);
    }
    found
}

/// What a server's masks in a dealing are drawn from, where `shared` are the bytes of S.
pub fn opened_masks(terms: &KeyTerms, dealing: &KeyDealing, server: usize, shared: &ByteString) -> ByteString {
    let randomised = point_of_server(&dealing.deal_randomised, server);
    share_mask_seed(&terms.keys_ceremony, dealing.deal_author, server, &randomised.posted_bytes, shared)
}

/// The shares of a server that S opens, `shared` its bytes: the server computes S = ν R.
pub fn opened_shares(terms: &KeyTerms, dealing: &KeyDealing, server: usize, shared: &ByteString) -> Seq<Scalar> {
    share_unseal(&opened_masks(terms, dealing, server, shared), &sealed_of_server(&dealing.deal_sealed, server))
}

/// The challenge of the proof in a complaint of a server about a dealing.
pub fn complaint_challenge(
    terms: &KeyTerms,
    dealing: &KeyDealing,
    server: usize,
    shared: &ByteString,
    first: &ByteString,
) -> Scalar {
    let transport = point_of_server(&terms.keys_transports, server);
    let randomised = point_of_server(&dealing.deal_randomised, server);
    let seed = verdict_seed(
        &terms.keys_ceremony,
        server,
        dealing.deal_author,
        &transport.posted_bytes,
        &randomised.posted_bytes,
        shared,
    );
    knowledge_challenge(&seed, first)
}

/// Whether a complaint of a server about a dealing shows that S is what opens the server's shares.
pub fn complaint_shown(terms: &KeyTerms, dealing: &KeyDealing, server: usize, complaint: &KeyComplaint) -> bool {
    let transport = point_of_server(&terms.keys_transports, server);
    let randomised = point_of_server(&dealing.deal_randomised, server);
    let shared = &complaint.complaint_shared;
    let c = complaint_challenge(terms, dealing, server, &shared.posted_bytes, &complaint.complaint_first);
    let proof = &complaint.complaint_proof;
    verify_equality(randomised.posted_element, transport.posted_element, shared.posted_element, proof, c)
}

/// The complaint of a server with the transport secret ν about a dealing whose shares are false;
/// `shared` are the bytes of S, `first` those of the proof's T, which is made with `random`.
pub fn server_complaint(
    terms: &KeyTerms,
    dealing: &KeyDealing,
    server: usize,
    secret: Scalar,
    shared: &ByteString,
    random: Scalar,
    first: &ByteString,
) -> KeyComplaint {
    let base = point_of_server(&dealing.deal_randomised, server).posted_element;
    let witness = Seq::<Scalar>::new(0).push_owned(secret);
    let nonces = Seq::<Scalar>::new(0).push_owned(random);
    let c = complaint_challenge(terms, dealing, server, shared, first);
    KeyComplaint {
        complaint_dealer: dealing.deal_author,
        complaint_shared: PostedPoint { posted_element: g1_scale(secret, base), posted_bytes: shared.clone() },
        complaint_proof: linear_prove(&equality_matrix(base), &witness, &nonces, c),
        complaint_first: first.clone(),
    }
}

/// Whether a complaint of a server convicts the dealer of a valid dealing.
pub fn complaint_founded(terms: &KeyTerms, valid: &Seq<KeyDealing>, server: usize, complaint: &KeyComplaint) -> bool {
    match dealing_of(valid, complaint.complaint_dealer) {
        None => false,
        Some(dealing) => {
            let shown = complaint_shown(terms, &dealing, server, complaint);
            let sealed = sealed_of_server(&dealing.deal_sealed, server);
            let masks = opened_masks(terms, &dealing, server, &complaint.complaint_shared.posted_bytes);
            complaint_convicts(shown, &dealing.deal_committed, server, &sealed, &masks)
        }
    }
}

/// Whether complaint `i` is about a later dealer than the one before it.
pub fn complaint_ascends(complaints: &Seq<KeyComplaint>, i: usize) -> bool {
    i == 0 || complaints[i - 1].complaint_dealer < complaints[i].complaint_dealer
}

/// One step of [`verdict_holds`].
pub fn verdict_holds_step(
    held: bool,
    terms: &KeyTerms,
    valid: &Seq<KeyDealing>,
    verdict: &KeyVerdict,
    i: usize,
) -> bool {
    held && complaint_ascends(&verdict.verdict_complaints, i)
        && complaint_founded(terms, valid, verdict.verdict_author, &verdict.verdict_complaints[i])
}

/// Whether a verdict is valid: one of a server's, dealers in ascending order, each complaint
/// convicts. One that is not convicts nobody.
pub fn verdict_holds(terms: &KeyTerms, valid: &Seq<KeyDealing>, verdict: &KeyVerdict) -> bool {
    let mut held = 0 < verdict.verdict_author && verdict.verdict_author <= terms.keys_transports.len();
    for i in 0..verdict.verdict_complaints.len() {
        held = verdict_holds_step(held, terms, valid, verdict, i);
    }
    held
}
