//! Commit, open, and verify one by one.

use aardvark_algebra::{encode_g1, msm, scalar_from_bytes, scalar_to_bytes};
use aardvark_commitment::ceremony::G1_POWERS;
use aardvark_commitment::{Commitment, Kzg, Opening, VectorCommitment};

use benches::baselines::Baseline;
use benches::baselines::merkle::MerkleProof;
use benches::baselines::multilinear::MultilinearOpening;

use crate::error::BenchError;
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::table1::fixture::Fixture;
use crate::table1::options::TABLE;
use crate::table1::peers::PointProof;
use aardvark_algebra::group::Curve;

/// Size of the vectors that c-kzg and rust_eth_kzg know.
const BLOB: u64 = G1_POWERS as u64;

/// Commit to a vector.
pub fn commit(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let Fixture { vector, commitments: truth, .. } = fixture;
    let size = fixture.size as u64;
    let basis = fixture.kzg.lagrange_basis().unwrap_or_default();
    let rs_root = fixture.peers.rs_merkle_root();
    let ours = vec![
        Contender::new(
            ("blst", "msm"),
            size,
            |_| Ok(msm(basis, vector)),
            |_, sum| *truth.kzg.point() == sum.to_affine(),
        ),
        Contender::new(("kzg", "commit"), size, |_| Ok(fixture.kzg.commit(vector)?), |_, c| *c == truth.kzg),
        Contender::new(
            ("libert-yung", "commit"),
            size,
            |_| Ok(fixture.libert_yung.commit(vector)?),
            |_, c| *c == truth.libert_yung,
        ),
        Contender::new(("paper", "commit"), size, |_| Ok(fixture.paper.commit(vector)), |_, c| *c == truth.libert_yung),
        Contender::new(
            ("multilinear", "commit"),
            size,
            |_| Ok(fixture.multilinear.commit(vector)?),
            |_, c| *c == truth.multilinear,
        ),
        Contender::new(("merkle", "commit"), size, |_| Ok(fixture.merkle.commit(vector)?), |_, c| *c == truth.merkle),
        Contender::new(
            ("rs_merkle", "commit"),
            size,
            |_| Ok(fixture.peers.rs_merkle_commit(vector)),
            |_, c| *c == rs_root,
        ),
    ];
    let mut rows = hold(TABLE, ours, Some(("blst", "msm")), effort)?;
    let long = truth.kzg_blob.to_bytes();
    let blobs = vec![
        Contender::new(("c-kzg", "commit"), BLOB, |_| fixture.peers.c_kzg_commit(&fixture.blob), |_, c| *c == long),
        Contender::new(
            ("rust_eth_kzg", "commit"),
            BLOB,
            |_| fixture.peers.rust_eth_kzg_commit(&fixture.blob),
            |_, c| *c == long,
        ),
        Contender::new(
            ("kzg", "commit"),
            BLOB,
            |_| Ok(fixture.kzg_blob.commit(&fixture.long_vector)?),
            |_, c| *c == truth.kzg_blob,
        ),
    ];
    rows.extend(hold(TABLE, blobs, Some(("c-kzg", "commit")), effort)?);
    Ok(rows)
}

/// Open a vector at one index.
pub fn open(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let Fixture { vector, openings: truth, .. } = fixture;
    let size = fixture.size as u64;
    let at = |call| fixture.turn(call);
    let rs_root = fixture.peers.rs_merkle_root().unwrap_or_default();
    let ours = vec![
        Contender::new(
            ("paper", "open"),
            size,
            |call| Ok(fixture.paper.open(vector, at(call).1)),
            |call, o| truth.libert_yung.get(at(call).0) == Some(o),
        ),
        Contender::new(
            ("libert-yung", "open"),
            size,
            |call| Ok(fixture.libert_yung.open(vector, at(call).1)?),
            |call, o| truth.libert_yung.get(at(call).0) == Some(o),
        ),
        Contender::new(
            ("kzg", "open"),
            size,
            |call| Ok(fixture.kzg.open(vector, at(call).1)?),
            |call, o| {
                let (_, index, scalar) = at(call);
                fixture.kzg.verify(&fixture.commitments.kzg, index, &scalar, o)
            },
        ),
        Contender::new(
            ("multilinear", "open"),
            size,
            |call| Ok(fixture.multilinear.open(vector, at(call).1)?),
            |call, o| {
                let (_, index, scalar) = at(call);
                fixture.multilinear.verify(&fixture.commitments.multilinear, index, &scalar, o)
            },
        ),
        Contender::new(
            ("merkle", "open"),
            size,
            |call| Ok(fixture.tree.open(at(call).1)?),
            |call, o| truth.merkle.get(at(call).0) == Some(o),
        ),
        Contender::new(
            ("rs_merkle", "open"),
            size,
            |call| Ok(fixture.peers.rs_merkle_open(at(call).1)),
            |call, o| {
                let (_, index, scalar) = at(call);
                fixture.peers.rs_merkle_verify(rs_root, index, &scalar, o)
            },
        ),
    ];
    let mut rows = hold(TABLE, ours, Some(("paper", "open")), effort)?;
    rows.extend(open_blobs(fixture, effort)?);
    Ok(rows)
}

