//! A reader keeps one commitment and one opening, and follows the changes of a vector that it does
//! not have.
//!
//! ```text
//! cargo run -p aardvark-commitment --example follow_changes
//! ```

use aardvark_algebra::Scalar;
use aardvark_commitment::{Ceremony, Commitment, CommitmentError, Kzg, Opening, VectorCommitment};

/// The number of scalars in the vector.
const SIZE: usize = 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kzg = Kzg::new(Ceremony::ethereum()?, SIZE)?;
    // The owner of the vector publishes a commitment, and sends one opening: 48 bytes each.
    let mut vector: Vec<Scalar> = (0..SIZE as u64).map(Scalar::from).collect();
    let (published, sent) = (kzg.commit(&vector)?.to_bytes(), kzg.open(&vector, 5)?.to_bytes());

    let (mut commitment, mut opening) = (Commitment::from_bytes(&published)?, Opening::from_bytes(&sent)?);
    report("at first", &kzg, &commitment, &vector, &opening);

    // The scalar at 9 grows by 100. Index and growth are all that the reader needs to know.
    vector[9] += Scalar::from(100);
    let old = opening;
    commitment = kzg.update_commitment(&commitment, 9, &Scalar::from(100))?;
    opening = kzg.update_opening(&opening, 5, 9, &Scalar::from(100))?;
    report("after a change", &kzg, &commitment, &vector, &opening);
    report("with the old opening", &kzg, &commitment, &vector, &old);

    // What is out of range is an error, not a wrong answer.
    let refused = kzg.update_commitment(&commitment, SIZE, &Scalar::from(1));
    assert_eq!(refused, Err(CommitmentError::IndexOutOfRange { index: SIZE, vector_size: SIZE }));
    Ok(())
}

fn report(when: &str, kzg: &Kzg, commitment: &Commitment, vector: &[Scalar], opening: &Opening) {
    let verdict = if kzg.verify(commitment, 5, &vector[5], opening) { "proved" } else { "not proved" };
    println!("{when}: the scalar at index 5 is {verdict}");
}
