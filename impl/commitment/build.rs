//! Refuses to build with a ceremony file that has another digest than the pinned one: no process
//! then has to hash the 200 kB that are embedded in it.

use sha2::{Digest, Sha256};

include!("src/ceremony_digest.rs");

const FILE: &str = "data/ethereum_kzg_ceremony.bin";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in ["build.rs", "src/ceremony_digest.rs", FILE] {
        println!("cargo::rerun-if-changed={file}");
    }
    let digest = Sha256::digest(std::fs::read(FILE)?);
    if digest[..] != ETHEREUM_DIGEST {
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        return Err(format!("{FILE} has SHA-256 {hex}, which is not the pinned one").into());
    }
    Ok(())
}
