//! An archive answers for the versions that it retains, and an audit notes what it holds.
//!
//! ```text
//! cargo run -p aardvark-archive --example past_versions -- DIR
//! ```
//!
//! The directory must be empty or not there.

use std::error::Error;
use std::path::PathBuf;

use aardvark_archive::{Archive, ArchiveError};
use aardvark_commitment::setups;
use aardvark_dictionary::{Change, Genesis, Identity, Key, Parameters};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).ok_or("name a directory that is not there")?);
    // At least the window W stays readable; here nothing more does.
    let parameters = Parameters { vector_size: 16, window: 2, ..Parameters::default() };
    let digest = setups::published_digest(parameters.scheme, parameters.vector_size)?;
    let genesis = Genesis::new(Identity::new("example", [0; 32])?, parameters, digest, Vec::new())?;
    let mut archive = Archive::builder().create(&directory, &genesis)?;

    let key = Key::from("curl");
    for value in ["8.4.0", "8.5.0", "8.6.0"] {
        archive.import(vec![Change { key: key.clone(), value: Some(value.into()) }])?;
    }
    for version in 0..=archive.version() {
        match archive.get(&key, version) {
            Ok(Some(value)) => println!("version {version}: {value}"),
            Ok(None) => println!("version {version}: absent"),
            Err(ArchiveError::VersionOutOfRange { oldest, .. }) => {
                println!("version {version}: no longer readable, the oldest is {oldest}");
            }
            Err(error) => return Err(error.into()),
        }
    }
    let report = archive.audit(&mut |_| {})?;
    println!("audit: {} versions replayed, {} findings", report.versions, report.findings.len());
    Ok(())
}
