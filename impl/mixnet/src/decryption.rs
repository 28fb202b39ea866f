//! Decryption shares as posts.

use aardvark_sigma::threshold::Decryption;

use crate::body::{Part, Writer, read};
use crate::fault::{Fault, FaultKind};

/// The post's body: list D; list T; z for each key.
pub fn encode(decryption: &Decryption) -> Vec<u8> {
    Writer::default().list(&decryption.shares).list(&decryption.first).scalars(&decryption.responses).finish()
}

/// The shares of a server of so many rows under so many keys.
pub fn decode(bytes: &[u8], rows: usize, keys: usize, server: u16) -> Result<Decryption, Fault> {
    let wrong = || Fault::of_server(FaultKind::WrongLength, server);
    let parts = [Part::List(rows, keys), Part::List(2 * keys, 1), Part::Scalars(keys)];
    let (lists, scalars) = read(bytes, &parts, server)?;
    let [shares, first]: [_; 2] = lists.try_into().map_err(|_| wrong())?;
    let [responses]: [_; 1] = scalars.try_into().map_err(|_| wrong())?;
    Ok(Decryption { shares, first, responses })
}
