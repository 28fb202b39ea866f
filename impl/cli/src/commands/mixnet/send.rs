//! `aardvark mixnet send`

use aardvark_board::summary::shown;
use aardvark_mixnet::chunks::{numbers, points};
use aardvark_mixnet::input::encrypt;
use aardvark_mixnet::{KeyRow, Kind};
use serde_json::json;

use crate::commands::mixnet::args::Send;
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::mixnet::{key_file, state};
use crate::failure::Failure;
use crate::hex_text::decode;
use crate::report::{Report, Rows};

/// A value as it is typed: 0x and digits, a number where values have two bytes, else text.
pub fn value(text: &str, value_bytes: u8) -> Result<Vec<u8>, MixnetFailure> {
    let malformed = |why: String| MixnetFailure::Malformed(format!("{text}: {why}"));
    match (text.starts_with("0x"), value_bytes) {
        (true, _) => decode(text).map_err(|error| malformed(error.to_string())),
        (false, 2) => {
            let number: u16 = text.parse().map_err(|_| malformed("not a number from 0 to 65535".to_owned()))?;
            Ok(number.to_be_bytes().to_vec())
        }
        (false, _) => Ok(text.as_bytes().to_vec()),
    }
}

/// Encrypts a value and posts it.
pub fn send(arguments: &Send) -> Result<Report, Failure> {
    let identity = key_file::load(&arguments.key)?;
    let (board, view) = state::view(&arguments.at)?;
    let not_open = || MixnetFailure::NotThere("the ceremony takes no inputs now".to_owned());
    let keys = view.keys.as_ref().filter(|_| view.stage == aardvark_mixnet::Stage::Open).ok_or_else(not_open)?;
    let unknown = || MixnetFailure::Malformed("this key is not registered as a sender".to_owned());
    let sender = view.ceremony.sender(&identity.author()).ok_or_else(unknown)?;
    let value = value(&arguments.value, view.ceremony.value_bytes)?;
    let numbers = numbers(&value, view.ceremony.value_bytes.into())
        .map_err(|error| MixnetFailure::Malformed(error.to_string()))?;
    let row = KeyRow::new(keys.value_keys(), 1);
    let body = encrypt(&keys.digest, &row, sender, &points(&numbers), identity.seed()).0;
    let key = view.name.key(Kind::Input, None, 0, identity.author());
    state::post(&board, &view, key, body, &identity)?;
    let rows = Rows::new().row("sent", shown(&value, view.ceremony.value_bytes)).row("label", &sender.label);
    Ok(Report::done(rows.to_text(), json!({ "result": "holds", "label": sender.label })))
}
