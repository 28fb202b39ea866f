//! `aardvark client keygen`, `aardvark client account`

use aardvark_client::KeyFile;
use serde_json::json;

use crate::commands::client::args::Keygen;
use crate::commands::client::failure::ClientFailure;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows};

/// Makes a key.
///
/// # Errors
/// A file that is there already.
pub fn keygen(arguments: &Keygen) -> Result<Report, Failure> {
    let key = KeyFile::create(&arguments.file).map_err(ClientFailure::from)?;
    Ok(report(&key))
}

/// Shows a key, but for its secret.
///
/// # Errors
/// No key file.
pub fn account(arguments: &Keygen) -> Result<Report, Failure> {
    let key = KeyFile::load(&arguments.file).map_err(ClientFailure::from)?;
    Ok(report(&key))
}

fn report(key: &KeyFile) -> Report {
    let (public, account) = (encode(&key.public_key()), encode(&key.account()));
    let rows = Rows::new().row("public key", &public).row("account", &account);
    Report::done(rows.to_text(), json!({ "result": "holds", "public_key": public, "account": account }))
}
