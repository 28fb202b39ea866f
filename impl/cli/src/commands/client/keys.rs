//! `aardvark client keygen`, `aardvark client account`

use aardvark_client::KeyFile;
use serde_json::json;

use crate::commands::client::args::{Account, Keygen};
use crate::commands::client::failure::ClientFailure;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_password::{load, new_password};
use crate::report::{Report, Rows};

/// Makes a key, or encrypts one.
///
/// # Errors
/// A file that is there already; no password where one is needed.
pub fn keygen(arguments: &Keygen) -> Result<Report, Failure> {
    let Keygen { file, encrypted, from } = arguments;
    let made = || {
        if !encrypted {
            return KeyFile::create(file);
        }
        let key = from.as_ref().map_or_else(KeyFile::generate, |from| load(from))?;
        key.create_encrypted(file, &new_password(file)?)?;
        Ok(key)
    };
    Ok(report(&made().map_err(ClientFailure::from)?))
}

/// Shows a key, but for its secret.
///
/// # Errors
/// No key file.
pub fn account(arguments: &Account) -> Result<Report, Failure> {
    let key = load(&arguments.file).map_err(ClientFailure::from)?;
    Ok(report(&key))
}

fn report(key: &KeyFile) -> Report {
    let (public, account) = (encode(&key.public_key()), encode(&key.account()));
    let rows = Rows::new().row("public key", &public).row("account", &account);
    Report::done(rows.to_text(), json!({ "result": "holds", "public_key": public, "account": account }))
}