/// Open a vector of 4,096 at one index.
fn open_blobs(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let index = |call: usize| call * 677 % G1_POWERS;
    let z = |call: usize| scalar_to_bytes(&fixture.kzg_blob.domain().element(index(call)));
    let right = |call: usize, proof: &[u8; 48], y: &[u8; 32]| {
        let (opening, scalar) = (Opening::from_bytes_strict(proof), scalar_from_bytes(y));
        let claim = opening.ok().zip(scalar.ok());
        claim.is_some_and(|(o, s)| fixture.kzg_blob.verify(&fixture.commitments.kzg_blob, index(call), &s, &o))
    };
    let value = |call: usize| fixture.long_vector.get(index(call)).map(scalar_to_bytes).unwrap_or_default();
    let contenders = vec![
        Contender::new(
            ("c-kzg", "open"),
            BLOB,
            |call| fixture.peers.c_kzg_open(&fixture.blob, z(call)),
            |call, (o, y)| right(call, o, y),
        ),
        Contender::new(
            ("rust_eth_kzg", "open"),
            BLOB,
            |call| fixture.peers.rust_eth_kzg_open(&fixture.blob, z(call)),
            |call, (o, y)| right(call, o, y),
        ),
        Contender::new(
            ("kzg", "open"),
            BLOB,
            |call| Ok(fixture.kzg_blob.open(&fixture.long_vector, index(call))?),
            |call, o| right(call, &o.to_bytes(), &value(call)),
        ),
    ];
    hold(TABLE, contenders, Some(("c-kzg", "open")), effort)
}

/// Open a vector everywhere; the time is that of one opening, beside an opening by itself and
/// beside blst's multi-scalar multiplication.
pub fn open_all(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let Fixture { vector, commitments: truth, .. } = fixture;
    let size = fixture.size;
    let basis = fixture.kzg.lagrange_basis().unwrap_or_default();
    let effort = Effort { runs: 5, ..*effort };
    let contenders = vec![
        Contender::new(
            ("blst", "msm"),
            size as u64,
            |_| Ok(msm(basis, vector)),
            |_, sum| *truth.kzg.point() == sum.to_affine(),
        ),
        Contender::new(
            ("kzg", "open"),
            size as u64,
            |call| Ok(fixture.kzg.open(vector, fixture.turn(call).1)?),
            |call, o| fixture.openings.kzg.get(fixture.turn(call).0) == Some(o),
        ),
        Contender::new(
            ("kzg", "open_all"),
            size as u64,
            |_| Ok(fixture.kzg.open_all(vector)?),
            |_, all| {
                let sample = fixture.indices.iter().zip(&fixture.openings.kzg);
                all.len() == size && sample.into_iter().all(|(index, opening)| all.get(*index) == Some(opening))
            },
        )
        .per_call(size),
    ];
    let rows = hold(TABLE, contenders, Some(("kzg", "open")), &effort)?;
    let multiplication = rows.iter().find(|row| row.operation == "msm").and_then(|row| row.cpu_median);
    let beside_blst = |row: &Row| Some(row.clone().compared("blst msm", row.cpu_median? / multiplication?));
    let all = rows.iter().filter(|row| row.operation == "open_all");
    Ok(all.flat_map(|row| [Some(row.clone()), beside_blst(row)]).flatten().collect())
}

/// Verify one opening, from bytes.
///
/// `kzg verify` makes the checks that c-kzg makes: commitment and opening from 48 bytes each, both
/// in the subgroup, both scalars below the order. It keeps the lines of each index's point
/// (`Kzg::with_index_lines`, 20 MB for N = 1,024); `kzg verify_unprepared` does without.
/// `kzg verify_claim` makes those of a validator: it knows the commitment, and reads the opening by
/// the format's rule.
pub fn verify(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let proofs: Vec<PointProof> = (0..fixture.indices.len()).map(|call| point_proof(fixture, call)).collect();
    let proof =
        |call: usize| proofs.get(call % proofs.len()).copied().ok_or_else(|| BenchError::Wrong("no proof".to_owned()));
    let size = fixture.size as u64;
    let holds = |_: usize, verified: &bool| *verified;
    let mut contenders = vec![
        Contender::new(("c-kzg", "verify"), size, |call| fixture.peers.c_kzg_verify(&proof(call)?), holds),
        Contender::new(
            ("rust_eth_kzg", "verify"),
            size,
            |call| Ok(fixture.peers.rust_eth_kzg_verify(&proof(call)?)),
            holds,
        ),
        Contender::new(
            ("kzg", "verify"),
            size,
            |call| Ok(verify_strictly(&fixture.kzg, fixture, call, &proof(call)?)),
            holds,
        ),
        Contender::new(
            ("kzg", "verify_unprepared"),
            size,
            |call| Ok(verify_strictly(&fixture.kzg_small, fixture, call, &proof(call)?)),
            holds,
        ),
        Contender::new(
            ("kzg", "verify_claim"),
            size,
            |call| {
                let (_, index, scalar) = fixture.turn(call);
                let opening = Opening::from_bytes(&proof(call)?.proof);
                Ok(opening.is_ok_and(|o| fixture.kzg.verify(&fixture.commitments.kzg, index, &scalar, &o)))
            },
            holds,
        ),
    ];
    contenders.extend(verify_others(fixture));
    hold(TABLE, contenders, Some(("c-kzg", "verify")), effort)
}

