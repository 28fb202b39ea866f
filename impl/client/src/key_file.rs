//! A signer's key as a file that only its owner can read.
//!
//! ```json
//! { "format": 1, "kind": "ed25519", "public_key": "0x…", "secret_key": "0x…" }
//! ```
//!
//! PKCS#8 in PEM is read as well, as `openssl genpkey -algorithm ed25519` writes it.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use aardvark_chain::account_key;
use aardvark_dictionary::Key;
use aardvark_proof::hex_text::HexArray;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use serde::{Deserialize, Serialize};

const FORMAT: u64 = 1;
const KIND: &str = "ed25519";
/// Most bytes of the file.
const LARGEST: u64 = 4096;
/// What files in PEM begin with.
const PEM: &[u8] = b"-----BEGIN";

/// A key for signing transactions.
#[derive(Clone)]
pub struct KeyFile(SigningKey);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The system says no.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// Others may read it.
    #[error("{0}: others may read it (mode {1:o}); chmod 600 it, and make a new key if anybody did")]
    Exposed(String, u32),
    /// Not a key file.
    #[error("{0}: {1}")]
    Malformed(String, String),
    /// The system has no randomness.
    #[error("no randomness: {0}")]
    Random(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyJson {
    format: u64,
    kind: String,
    public_key: HexArray<32>,
    secret_key: HexArray<32>,
}

impl KeyFile {
    /// Makes a key and its file, which must not be there yet, for its owner's eyes only.
    ///
    /// # Errors
    /// [`KeyFileError::File`], [`KeyFileError::Random`].
    pub fn create(path: &Path) -> Result<Self, KeyFileError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| KeyFileError::Random(error.to_string()))?;
        let key = Self(SigningKey::from_bytes(&secret));
        let json = KeyJson {
            format: FORMAT,
            kind: KIND.to_owned(),
            public_key: HexArray(key.public_key()),
            secret_key: HexArray(secret),
        };
        let failed = |error: io::Error| KeyFileError::File(path.display().to_string(), error);
        let text = serde_json::to_string_pretty(&json).map_err(|error| failed(error.into()))?;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(failed)?;
        writeln!(file, "{text}").and_then(|()| file.sync_all()).map_err(failed)?;
        Ok(key)
    }

    /// Reads a key, in the format above or in PEM.
    ///
    /// # Errors
    /// [`KeyFileError`]; a file that others may read is refused.
    pub fn load(path: &Path) -> Result<Self, KeyFileError> {
        let name = || path.display().to_string();
        let file = std::fs::File::open(path).map_err(|error| KeyFileError::File(name(), error))?;
        #[cfg(unix)]
        {
            let metadata = file.metadata().map_err(|error| KeyFileError::File(name(), error))?;
            let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777;
            if mode & 0o077 != 0 {
                return Err(KeyFileError::Exposed(name(), mode));
            }
        }
        let mut text = Vec::new();
        file.take(LARGEST).read_to_end(&mut text).map_err(|error| KeyFileError::File(name(), error))?;
        let malformed = |reason: String| KeyFileError::Malformed(name(), reason);
        if text.trim_ascii_start().starts_with(PEM) {
            return of_pem(&text).map(Self).map_err(malformed);
        }
        let json: KeyJson = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
        if json.format != FORMAT || json.kind != KIND {
            return Err(malformed(format!("format {}, kind {:?}", json.format, json.kind)));
        }
        let key = Self(SigningKey::from_bytes(&json.secret_key.0));
        if key.public_key() != json.public_key.0 {
            return Err(malformed("the public key is not that of the secret key".to_owned()));
        }
        Ok(key)
    }

    /// A key of known bytes, as load generators and tests make many.
    pub fn from_secret(secret: [u8; 32]) -> Self {
        Self(SigningKey::from_bytes(&secret))
    }

    /// The public key.
    pub fn public_key(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    /// The account that it owns under the policy `accounts`.
    pub fn account(&self) -> Key {
        account_key(&self.public_key())
    }

    /// What signs.
    pub fn signing_key(&self) -> &SigningKey {
        &self.0
    }
}

