//! A signer's key as a file that only its owner can read.
//!
//! ```json
//! { "format": 1, "kind": "ed25519", "public_key": "0x…", "secret_key": "0x…" }
//! ```
//!
//! PKCS#8 in PEM is read as well, as `openssl genpkey -algorithm ed25519` writes it, and so is
//! PKCS#8 that is encrypted with a password (PBES2): `openssl pkcs8 -topk8` writes that, and
//! [`KeyFile::create_encrypted`], by scrypt and AES-256.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use aardvark_chain::account_key;
use aardvark_dictionary::Key;
use aardvark_proof::hex_text::HexArray;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, KeypairBytes};
use pkcs8::EncodePrivateKey as _;
use pkcs8::der::pem::LineEnding;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

const FORMAT: u64 = 1;
const KIND: &str = "ed25519";
/// Most bytes of the file.
const LARGEST: u64 = 4096;
/// What files in PEM begin with.
const PEM: &[u8] = b"-----BEGIN";
/// What encrypted ones begin with.
const ENCRYPTED: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----";

/// Asked for the password of a key's file, where it is encrypted.
pub type AskPassword<'a> = &'a dyn Fn(&Path) -> Result<Zeroizing<String>, KeyFileError>;

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
    /// The key is encrypted, and there is no password.
    #[error("{0}: the key is encrypted: {1}")]
    Locked(String, String),
    /// The password is another, or the file was changed.
    #[error("{0}: the password is not this key's")]
    Password(String),
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
        let key = Self::generate()?;
        let json = KeyJson {
            format: FORMAT,
            kind: KIND.to_owned(),
            public_key: HexArray(key.public_key()),
            secret_key: HexArray(key.0.to_bytes()),
        };
        let failed = |error: serde_json::Error| KeyFileError::File(path.display().to_string(), error.into());
        write_new(path, &serde_json::to_string_pretty(&json).map_err(failed)?)?;
        Ok(key)
    }

    /// A key from the system's randomness, in no file.
    ///
    /// # Errors
    /// [`KeyFileError::Random`].
    pub fn generate() -> Result<Self, KeyFileError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| KeyFileError::Random(error.to_string()))?;
        Ok(Self(SigningKey::from_bytes(&secret)))
    }

    /// Writes the key, encrypted with a password, to a file that must not be there yet. Its public
    /// half is not in it: openssl 3 does not read PKCS#8 of version 2, which that would be.
    ///
    /// # Errors
    /// [`KeyFileError::File`], [`KeyFileError::Random`].
    pub fn create_encrypted(&self, path: &Path, password: &str) -> Result<(), KeyFileError> {
        let key = KeypairBytes { secret_key: self.0.to_bytes(), public_key: None };
        let pem = key.to_pkcs8_encrypted_pem(password, LineEnding::LF);
        write_new(path, pem.map_err(|error| KeyFileError::Random(error.to_string()))?.trim_end())
    }

    /// Reads a key, in the format above or in PEM; an encrypted one is refused.
    ///
    /// # Errors
    /// [`KeyFileError`]; a file that others may read is refused.
    pub fn load(path: &Path) -> Result<Self, KeyFileError> {
        let nobody = |path: &Path| {
            Err(KeyFileError::Locked(path.display().to_string(), "there is nobody to ask for its password".to_owned()))
        };
        Self::unlock(path, &nobody)
    }

    /// Reads a key; `ask` is asked for its password where it is encrypted.
    ///
    /// # Errors
    /// [`KeyFileError`]; a file that others may read is refused, encrypted or not.
    pub fn unlock(path: &Path, ask: AskPassword<'_>) -> Result<Self, KeyFileError> {
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
        let mut text = Zeroizing::new(Vec::new());
        file.take(LARGEST).read_to_end(&mut text).map_err(|error| KeyFileError::File(name(), error))?;
        let malformed = |reason: String| KeyFileError::Malformed(name(), reason);
        if text.trim_ascii_start().starts_with(PEM) {
            let pem = std::str::from_utf8(&text).map_err(|error| malformed(error.to_string()))?.trim();
            if pem.starts_with(ENCRYPTED) {
                return of_encrypted_pem(pem, &ask(path)?, name()).map(Self);
            }
            let key = SigningKey::from_pkcs8_pem(pem);
            return key.map(Self).map_err(|error| malformed(format!("not an Ed25519 key in PKCS#8: {error}")));
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

/// An Ed25519 key as PKCS#8 in PEM, encrypted.
fn of_encrypted_pem(pem: &str, password: &str, name: String) -> Result<SigningKey, KeyFileError> {
    use pkcs8::{EncryptedPrivateKeyInfoRef, PrivateKeyInfoRef, SecretDocument};
    let malformed =
        |error: pkcs8::Error| KeyFileError::Malformed(name.clone(), format!("not an encrypted key in PKCS#8: {error}"));
    let (_, document) = SecretDocument::from_pem(pem).map_err(|error| malformed(error.into()))?;
    let encrypted = EncryptedPrivateKeyInfoRef::try_from(document.as_bytes()).map_err(malformed)?;
    // What a wrong password gives is no key, by its padding or by its form.
    let wrong = || KeyFileError::Password(name.clone());
    let decrypted = encrypted.decrypt(password).map_err(|_| wrong())?;
    PrivateKeyInfoRef::try_from(decrypted.as_bytes()).map_err(|_| wrong())?;
    let key = SigningKey::from_pkcs8_der(decrypted.as_bytes());
    key.map_err(|error| KeyFileError::Malformed(name, format!("not an Ed25519 key in PKCS#8: {error}")))
}

/// Writes a file that must not be there yet, for its owner's eyes only.
fn write_new(path: &Path, text: &str) -> Result<(), KeyFileError> {
    let failed = |error: io::Error| KeyFileError::File(path.display().to_string(), error);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(failed)?;
    writeln!(file, "{text}").and_then(|()| file.sync_all()).map_err(failed)
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
        // Another algorithm's identifier, a label that is none, a body that is cut.
        assert!(refusal(pem.replace("MFECAQEwBQYDK2Vw", "MFECAQEwBQYDK2Vx")).contains("PKCS#8"));
        assert!(refusal(pem.replace("PRIVATE", "PUBLIC")).contains("PKCS#8"));
        assert!(refusal(pem[..pem.len() / 2].to_owned()).contains("PKCS#8"));
    }

    #[test]
    fn an_encrypted_key_opens_with_its_password_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key.pem");
        let key = KeyFile::generate().unwrap();
        key.create_encrypted(&path, "correct horse").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(ENCRYPTED) && !text.contains(&hex::encode(key.0.to_bytes())));
        assert!(matches!(key.create_encrypted(&path, "again"), Err(KeyFileError::File(..))));
        let with = |password: &'static str| move |_: &Path| Ok(Zeroizing::new(password.to_owned()));
        assert_eq!(KeyFile::unlock(&path, &with("correct horse")).unwrap().public_key(), key.public_key());
        assert!(matches!(KeyFile::unlock(&path, &with("correct hors")), Err(KeyFileError::Password(_))));
        assert!(matches!(KeyFile::load(&path), Err(KeyFileError::Locked(..))));
        std::fs::write(&path, &text[..text.len() / 2]).unwrap();
        assert!(matches!(KeyFile::unlock(&path, &with("correct horse")), Err(KeyFileError::Malformed(..))));
    }

    #[test]
    fn an_encrypted_key_that_has_its_public_half_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key.pem");
        let key = KeyFile::generate().unwrap();
        let pem = key.0.to_pkcs8_encrypted_pem("aardvark", LineEnding::LF).unwrap();
        write_new(&path, &pem).unwrap();
        let ask = |_: &Path| Ok(Zeroizing::new("aardvark".to_owned()));
        assert_eq!(KeyFile::unlock(&path, &ask).unwrap().public_key(), key.public_key());
    }

    /// What `openssl genpkey -algorithm ed25519 -aes-256-cbc -pass pass:aardvark` wrote once.
    const OPENSSL: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh9HfPve6HPNQICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKSzT+iGESFt7I5CvGc0I2UEQPw7
91un/fu8g3vPO4g9ZscOkPoCVktQCAOdENJlp/R1MiTQZzqDHmDwOk7Ovyeezd2k
XtN2A/HTaFr0mjhLNzk=
-----END ENCRYPTED PRIVATE KEY-----
";
    /// Its public key, as `openssl pkey -pubout` says.
    const OPENSSL_PUBLIC: &str = "f6be6b6a70157de7adbbb388f229630c1af3d607eb13582cda636a0b356b857f";

    #[test]
    fn a_key_that_openssl_encrypted_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key.pem");
        std::fs::write(&path, OPENSSL).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        let key = KeyFile::unlock(&path, &|_| Ok(Zeroizing::new("aardvark".to_owned()))).unwrap();
        assert_eq!(hex::encode(key.public_key()), OPENSSL_PUBLIC);
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
