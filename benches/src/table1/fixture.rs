//! One vector under every scheme, with the truth about it computed by the slow twins.

use aardvark_algebra::fft::bit_reverse;
use aardvark_algebra::{Scalar, scalar_to_bytes};
use aardvark_commitment::ceremony::G1_POWERS;
use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use aardvark_commitment::{
    Ceremony, Commitment, CommitmentError, Kzg, LibertYung, Opening, VectorCommitment, insecure, naive,
};

use benches::baselines::merkle::{Hash, MerkleProof, MerkleTree};
use benches::baselines::multilinear::MultilinearOpening;
use benches::baselines::{Baseline, Merkle, Multilinear};

use crate::error::{BenchError, require};
use crate::paper::Paper;
use crate::table1::peers::Peers;
use crate::workload::random::scalar;

/// How many indices are opened and verified in turn.
pub const INDICES: usize = 16;

/// A small budget for tables: 64 MB.
pub const SMALL_TABLE_BYTES: usize = 64_000_000;

/// A budget that tables of all positions fit into at N = 1,024: 300 MB.
pub const FULL_TABLE_BYTES: usize = 300_000_000;

/// Schemes, a vector, and its commitments and openings.
pub struct Fixture {
    /// N.
    pub size: usize,
    /// KZG on the ceremony, with the usual tables.
    pub kzg: Kzg,
    /// The same with tables of at most [`SMALL_TABLE_BYTES`].
    pub kzg_small: Kzg,
    /// The same with tables of at most [`FULL_TABLE_BYTES`].
    pub kzg_full: Kzg,
    /// KZG on the ceremony for 4,096 scalars, to be compared with blobs.
    pub kzg_blob: Kzg,
    /// Libert–Yung as we do it.
    pub libert_yung: LibertYung,
    /// Libert–Yung as the paper does it.
    pub paper: Paper,
    /// EDRAX without SNARK.
    pub multilinear: Multilinear,
    /// SHA-256, binary.
    pub merkle: Merkle,
    /// Others' libraries.
    pub peers: Peers,
    /// N scalars.
    pub vector: Vec<Scalar>,
    /// 4,096 scalars.
    pub long_vector: Vec<Scalar>,
    /// Their polynomial's values in the order of blobs.
    pub blob: Box<[u8; G1_POWERS * 32]>,
    /// Indices below N that are opened in turn.
    pub indices: Vec<usize>,
    /// Of `vector`.
    pub commitments: Commitments,
    /// Of `vector` at `indices`.
    pub openings: Openings,
    /// The stored tree of `vector`.
    pub tree: MerkleTree,
}

/// Commitments of the vector.
#[derive(Clone, Copy, Debug)]
pub struct Commitments {
    /// By KZG.
    pub kzg: Commitment,
    /// By Libert–Yung, ours and the paper's.
    pub libert_yung: Commitment,
    /// By the multilinear scheme.
    pub multilinear: Commitment,
    /// By the Merkle tree.
    pub merkle: Hash,
    /// By KZG, of the long vector.
    pub kzg_blob: Commitment,
}

/// Openings of the vector at the fixture's indices, in order.
#[derive(Clone, Debug)]
pub struct Openings {
    /// By KZG.
    pub kzg: Vec<Opening>,
    /// By Libert–Yung.
    pub libert_yung: Vec<Opening>,
    /// By the multilinear scheme.
    pub multilinear: Vec<MultilinearOpening>,
    /// By the Merkle tree.
    pub merkle: Vec<MerkleProof>,
}

impl Fixture {
    /// Everything for vectors of `size` scalars.
    pub fn new(size: usize) -> Result<Self, BenchError> {
        let ceremony = Ceremony::ethereum()?;
        let kzg = Kzg::new(ceremony, size)?.with_tables(DEFAULT_TABLE_BYTES)?.with_index_lines();
        let kzg_small = Kzg::new(ceremony, size)?.with_tables(SMALL_TABLE_BYTES)?;
        let kzg_full = Kzg::new(ceremony, size)?.with_tables(FULL_TABLE_BYTES)?;
        let kzg_blob = Kzg::new(ceremony, G1_POWERS)?.with_tables(SMALL_TABLE_BYTES)?;
        let libert_yung = insecure::libert_yung(size)?.with_tables(SMALL_TABLE_BYTES)?;
        let paper = Paper::new(size);
        let (multilinear, merkle) = (Multilinear::insecure(size)?, Merkle::new(size)?);
        let vector: Vec<Scalar> = (0..size as u64).map(scalar).collect();
        let long_vector: Vec<Scalar> = (0..G1_POWERS as u64).map(scalar).collect();
        let commitments = Commitments {
            kzg: naive::kzg_commit(kzg.domain(), &ceremony.g1_powers(size)?, &vector),
            libert_yung: naive::libert_yung_commit(libert_yung.g1_powers().unwrap_or_default(), &vector),
            multilinear: multilinear_commitment(&multilinear, &vector)?,
            merkle: merkle.commit(&vector)?,
            kzg_blob: kzg_blob.commit(&long_vector)?,
        };
        let indices: Vec<usize> = (0..INDICES).map(|number| (number * 677 + 3) % size).collect();
        let openings = Openings {
            kzg: openings(&indices, |index| kzg.open(&vector, index))?,
            libert_yung: openings(&indices, |index| libert_yung.open(&vector, index))?,
            multilinear: openings(&indices, |index| multilinear.open(&vector, index))?,
            merkle: openings(&indices, |index| merkle.open(&vector, index))?,
        };
        let (tree, peers) = (merkle.tree(&vector)?, Peers::new(&vector));
        let blob = blob_of(&long_vector)?;
        Ok(Self {
            size,
            kzg,
            kzg_small,
            kzg_full,
            kzg_blob,
            libert_yung,
            paper,
            multilinear,
            merkle,
            peers,
            vector,
            long_vector,
            blob,
            indices,
            commitments,
            openings,
            tree,
        })
    }

    /// Call number `call`: which of the indices it is about, the index, and the scalar there.
    pub fn turn(&self, call: usize) -> (usize, usize, Scalar) {
        let which = call % self.indices.len().max(1);
        let index = self.indices.get(which).copied().unwrap_or(0);
        (which, index, self.vector.get(index).copied().unwrap_or_default())
    }
}

fn openings<O>(indices: &[usize], open: impl Fn(usize) -> Result<O, CommitmentError>) -> Result<Vec<O>, BenchError> {
    Ok(indices.iter().map(|index| open(*index)).collect::<Result<_, _>>()?)
}

/// The commitment by single updates of the empty vector's: another way than `commit`.
fn multilinear_commitment(scheme: &Multilinear, vector: &[Scalar]) -> Result<Commitment, BenchError> {
    let empty = Commitment::identity();
    let grown =
        vector.iter().enumerate().try_fold(empty, |sum, (index, scalar)| scheme.update_commitment(&sum, index, scalar));
    Ok(grown?)
}

/// A blob holds the values in bit-reversed order, 32 bytes each.
fn blob_of(vector: &[Scalar]) -> Result<Box<[u8; G1_POWERS * 32]>, BenchError> {
    let mut values = vector.to_vec();
    bit_reverse(&mut values);
    let bytes: Vec<u8> = values.iter().flat_map(scalar_to_bytes).collect();
    let blob = bytes.into_boxed_slice().try_into().ok();
    require(blob.is_some(), || "a blob has 4096 scalars".to_owned())?;
    blob.ok_or_else(|| BenchError::Wrong("no blob".to_owned()))
}
