//! A key of the mixnet as a file that only its owner can read: one seed, from which everything of a
//! server, sender, querier or organiser follows.
//!
//! ```json
//! { "format": 1, "kind": "mixnet", "public": "0x…", "seed": "0x…" }
//! ```

use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use aardvark_mixnet::Identity;
use aardvark_mixnet::identity::PublicIdentity;
use serde::{Deserialize, Serialize};

use crate::commands::init::random_salt;
use crate::commands::mixnet::failure::MixnetFailure;
use crate::failure::Failure;
use crate::hex_text::{HexArray, HexBytes, decode};

const FORMAT: u64 = 1;
const KIND: &str = "mixnet";
/// Most bytes of the file.
const LARGEST: u64 = 4096;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyJson {
    format: u64,
    kind: String,
    public: HexBytes,
    seed: HexArray<32>,
}

fn system(path: &Path, error: std::io::Error) -> MixnetFailure {
    MixnetFailure::System(path.display().to_string(), error)
}

/// Makes a key and its file, which must not be there yet, for its owner's eyes only.
pub fn create(path: &Path) -> Result<Identity, Failure> {
    let seed = random_salt()?;
    let identity = Identity::new(seed);
    let json = KeyJson {
        format: FORMAT,
        kind: KIND.to_owned(),
        public: HexBytes(identity.public().to_bytes()),
        seed: HexArray(seed),
    };
    let text = serde_json::to_string_pretty(&json).map_err(|error| system(path, error.into()))?;
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let written = file.and_then(|mut file| writeln!(file, "{text}").and_then(|()| file.sync_all()));
    written.map_err(|error| system(path, error))?;
    Ok(identity)
}

/// Reads a key; a file that others may read is refused.
pub fn load(path: &Path) -> Result<Identity, MixnetFailure> {
    let malformed = |why: &str| MixnetFailure::Malformed(format!("{}: {why}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| malformed(&error.to_string()))?;
    let mode = file.metadata().map_err(|error| system(path, error))?.mode();
    if mode & 0o077 != 0 {
        return Err(malformed("others may read it; chmod 600 it, and make a new key if anybody did"));
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(|error| system(path, error))?;
    let json: KeyJson = serde_json::from_str(&text).map_err(|error| malformed(&error.to_string()))?;
    let identity = Identity::new(json.seed.0);
    if json.format != FORMAT || json.kind != KIND || json.public.0 != identity.public().to_bytes() {
        return Err(malformed("not a key of the mixnet"));
    }
    Ok(identity)
}

/// The public half on a command line: 0x and 576 digits.
pub fn public(text: &str) -> Result<PublicIdentity, String> {
    let bytes = decode(text).map_err(|error| error.to_string())?;
    PublicIdentity::from_bytes(&bytes).map_err(|error| error.to_string())
}

/// The Ed25519 key alone: 0x and 64 digits, or what begins with it.
pub fn author(text: &str) -> Result<[u8; 32], String> {
    let bytes = decode(text).map_err(|error| error.to_string())?;
    bytes.first_chunk().copied().ok_or_else(|| "a key has 32 bytes".to_owned())
}
