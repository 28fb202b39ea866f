//! Dealing keys: commitments to polynomials, a share for each server under a mask that only dealer
//! and server can compute, one proof that the dealer knows all constant terms and all randomness of
//! the masks; and complaints, which open one server's shares to everybody.
//!
//! Points that hashes need come as their bytes, 48 each. Source: docs/mixnet.md, "Keys".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::mixnet::linear_relation::*;
use crate::mixnet::mixnet_transcript::*;
use crate::mixnet::sharing::*;
use hacspec_lib::*;

/// The tag of a dealing's seed.
pub fn tag_mixnet_dealing() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-DEALING")
}

/// The tag of a server's masks.
pub fn tag_mixnet_share() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-SHARE")
}

/// The tag of one mask.
pub fn tag_mixnet_share_mask() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-SHARE-MASK")
}

/// The tag of a complaint's seed.
pub fn tag_mixnet_verdict() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-VERDICT")
}

/// The tag of the last digest of a proof that one knows logarithms.
pub fn tag_mixnet_knowledge_first() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-KNOWLEDGE-T")
}

/// The tag of the seed of a server's proof that it knows its transport key.
pub fn tag_mixnet_transport() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-TRANSPORT")
}

/// The tag of the seed of a querier's proof that it knows its reading key.
pub fn tag_mixnet_querier() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-QUERIER")
}

/// The tag of the seed of that proof in a private query.
pub fn tag_mixnet_asking() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-ASKING")
}

/// The challenge of a proof of logarithms, of its seed, which covers the whole statement, and the
/// bytes of T.
pub fn knowledge_challenge(seed: &ByteString, first: &ByteString) -> Scalar {
    hash_to_scalar(&tagged_hash(&tag_mixnet_knowledge_first(), &seed.concat(first)), &tag_mixnet_challenge())
}

/// One step of [`knowledge_matrix`].
pub fn knowledge_matrix_step(matrix: Seq<Seq<G1>>, count: usize, i: usize) -> Seq<Seq<G1>> {
    matrix.push_owned(g1_updated(&linear_empty_row(count), i, g1_generator()))
}

/// M of "I know the logarithms of these elements": the generator on the diagonal.
pub fn knowledge_matrix(count: usize) -> Seq<Seq<G1>> {
    let mut matrix = Seq::<Seq<G1>>::new(0);
    for i in 0..count {
        matrix = knowledge_matrix_step(matrix, count, i);
    }
    matrix
}

/// Whether somebody is shown to know the logarithms of all these elements.
pub fn verify_knowledge(image: &Seq<G1>, proof: &LinearProof, c: Scalar) -> bool {
    linear_verify(&knowledge_matrix(image.len()), image.len(), image, proof, c)
}

/// M of "the first's logarithm is the second's to the base R": both bases in one column.
pub fn equality_matrix(base: G1) -> Seq<Seq<G1>> {
    let first = Seq::<G1>::new(0).push_owned(g1_generator());
    let second = Seq::<G1>::new(0).push_owned(base);
    Seq::<Seq<G1>>::new(0).push_owned(first).push_owned(second)
}

/// Whether log_G N is shown to be log_R S.
pub fn verify_equality(base: G1, transport: G1, shared: G1, proof: &LinearProof, c: Scalar) -> bool {
    linear_verify(&equality_matrix(base), 1, &Seq::<G1>::new(0).push_owned(transport).push_owned(shared), proof, c)
}

/// The seed of a transport or reading key's proof: `author` is the Ed25519 key that it belongs to,
/// in a private query after the digest of the mix.
pub fn key_proof_seed(tag: &ByteString, author: &ByteString, point: &ByteString) -> ByteString {
    tagged_hash(tag, &author.concat(point))
}

/// The seed of a dealing's proof: ceremony, dealer, and every byte of the post but the proof, that
/// is all commitments, all R and all masked shares.
pub fn dealing_seed(ceremony: &ByteString, dealer: usize, statement: &ByteString) -> ByteString {
    tagged_hash(&tag_mixnet_dealing(), &ceremony.concat(&u16_bytes(dealer)).concat(statement))
}

/// One step of [`dealing_image`].
pub fn dealing_image_step(image: Seq<G1>, committed: &Seq<Seq<G1>>, l: usize) -> Seq<G1> {
    image.push_owned(g1_at(&committed[l], 0))
}

/// One step of [`dealing_image`].
pub fn dealing_randomised_step(image: Seq<G1>, randomised: &Seq<G1>, k: usize) -> Seq<G1> {
    image.push_owned(randomised[k])
}