/// An Ed25519 key as PKCS#8 in PEM.
fn of_pem(text: &[u8]) -> Result<SigningKey, String> {
    let text = String::from_utf8_lossy(text);
    if text.contains("ENCRYPTED") {
        return Err("the key is encrypted; `openssl pkey` writes it without a passphrase".to_owned());
    }
    SigningKey::from_pkcs8_pem(text.trim()).map_err(|error| format!("not an Ed25519 key in PKCS#8: {error}"))
}

impl std::fmt::Debug for KeyFile {
    /// Never the secret.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "KeyFile({})", hex::encode(self.public_key()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_its_file_which_is_made_once_and_for_its_owner_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key.json");
        let key = KeyFile::create(&path).unwrap();
        let loaded = KeyFile::load(&path).unwrap();
        assert_eq!((loaded.public_key(), loaded.account().len()), (key.public_key(), 32));
        assert!(
            matches!(KeyFile::create(&path), Err(KeyFileError::File(_, error)) if error.kind() == io::ErrorKind::AlreadyExists)
        );
        let other = KeyFile::create(&directory.path().join("other.json")).unwrap();
        assert_ne!(other.public_key(), key.public_key());
        let secret = hex::encode(key.0.to_bytes());
        assert!(std::fs::read_to_string(&path).unwrap().contains(&secret) && !format!("{key:?}").contains(&secret));
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key.json");
        KeyFile::create(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(KeyFile::load(&path), Err(KeyFileError::Exposed(_, 0o640))));
    }

    #[test]
    fn a_key_in_pem_is_read_and_others_than_ed25519_s_are_refused() {
        use ed25519_dalek::pkcs8::EncodePrivateKey as _;
        use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key.pem");
        let key = KeyFile::create(&path).unwrap();
        let pem = key.signing_key().to_pkcs8_pem(LineEnding::LF).unwrap();
        std::fs::write(&path, format!("\n{}", *pem)).unwrap();
        assert_eq!(KeyFile::load(&path).unwrap().public_key(), key.public_key());
        let refusal = |text: String| {
            std::fs::write(&path, text).unwrap();
            KeyFile::load(&path).unwrap_err().to_string()
        };
        assert!(refusal(pem.replace("PRIVATE", "ENCRYPTED PRIVATE")).contains("openssl pkey"));
        // Another algorithm's identifier, a label that is none, a body that is cut.
        assert!(refusal(pem.replace("MFECAQEwBQYDK2Vw", "MFECAQEwBQYDK2Vx")).contains("PKCS#8"));
        assert!(refusal(pem.replace("PRIVATE", "PUBLIC")).contains("PKCS#8"));
        assert!(refusal(pem[..pem.len() / 2].to_owned()).contains("PKCS#8"));
    }

    #[test]
    fn files_of_another_form_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key.json");
        KeyFile::create(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for (from, to) in [
            ("\"format\": 1", "\"format\": 2"),
            ("ed25519", "rsa"),
            ("\"public_key\": \"0x", "\"public_key\": \"0x00"),
            ("}", ""),
        ] {
            std::fs::write(&path, text.replace(from, to)).unwrap();
            assert!(matches!(KeyFile::load(&path), Err(KeyFileError::Malformed(..))), "{from}");
        }
        let other = KeyFile::from_secret([1; 32]).public_key();
        let public = hex::encode(KeyFile::create(&directory.path().join("b.json")).unwrap().public_key());
        let swapped =
            std::fs::read_to_string(directory.path().join("b.json")).unwrap().replace(&public, &hex::encode(other));
        std::fs::write(&path, swapped).unwrap();
        assert!(
            matches!(KeyFile::load(&path), Err(KeyFileError::Malformed(_, reason)) if reason.contains("public key"))
        );
    }
}
