//! Passwords of encrypted keys: from a file that the environment names, or typed at a terminal.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

use aardvark_client::{KeyFile, KeyFileError};
use zeroize::Zeroizing;

/// Names a file whose first line is the password.
pub const VARIABLE: &str = "AARDVARK_KEY_PASSWORD_FILE";
/// Most bytes of that file.
const LARGEST: u64 = 4096;

/// Reads a key's file, with its password where it is encrypted.
///
/// # Errors
/// [`KeyFileError`].
pub fn load(path: &Path) -> Result<KeyFile, KeyFileError> {
    KeyFile::unlock(path, &|path| password(path, &format!("password of {}: ", path.display())))
}

/// The password for a key that is to be encrypted; at a terminal it is typed twice.
///
/// # Errors
/// [`KeyFileError::Locked`] where there is none, an empty one, or two that differ.
pub fn new_password(path: &Path) -> Result<Zeroizing<String>, KeyFileError> {
    let refused = |why: &str| KeyFileError::Locked(path.display().to_string(), why.to_owned());
    let first = password(path, &format!("new password for {}: ", path.display()))?;
    if first.is_empty() {
        return Err(refused("an empty password keeps nobody out"));
    }
    if std::env::var_os(VARIABLE).is_none() && *password(path, "once more: ")? != *first {
        return Err(refused("the two passwords differ"));
    }
    Ok(first)
}

fn password(path: &Path, prompt: &str) -> Result<Zeroizing<String>, KeyFileError> {
    let name = || path.display().to_string();
    if let Some(file) = std::env::var_os(VARIABLE) {
        return first_line(Path::new(&file));
    }
    if !io::stdin().is_terminal() {
        let why = format!("{VARIABLE} names no file with its password, and there is no terminal to ask at");
        return Err(KeyFileError::Locked(name(), why));
    }
    let typed = rpassword::prompt_password(prompt);
    typed.map(Zeroizing::new).map_err(|error| KeyFileError::Locked(name(), error.to_string()))
}

/// The first line of a file that nobody else may read; a pipe is nobody else's.
fn first_line(path: &Path) -> Result<Zeroizing<String>, KeyFileError> {
    let failed = |error: io::Error| KeyFileError::File(path.display().to_string(), error);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777;
    if metadata.is_file() && mode & 0o077 != 0 {
        return Err(KeyFileError::Exposed(path.display().to_string(), mode));
    }
    let mut text = Zeroizing::new(String::new());
    file.take(LARGEST).read_to_string(&mut text).map_err(failed)?;
    Ok(Zeroizing::new(text.lines().next().unwrap_or_default().to_owned()))
}
