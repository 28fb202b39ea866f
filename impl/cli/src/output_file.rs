//! Files that commands write: whole, or not at all.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cleanup;
use crate::failure::Failure;
use crate::input::STANDARD_INPUT;
use crate::print;

/// Most links from a name to its file.
const MOST_LINKS: usize = 40;

/// The file that was asked for, or `None` where that is standard output, by the name `-` or one of
/// the system's.
pub fn asked(path: Option<&PathBuf>) -> Option<&Path> {
    path.map(PathBuf::as_path).filter(|path| !is_standard_output(path))
}

fn is_standard_output(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT) || resolved(path).is_ok_and(|file| open_file(&file) == Some(1))
}

/// Writes `text` and a line break to `path`. A regular file is replaced in one step, so that
/// neither a full disk nor an interruption leaves half a proof behind; its mode and owner stay.
/// Links are followed. Devices and pipes are written to as they are.
///
/// # Errors
/// What the operating system says, with the file's name.
pub fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    write(path, text).map_err(|source| Failure::Output { name: path.display().to_string(), source })
}

/// Writes what `make` gives, of any length, to `path`: a regular file is there whole when that has
/// succeeded, and not before. Standard output and devices are written to as it comes.
///
/// # Errors
/// What `make` says; what the operating system says, with the file's name.
pub fn write_bytes<T>(path: &Path, make: impl FnOnce(&mut dyn Write) -> Result<T, Failure>) -> Result<T, Failure> {
    write_with(path, usual_permissions(), make)
}

/// [`write_bytes`] of what is secret: only its owner may read the file, also where another one
/// stood in its place.
///
/// # Errors
/// As there.
pub fn write_secret<T>(path: &Path, make: impl FnOnce(&mut dyn Write) -> Result<T, Failure>) -> Result<T, Failure> {
    write_with(path, None, make)
}

fn write_with<T>(
    path: &Path,
    permissions: Option<Permissions>,
    make: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let failed = |source| Failure::Output { name: path.display().to_string(), source };
    if is_standard_output(path) {
        let mut out = io::stdout().lock();
        let made = make(&mut out)?;
        return out.flush().map(|()| made).map_err(failed);
    }
    let file = resolved(path).map_err(failed)?;
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        let mut out = OpenOptions::new().write(true).open(&file).map_err(failed)?;
        return make(&mut out);
    }
    let (mut temporary, _guard) = cleanup::temporary_file(folder_of(&file), permissions).map_err(failed)?;
    let made = make(temporary.as_file_mut())?;
    put_in_place(temporary, &file).map_err(failed)?;
    Ok(made)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let file = resolved(path)?;
    match open_file(&file) {
        Some(1) => return print::script(text),
        Some(_) => return write_line(&mut OpenOptions::new().append(true).open(&file)?, text),
        None => {}
    }
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => replace(&file, &metadata, text),
        Ok(_) => write_line(&mut OpenOptions::new().write(true).open(&file)?, text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let (mut temporary, _guard) = cleanup::temporary_file(folder_of(&file), usual_permissions())?;
            write_line(temporary.as_file_mut(), text)?;
            put_in_place(temporary, &file)
        }
        Err(error) => Err(error),
    }
}

/// The file that a name leads to through links; it need not be there.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        // What the links of open files say is no path: "pipe:[4711]".
        match fs::read_link(&path) {
            Ok(target) if open_file(&path).is_none() => path = folder_of(&path).join(target),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The number of the open file that a name of the system stands for: `/dev/fd/3`,
/// `/proc/self/fd/1`.
fn open_file(path: &Path) -> Option<u32> {
    let is_open = path.starts_with("/dev/fd") || (path.starts_with("/proc") && folder_of(path).ends_with("fd"));
    is_open.then(|| path.file_name()?.to_str()?.parse().ok()).flatten()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Replaces a file by one of its mode and owner; where that cannot be, or the file has other names
/// that would keep the old text, it is written as it is.
fn replace(path: &Path, old: &Metadata, text: &str) -> io::Result<()> {
    // Whoever may not write to the file may not replace it either.
    let mut file = OpenOptions::new().write(true).open(path)?;
    match like(path, old) {
        Some((mut temporary, _guard)) => {
            write_line(temporary.as_file_mut(), text)?;
            put_in_place(temporary, path)
        }
        None => {
            file.set_len(0)?;
            write_line(&mut file, text)?;
            file.sync_all()
        }
    }
}

/// A temporary file beside another, with its mode and owner.
fn like(path: &Path, old: &Metadata) -> Option<(tempfile::NamedTempFile, cleanup::Guard)> {
    if has_other_names(old) {
        return None;
    }
    let (temporary, guard) = cleanup::temporary_file(folder_of(path), None).ok()?;
    give_owner(temporary.as_file(), old).ok()?;
    temporary.as_file().set_permissions(old.permissions()).ok()?;
    Some((temporary, guard))
}

fn put_in_place(temporary: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

fn write_line(file: &mut impl Write, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.flush()
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(unix)]
fn give_owner(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    match (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        true => Ok(()),
        false => fchown(file, Some(old.uid()), Some(old.gid())),
    }
}

/// What a new file may do, before the user's mask; temporary files are private by default.
#[cfg(unix)]
fn usual_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn has_other_names(_metadata: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn give_owner(_file: &File, _old: &Metadata) -> io::Result<()> {
    Ok(())
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
        fs::write(&path, "a much longer text that was there before").unwrap();
        write_file(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
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

    #[test]
    #[cfg(unix)]
    fn what_is_secret_is_readable_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        fs::write(&path, "of everybody").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        for _ in 0..2 {
            write_secret(&path, |out| out.write_all(b"rows").map_err(|_| unreachable!())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "rows");
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    #[cfg(unix)]
    fn links_are_written_through_and_the_file_keeps_its_mode_and_its_other_names() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mode = |name: &str| path(name).metadata().unwrap().mode() & 0o7777;
        fs::create_dir(path("elsewhere")).unwrap();
        fs::write(path("elsewhere/real"), "old").unwrap();
        fs::set_permissions(path("elsewhere/real"), Permissions::from_mode(0o640)).unwrap();
        symlink("elsewhere/real", path("second")).unwrap();
        symlink("second", path("first")).unwrap();
        write_file(&path("first"), "new").unwrap();
        assert_eq!(fs::read_to_string(path("elsewhere/real")).unwrap(), "new\n");
        assert_eq!(mode("elsewhere/real"), 0o640);
        assert!(path("first").is_symlink() && path("second").is_symlink());

        symlink("elsewhere/later", path("dangling")).unwrap();
        write_file(&path("dangling"), "new").unwrap();
        assert!(path("dangling").is_symlink() && path("elsewhere/later").is_file());

        fs::hard_link(path("elsewhere/real"), path("other")).unwrap();
        write_file(&path("other"), "newer").unwrap();
        assert_eq!(fs::read_to_string(path("elsewhere/real")).unwrap(), "newer\n");

        symlink("circle", path("circle")).unwrap();
        assert!(write_file(&path("circle"), "new").unwrap_err().to_string().contains("symbolic links"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
        assert_eq!(fs::read_dir(path("elsewhere")).unwrap().count(), 2);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_s_names_of_standard_output_stand_for_it() {
        for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            assert_eq!(asked(Some(&PathBuf::from(name))), None, "{name}");
        }
        assert_eq!(asked(Some(&PathBuf::from("/dev/null"))), Some(Path::new("/dev/null")));
        assert_eq!(asked(None), None);
    }
}