/// What a dealer has to know the logarithms of: all constant terms A_{l,0}, and all R_k.
pub fn dealing_image(committed: &Seq<Seq<G1>>, randomised: &Seq<G1>) -> Seq<G1> {
    let mut image = Seq::<G1>::new(0);
    for l in 0..committed.len() {
        image = dealing_image_step(image, committed, l);
    }
    for k in 0..randomised.len() {
        image = dealing_randomised_step(image, randomised, k);
    }
    image
}

/// Whether a dealing's proof is true, under the challenge that is drawn for it.
pub fn verify_dealing(
    seed: &ByteString,
    committed: &Seq<Seq<G1>>,
    randomised: &Seq<G1>,
    proof: &LinearProof,
    first: &ByteString,
) -> bool {
    verify_knowledge(&dealing_image(committed, randomised), proof, knowledge_challenge(seed, first))
}

/// What a server's masks in a dealing are drawn from: `shared` is ρ_k N_k = ν_k R_k.
pub fn share_mask_seed(
    ceremony: &ByteString,
    dealer: usize,
    server: usize,
    randomised: &ByteString,
    shared: &ByteString,
) -> ByteString {
    let author = ceremony.concat(&u16_bytes(dealer)).concat(&u16_bytes(server));
    tagged_hash(&tag_mixnet_share(), &author.concat(randomised).concat(shared))
}

/// The mask of the share of key `l`.
pub fn share_mask(seed: &ByteString, l: usize) -> Scalar {
    hash_to_scalar(&seed.concat(&u16_bytes(l)), &tag_mixnet_share_mask())
}

/// One step of [`share_seal`].
pub fn share_seal_step(sealed: Seq<Scalar>, seed: &ByteString, shares: &Seq<Scalar>, l: usize) -> Seq<Scalar> {
    sealed.push_owned(shares[l] + share_mask(seed, l))
}

/// A server's shares under their masks.
pub fn share_seal(seed: &ByteString, shares: &Seq<Scalar>) -> Seq<Scalar> {
    let mut sealed = Seq::<Scalar>::new(0);
    for l in 0..shares.len() {
        sealed = share_seal_step(sealed, seed, shares, l);
    }
    sealed
}

/// One step of [`share_unseal`].
pub fn share_unseal_step(shares: Seq<Scalar>, seed: &ByteString, sealed: &Seq<Scalar>, l: usize) -> Seq<Scalar> {
    shares.push_owned(sealed[l] - share_mask(seed, l))
}

/// The shares that are under the masks.
pub fn share_unseal(seed: &ByteString, sealed: &Seq<Scalar>) -> Seq<Scalar> {
    let mut shares = Seq::<Scalar>::new(0);
    for l in 0..sealed.len() {
        shares = share_unseal_step(shares, seed, sealed, l);
    }
    shares
}

/// One step of [`dealt_shares_hold`].
pub fn dealt_shares_step(held: bool, committed: &Seq<Seq<G1>>, server: usize, shares: &Seq<Scalar>, l: usize) -> bool {
    held && share_verify(&committed[l], server, scalar_at(shares, l))
}

/// Whether a server was dealt a share of each key, and each is the one that is committed to.
pub fn dealt_shares_hold(committed: &Seq<Seq<G1>>, server: usize, shares: &Seq<Scalar>) -> bool {
    let mut held = shares.len() == committed.len();
    for l in 0..committed.len() {
        held = dealt_shares_step(held, committed, server, shares, l);
    }
    held
}

/// The seed of the proof in a complaint of a server about a dealer; the points are N, R and S.
pub fn verdict_seed(
    ceremony: &ByteString,
    server: usize,
    dealer: usize,
    transport: &ByteString,
    randomised: &ByteString,
    shared: &ByteString,
) -> ByteString {
    let author = ceremony.concat(&u16_bytes(server)).concat(&u16_bytes(dealer));
    tagged_hash(&tag_mixnet_verdict(), &author.concat(transport).concat(randomised).concat(shared))
}

/// Whether a complaint convicts the dealer: S is shown to be what opens the server's shares, and
/// these are not the ones that the dealer committed to. `shown` is the verdict of
/// [`verify_equality`], `mask_seed` what the masks are drawn from if S is right.
pub fn complaint_convicts(
    shown: bool,
    committed: &Seq<Seq<G1>>,
    server: usize,
    sealed: &Seq<Scalar>,
    mask_seed: &ByteString,
) -> bool {
    shown && !dealt_shares_hold(committed, server, &share_unseal(mask_seed, sealed))
}
