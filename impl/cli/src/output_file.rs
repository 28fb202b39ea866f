//! Files that commands write: whole, or not at all.

use std::fs::{OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes `text` and a line break to `path`. A regular file is replaced in one step, so that neither a full disk nor an
/// interruption leaves half a proof behind; devices and pipes are written to as they are.
///
/// # Errors
/// What the operating system says, with the file's name.
pub fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let written = if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        OpenOptions::new().write(true).open(path).and_then(|mut file| write_line(&mut file, text))
    } else {
        replace(path, text)
    };
    written.map_err(|source| Failure::Output { name: path.display().to_string(), source })
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    if let Some(permissions) = usual_permissions() {
        builder.permissions(permissions);
    }
    let mut file = builder.prefix(".aardvark-").tempfile_in(folder)?;
    write_line(file.as_file_mut(), text)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn write_line(file: &mut impl Write, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.flush()
}

/// What a new file may do, before the user's mask; temporary files are private by default.
#[cfg(unix)]
fn usual_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proof.json");
        std::fs::write(&path, "a much longer text that was there before").unwrap();
        write_file(&path, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_and_a_device_that_is_full_are_errors_with_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("proof.json");
        assert!(write_file(&path, "new").unwrap_err().to_string().contains("missing"));
        if Path::new("/dev/full").exists() {
            assert!(write_file(Path::new("/dev/full"), "new").unwrap_err().to_string().starts_with("/dev/full: "));
        }
    }
}
