//! Verifies a proof with the commitments of a version: `cargo run -p aardvark-proof --example
//! verify -- curl commitments.json proof.json`

use aardvark_proof::{Question, answer_json, commitments_json, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, key, known, proof] =
        std::env::args().collect::<Vec<_>>().try_into().map_err(|_| "KEY COMMITMENTS PROOF")?;
    let (known, proof) = (std::fs::read(known)?, std::fs::read(proof)?);
    let known = commitments_json::read(&known)?;
    let scheme = known.verifier()?;
    let answer = verify(&known.trusted(&scheme)?, &Question::key(key.as_str()), &answer_json::read(&proof)?)?;
    println!("{answer:?}");
    Ok(())
}
