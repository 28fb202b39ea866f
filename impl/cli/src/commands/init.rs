//! `aardvark init DIR`

use std::ffi::OsStr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use aardvark_archive::{Archive, ArchiveError};
use aardvark_commitment::{SchemeKind, setups};
use aardvark_dictionary::{Genesis, GenesisError, Identity, NameError, Parameters};
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::{decode_array, encode};
use crate::report::{Report, Rows, counted};
use crate::stored_archive::create_at;

/// `aardvark init`
#[derive(Debug, Args)]
pub struct Init {
    /// Folder of the dictionary; it must not exist, or be empty. With --store one for what lies
    /// beside the store.
    pub dir: PathBuf,
    /// Make it in a store on object storage, file:///FOLDER or s3://BUCKET/PREFIX, in which there
    /// is no archive yet. Only with the feature object-storage.
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// The dictionary's name, which its id binds; by default the folder's.
    #[arg(long, value_name = "NAME", value_parser = dictionary_name)]
    pub name: Option<String>,
    /// 32 bytes that no other dictionary has, 0x and 64 digits; drawn at random by default. The
    /// same salt, with all else the same, makes the same dictionary again.
    #[arg(long, value_name = "HEX", value_parser = decode_array::<32>)]
    pub salt: Option<[u8; 32]>,
    /// Slots per vector, a power of two up to 4096.
    #[arg(long, value_name = "N", default_value = "1024")]
    pub vector_size: NonZeroU32,
    /// For how many versions a proof stays good.
    #[arg(long, value_name = "W", default_value_t = 10)]
    pub window: u32,
    /// How many versions before the latest stay readable, if more than the window.
    #[arg(long, value_name = "R")]
    pub retention: Option<u64>,
    /// Use the paper's Libert-Yung commitments on a setup whose secret is public: for comparisons
    /// only.
    #[arg(long)]
    pub insecure_libert_yung: bool,
}

/// Makes an empty dictionary.
///
/// # Errors
/// Parameters that are not legal, a folder that is not empty or cannot be written.
pub fn run(arguments: &Init) -> Result<Report, Failure> {
    let scheme = if arguments.insecure_libert_yung { SchemeKind::LibertYung } else { SchemeKind::Kzg };
    let parameters = Parameters {
        scheme,
        vector_size: arguments.vector_size.get(),
        window: arguments.window,
        ..Parameters::default()
    };
    let retention = arguments.retention.unwrap_or(0);
    let name = arguments.name.clone().map_or_else(|| folder_name(&arguments.dir), Ok)?;
    let salt = arguments.salt.map_or_else(random_salt, Ok)?;
    let genesis = empty_genesis(&name, salt, parameters)?;
    let archive = match &arguments.store {
        Some(url) => create_at(url, &arguments.dir, retention, &genesis)?,
        None => Archive::builder().retention(retention).create(&arguments.dir, &genesis)?,
    };
    Ok(report(&archive))
}

/// The name of a dictionary in this folder, unless another one is given.
fn folder_name(folder: &Path) -> Result<String, Failure> {
    let none = || Failure::NoName(folder.display().to_string());
    let whole = std::path::absolute(folder).map_err(|_| none())?;
    let name = whole.file_name().and_then(OsStr::to_str).ok_or_else(none)?;
    dictionary_name(name).map_err(|_| none())
}

/// A name that a dictionary can have.
fn dictionary_name(text: &str) -> Result<String, NameError> {
    Identity::new(text, [0; 32]).map(|identity| identity.name().to_owned())
}

/// Random bytes for a salt.
///
/// # Errors
/// A system that has none.
pub fn random_salt() -> Result<[u8; 32], Failure> {
    let mut salt = [0; 32];
    getrandom::fill(&mut salt).map_err(|error| Failure::Random(error.to_string()))?;
    Ok(salt)
}

/// The genesis of a dictionary without keys, on the published setup of its scheme.
///
/// # Errors
/// A name or parameters that are not legal.
pub fn empty_genesis(name: &str, salt: [u8; 32], parameters: Parameters) -> Result<Genesis, ArchiveError> {
    let identity = Identity::new(name, salt).map_err(GenesisError::from)?;
    parameters.check().map_err(GenesisError::Parameters)?;
    let setup_digest = setups::published_digest(parameters.scheme, parameters.vector_size)?;
    Ok(Genesis::new(identity, parameters, setup_digest, Vec::new())?)
}

fn report(archive: &Archive) -> Report {
    let parameters = archive.parameters();
    let id = encode(&archive.id().0);
    let rows = Rows::new()
        .row("name", archive.identity().name())
        .row("dictionary", id.clone())
        .row("scheme", parameters.scheme.name())
        .row("vectors of", counted(u64::from(parameters.vector_size), "slot", "slots"))
        .row("window", counted(u64::from(parameters.window), "version", "versions"))
        .row("retention", counted(archive.retention(), "version", "versions"));
    let rows = match parameters.scheme {
        SchemeKind::Kzg => rows,
        SchemeKind::LibertYung => rows.row("warning", "the secret of this setup is public: anyone can forge proofs"),
    };
    let json = json!({
        "name": archive.identity().name(),
        "dictionary": id,
        "scheme": parameters.scheme.name(),
        "vector_size": parameters.vector_size,
        "window": parameters.window,
        "retention": archive.retention(),
        "version": archive.version(),
    });
    Report::done(rows.to_text(), json)
}
