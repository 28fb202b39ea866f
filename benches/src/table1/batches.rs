//! Batches of claims about distinct vectors.

use aardvark_algebra::Scalar;
use aardvark_commitment::{BatchClaim, Commitment, Opening, VectorCommitment};
use c_kzg::{Blob, Bytes48};
use rayon::prelude::*;

use crate::error::{BenchError, require};
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::table1::TABLE;
use crate::table1::fixture::Fixture;
use crate::table1::single::point_proof;
use crate::workload::random::scalar;

/// The dictionary that claims are about.
const DICTIONARY: [u8; 32] = [0xaa; 32];

/// Lengths of batches, up to the largest asked for.
const LENGTHS: [usize; 5] = [1, 10, 100, 1000, 10_000];

/// Blobs in a batch of blobs.
const BLOBS: usize = 16;

/// Verify batches; the time is that of one claim. `verify_batch` has decoded openings, `verify_batch_decode` reads them from 48 bytes by the
/// format's rule first.
pub fn verify_batch(fixture: &Fixture, largest: usize, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let kzg = sparse_claims(&fixture.kzg, largest)?;
    let libert_yung = sparse_claims(&fixture.libert_yung, largest)?;
    let sample = kzg.iter().take(3).all(|c| fixture.kzg.verify(&c.commitment, c.index, &c.scalar, &c.opening));
    require(sample, || "a claim made by updates is false".to_owned())?;
    let bytes: Vec<[u8; 48]> = kzg.iter().map(|claim| claim.opening.to_bytes()).collect();
    let proof = point_proof(fixture, 0);
    let holds = |_: usize, verified: &bool| *verified;
    let mut rows = Vec::new();
    for length in LENGTHS.into_iter().filter(|length| *length <= largest) {
        let contenders = vec![
            Contender::new(("c-kzg", "verify"), fixture.size as u64, |_| fixture.peers.c_kzg_verify(&proof), holds),
            batch(("kzg", "verify_batch"), length, || Ok(fixture.kzg.verify_batch(&DICTIONARY, part(&kzg, length)))),
            batch(("kzg", "verify_batch_decode"), length, || {
                let claims = decoded(part(&kzg, length), &bytes)?;
                Ok(fixture.kzg.verify_batch(&DICTIONARY, &claims))
            }),
            batch(("libert-yung", "verify_batch"), length, || {
                Ok(fixture.libert_yung.verify_batch(&DICTIONARY, part(&libert_yung, length)))
            }),
        ];
        let effort = Effort { iterations: effort.iterations.max(effort.runs * length), ..*effort };
        let measured = hold(TABLE, contenders, Some(("c-kzg", "verify")), &effort)?;
        rows.extend(measured.into_iter().filter(|row| row.scheme != "c-kzg"));
    }
    refuse_a_false_claim(fixture, &kzg)?;
    rows.extend(verify_blobs(fixture, effort)?);
    Ok(rows)
}

fn batch<'a>(
    name: (&'static str, &'static str),
    length: usize,
    mut verify: impl FnMut() -> Result<bool, BenchError> + 'a,
) -> Contender<'a> {
    Contender::new(name, length as u64, move |_| verify(), |_, verified| *verified).per_call(length)
}

fn part<T>(items: &[T], length: usize) -> &[T] {
    items.get(..length).unwrap_or(items)
}

/// A verifier that says yes to everything is quick: one false claim at the end must turn every batch.
fn refuse_a_false_claim(fixture: &Fixture, claims: &[BatchClaim]) -> Result<(), BenchError> {
    let mut forged = claims.to_vec();
    if let Some(last) = forged.last_mut() {
        last.scalar += Scalar::from(1);
    }
    let refused = !fixture.kzg.verify_batch(&DICTIONARY, &forged);
    require(refused, || "a batch with a false claim was accepted".to_owned())
}

/// The claims with their openings read from bytes.
fn decoded(claims: &[BatchClaim], bytes: &[[u8; 48]]) -> Result<Vec<BatchClaim>, BenchError> {
    let read = |(claim, bytes): (&BatchClaim, &[u8; 48])| {
        let opening = Opening::from_bytes(bytes).map_err(|error| BenchError::Wrong(error.to_string()))?;
        Ok(BatchClaim { opening, ..*claim })
    };
    claims.iter().zip(bytes).map(read).collect()
}

/// Claims about so many different vectors, each zero but at the claimed index and at another: commitment and opening follow from
/// the empty vector's by updates.
fn sparse_claims<V>(scheme: &V, count: usize) -> Result<Vec<BatchClaim>, BenchError>
where
    V: VectorCommitment<Commitment = Commitment, Opening = Opening>,
{
    let size = scheme.vector_size();
    let make = |number: usize| {
        let (index, other) = (number * 389 % size, (number * 389 + 1 + number % (size - 1)) % size);
        let (here, there) = (scalar(2 * number as u64), scalar(2 * number as u64 + 1));
        let commitment = scheme.update_commitment_many(&Commitment::identity(), &[(index, here), (other, there)])?;
        let opening = scheme.update_opening(&Opening::identity(), index, index, &here)?;
        let opening = scheme.update_opening(&opening, index, other, &there)?;
        Ok(BatchClaim { version: number as u64 % 10, commitment, index, scalar: here, opening })
    };
    (0..count).into_par_iter().map(make).collect()
}

/// Batches of whole blobs by the KZG libraries: each blob's polynomial is evaluated too.
fn verify_blobs(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let commitment = fixture.commitments.kzg_blob.to_bytes();
    let proof = fixture.peers.c_kzg_blob_proof(&fixture.blob, commitment)?;
    let blobs: Vec<Blob> = (0..BLOBS).map(|_| Blob::new(*fixture.blob)).collect();
    let (commitments, proofs) = (vec![Bytes48::new(commitment); BLOBS], vec![Bytes48::new(proof); BLOBS]);
    let references = (vec![&*fixture.blob; BLOBS], vec![&commitment; BLOBS], vec![&proof; BLOBS]);
    let contenders = vec![
        batch(("c-kzg", "verify_blob_batch"), BLOBS, || {
            fixture.peers.c_kzg_verify_blobs(&blobs, &commitments, &proofs)
        }),
        batch(("rust_eth_kzg", "verify_blob_batch"), BLOBS, || {
            Ok(fixture.peers.rust_eth_kzg_verify_blobs(&references.0, &references.1, &references.2))
        }),
    ];
    hold(TABLE, contenders, None, effort)
}
