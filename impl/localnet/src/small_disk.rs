//! A small disk for tests that fill it: a tmpfs of a few MiB in a mount namespace of its own.
//!
//! A process that only sleeps holds the namespace. Who shall see the disk is started through
//! `nsenter`; everyone else reaches it below `/proc/PID/root`. Nothing has to be unmounted: with
//! the holder's end, whatever ends it, the kernel takes the disk away.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::LocalnetError;
use crate::process::Process;
use crate::wait::wait;

/// Mounts, says nothing, and stays. The second setpriv is for user namespaces: entering one forgets
/// the first.
const HOLD: &str =
    r#"mount -t tmpfs -o "size=$1,mode=0755" tmpfs "$0" && exec setpriv --pdeathsig KILL -- sleep infinity"#;
/// Seconds until it is mounted.
const PATIENCE: u64 = 20;
/// How much ballast is written at once: a page.
const PAGE: [u8; 4096] = [0; 4096];

/// A folder that is a disk of its own for those who are started in it.
#[derive(Debug)]
pub struct SmallDisk {
    at: PathBuf,
    holder: Process,
    in_user_namespace: bool,
}

impl SmallDisk {
    /// What `unshare` needs besides `--mount` here: nothing for root, a user namespace for others.
    /// `None` where neither is allowed.
    fn privileges() -> Option<&'static [&'static str]> {
        let kinds: [&[&str]; 2] = [&[], &["--map-root-user"]];
        let allowed = |kind: &&&[&str]| {
            let output = Command::new("unshare").arg("--mount").args(**kind).arg("true").output();
            output.is_ok_and(|output| output.status.success())
        };
        kinds.iter().find(allowed).copied()
    }

    /// Mounts so many bytes over a folder, for those who are started with [`Self::wrapper`], and
    /// copies into it what the folder holds. `None` where the system allows no mount namespace.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn over(at: &Path, bytes: u64, log: &Path) -> Result<Option<Self>, LocalnetError> {
        let Some(privileges) = Self::privileges() else { return Ok(None) };
        let mut arguments: Vec<OsString> = vec!["--mount".into()];
        arguments.extend(privileges.iter().map(OsString::from));
        arguments.extend(["sh".into(), "-c".into(), HOLD.into(), at.into(), bytes.to_string().into()]);
        let holder = Process::start(&[], Path::new("unshare"), &arguments, &[], log)?;
        let disk = Self { at: at.to_owned(), holder, in_user_namespace: !privileges.is_empty() };
        let mounts = format!("/proc/{}/mounts", disk.holder.id());
        let line = format!(" {} tmpfs ", at.display());
        let is_mounted = || Ok(std::fs::read_to_string(&mounts).is_ok_and(|mounts| mounts.contains(&line)));
        wait(&format!("a mount over {}", at.display()), PATIENCE, &[Some(&disk.holder)], is_mounted)?;
        copy(at, &disk.inside())?;
        Ok(Some(disk))
    }

    /// The disk's folder as everybody sees it.
    pub fn inside(&self) -> PathBuf {
        let at = self.at.strip_prefix("/").unwrap_or(&self.at);
        Path::new("/proc").join(self.holder.id().to_string()).join("root").join(at)
    }

    /// Words before a program that make it see the disk.
    pub fn wrapper(&self) -> Vec<String> {
        let mut words: Vec<String> =
            ["nsenter", "--target", &self.holder.id().to_string(), "--mount"].map(str::to_owned).to_vec();
        if self.in_user_namespace {
            words.extend(["--user", "--preserve-credentials"].map(str::to_owned));
        }
        words.extend(["setpriv", "--pdeathsig", "KILL", "--"].map(str::to_owned));
        words
    }

    /// Writes ballast until there is no space left.
    ///
    /// # Errors
    /// [`LocalnetError::File`] where writing ends for another reason.
    pub fn fill(&self) -> Result<(), LocalnetError> {
        let path = self.ballast();
        let mut file = std::fs::File::create(&path).map_err(LocalnetError::file(&path))?;
        loop {
            match file.write_all(&PAGE) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::StorageFull => return Ok(()),
                Err(error) => return Err(LocalnetError::file(&path)(error)),
            }
        }
    }

    /// Takes the ballast away.
    ///
    /// # Errors
    /// [`LocalnetError::File`].
    pub fn relieve(&self) -> Result<(), LocalnetError> {
        let path = self.ballast();
        std::fs::remove_file(&path).map_err(LocalnetError::file(&path))
    }

    fn ballast(&self) -> PathBuf {
        self.inside().join("ballast")
    }
}

/// Copies what a folder holds.
fn copy(from: &Path, to: &Path) -> Result<(), LocalnetError> {
    std::fs::create_dir_all(to).map_err(LocalnetError::file(to))?;
    for entry in std::fs::read_dir(from).map_err(LocalnetError::file(from))? {
        let entry = entry.map_err(LocalnetError::file(from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(LocalnetError::file(&path))?;
        if kind.is_dir() {
            copy(&path, &target)?;
        } else {
            std::fs::copy(&path, &target).map_err(LocalnetError::file(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

    use super::*;

    #[test]
    fn a_small_disk_is_seen_by_those_in_it_only_gets_full_and_is_gone_with_its_owner() {
        let folder = std::env::temp_dir().join(format!("small-disk-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("at/below")).unwrap();
        std::fs::write(folder.join("at/below/file"), "kept").unwrap();
        let Some(disk) = SmallDisk::over(&folder.join("at"), 1 << 20, &folder.join("log")).unwrap() else {
            eprintln!("skipped: this system allows no mount namespace");
            return;
        };
        let inside = disk.inside();
        assert_eq!(std::fs::read_to_string(inside.join("below/file")).unwrap(), "kept");
        disk.fill().unwrap();
        let refused = std::fs::write(inside.join("more"), PAGE).unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::StorageFull);
        let wrapper = disk.wrapper();
        let sees = |file: &str| {
            let ls =
                Command::new(&wrapper[0]).args(&wrapper[1..]).arg("test").arg("-e").arg(folder.join(file)).status();
            ls.unwrap().success()
        };
        assert!(sees("at/ballast") && !folder.join("at/ballast").exists());
        std::fs::remove_file(inside.join("more")).unwrap();
        disk.relieve().unwrap();
        std::fs::write(inside.join("more"), PAGE).unwrap();
        drop(disk);
        assert!(!inside.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
