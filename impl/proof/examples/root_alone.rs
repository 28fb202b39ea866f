//! Verifies every entry of a range with a state root and nothing else, and one opening for all:
//! `cargo run -p aardvark-proof --example root_alone -- c n 0x… together.json`

use aardvark_proof::{Question, Trusted, answer_json, hex_text, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, from, to, root, proof] =
        std::env::args().collect::<Vec<_>>().try_into().map_err(|_| "FROM TO ROOT PROOF")?;
    let proof = answer_json::read(&std::fs::read(proof)?)?;
    let scheme = proof.verifier()?;
    let trusted = Trusted::root_alone(hex_text::decode_array(&root)?, &scheme);
    let answer = verify(&trusted, &Question::range(from.as_str(), to.as_str(), None), &proof)?;
    println!("{answer:?}");
    Ok(())
}
