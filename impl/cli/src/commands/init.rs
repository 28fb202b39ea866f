//! `aardvark init DIR`

use aardvark_archive::{Archive, ArchiveError, CreateOptions, published_setup_digest};
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Genesis, GenesisError, Parameters};
use serde_json::json;

use crate::args::Init;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows, counted};

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
    let options = CreateOptions { retention: arguments.retention.unwrap_or(0) };
    let archive = Archive::create(&arguments.dir, &empty_genesis(parameters)?, &options)?;
    Ok(report(&archive))
}

/// The genesis of a dictionary without keys, on the published setup of its scheme.
///
/// # Errors
/// Parameters that are not legal.
pub fn empty_genesis(parameters: Parameters) -> Result<Genesis, ArchiveError> {
    parameters.check().map_err(GenesisError::Parameters)?;
    let setup_digest = published_setup_digest(parameters.scheme, parameters.vector_size)?;
    Ok(Genesis::new(parameters, setup_digest, Vec::new())?)
}

fn report(archive: &Archive) -> Report {
    let parameters = archive.parameters();
    let id = encode(&archive.id().0);
    let rows = Rows::new()
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
        "dictionary": id,
        "scheme": parameters.scheme.name(),
        "vector_size": parameters.vector_size,
        "window": parameters.window,
        "retention": archive.retention(),
        "version": archive.version(),
    });
    Report::done(rows.to_text(), json)
}