/// What c-kzg checks, by our scheme.
fn verify_strictly(kzg: &Kzg, fixture: &Fixture, call: usize, proof: &PointProof) -> bool {
    let (_, index, _) = fixture.turn(call);
    let (commitment, opening) = (Commitment::from_bytes(&proof.commitment), Opening::from_bytes_strict(&proof.proof));
    match (commitment, opening, scalar_from_bytes(&proof.y)) {
        (Ok(commitment), Ok(opening), Ok(scalar)) => kzg.verify(&commitment, index, &scalar, &opening),
        _ => false,
    }
}

fn verify_others(fixture: &Fixture) -> Vec<Contender<'_>> {
    let size = fixture.size as u64;
    let holds = |_: usize, verified: &bool| *verified;
    let single: Vec<[u8; 48]> = fixture.openings.libert_yung.iter().map(|o| encode_g1(o.point())).collect();
    let paper = single.clone();
    let long: Vec<Vec<u8>> = fixture.openings.multilinear.iter().map(MultilinearOpening::to_bytes).collect();
    let hashes: Vec<Vec<u8>> = fixture.openings.merkle.iter().map(MerkleProof::to_bytes).collect();
    let rs_proofs: Vec<Vec<u8>> = fixture.indices.iter().map(|index| fixture.peers.rs_merkle_open(*index)).collect();
    let rs_root = fixture.peers.rs_merkle_root().unwrap_or_default();
    let truth = &fixture.commitments;
    vec![
        Contender::new(
            ("libert-yung", "verify"),
            size,
            move |call| {
                let (which, index, scalar) = fixture.turn(call);
                let opening = single.get(which).and_then(|bytes| Opening::from_bytes(bytes).ok());
                Ok(opening.is_some_and(|o| fixture.libert_yung.verify(&truth.libert_yung, index, &scalar, &o)))
            },
            holds,
        ),
        Contender::new(
            ("paper", "verify"),
            size,
            move |call| {
                let (which, index, scalar) = fixture.turn(call);
                let opening = paper.get(which).and_then(|bytes| Opening::from_bytes_strict(bytes).ok());
                Ok(opening.is_some_and(|o| fixture.paper.verify(&truth.libert_yung, index, &scalar, &o)))
            },
            holds,
        ),
        Contender::new(
            ("multilinear", "verify"),
            size,
            move |call| {
                let (which, index, scalar) = fixture.turn(call);
                let opening = long.get(which).and_then(|bytes| MultilinearOpening::from_bytes(bytes)?.ok());
                Ok(opening.is_some_and(|o| fixture.multilinear.verify(&truth.multilinear, index, &scalar, &o)))
            },
            holds,
        ),
        Contender::new(
            ("merkle", "verify"),
            size,
            move |call| {
                let (which, index, scalar) = fixture.turn(call);
                let proof = hashes.get(which).and_then(|bytes| MerkleProof::from_bytes(bytes));
                Ok(proof.is_some_and(|p| fixture.merkle.verify(&truth.merkle, index, &scalar, &p)))
            },
            holds,
        ),
        Contender::new(
            ("rs_merkle", "verify"),
            size,
            move |call| {
                let (which, index, scalar) = fixture.turn(call);
                let proof = rs_proofs.get(which).map_or(&[][..], Vec::as_slice);
                Ok(fixture.peers.rs_merkle_verify(rs_root, index, &scalar, proof))
            },
            holds,
        ),
    ]
}

/// Our opening for call number `call`, as any KZG library takes it.
pub fn point_proof(fixture: &Fixture, call: usize) -> PointProof {
    let (which, index, scalar) = fixture.turn(call);
    PointProof {
        commitment: fixture.commitments.kzg.to_bytes(),
        z: scalar_to_bytes(&fixture.kzg.domain().element(index)),
        y: scalar_to_bytes(&scalar),
        proof: fixture.openings.kzg.get(which).map(Opening::to_bytes).unwrap_or([0; 48]),
    }
}
