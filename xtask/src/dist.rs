//! `cargo xtask dist`: what is handed out. A stripped binary, static where it can be, an archive of
//! it with man pages and completions, and a Debian package with units for systemd.
//!
//! ```text
//! target/dist/aardvark                        the binary
//! target/dist/volume                          an empty folder, for packaging/Dockerfile
//! target/dist/aardvark_VERSION_ARCH.deb       /usr/bin/aardvark, man pages, completions, units, a
//!                                             configuration, the user that the units run as
//! target/dist/aardvark-VERSION-ARCH.tar.gz    the same files without Debian's
//! ```

pub mod linked;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, exists, file_error, output_in, output_of, root, write_below};

/// Where everything goes.
const FOLDER: &str = "target/dist";
/// The shells, each with the file that its completions stand in.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/aardvark"),
    ("zsh", "usr/share/zsh/vendor-completions/_aardvark"),
    ("fish", "usr/share/fish/vendor_completions.d/aardvark.fish"),
];
/// Files of packaging/ and where they are installed.
const FILES: [(&str, &str); 8] = [
    ("aardvark.toml", "etc/aardvark/aardvark.toml"),
    ("aardvark-archive.service", "usr/lib/systemd/system/aardvark-archive.service"),
    ("aardvark-validator.service", "usr/lib/systemd/system/aardvark-validator.service"),
    ("aardvark-keeper.service", "usr/lib/systemd/system/aardvark-keeper.service"),
    ("aardvark-openings.service", "usr/lib/systemd/system/aardvark-openings.service"),
    ("aardvark-backup.service", "usr/lib/systemd/system/aardvark-backup.service"),
    ("aardvark-backup.timer", "usr/lib/systemd/system/aardvark-backup.timer"),
    ("sysusers.conf", "usr/lib/sysusers.d/aardvark.conf"),
];

/// The processes that have a unit.
const NODES: [&str; 4] = ["archive", "validator", "keeper", "openings"];

/// Builds the binary, or takes one that is built, and makes the packages.
pub fn run(binary: Option<&Path>) -> Result<(), ChoreError> {
    let handed_out = program(binary)?;
    let folder = root().join(FOLDER);
    let package = package(&handed_out, &folder)?;
    if linked::is_dynamic(&handed_out)? {
        println!("packaging/Dockerfile wants a static binary, which this one is not.");
    }
    // What packaging/Dockerfile makes a volume of.
    let volume = folder.join("volume");
    fs::create_dir_all(&volume).map_err(|source| file_error(&volume, source))?;
    println!("\n{}\n{}\n{}", handed_out.display(), package.debian.display(), package.tarball.display());
    Ok(())
}

/// Builds the binary, or takes one that is built: the one that is handed out, stripped, in its
/// place.
pub fn program(binary: Option<&Path>) -> Result<PathBuf, ChoreError> {
    let binary = match binary {
        Some(binary) => binary.to_owned(),
        None => linked::build()?,
    };
    let handed_out = root().join(FOLDER).join("aardvark");
    // A file that is copied onto itself is lost.
    let same = fs::canonicalize(&binary).ok().is_some_and(|place| fs::canonicalize(&handed_out).ok() == Some(place));
    if !same {
        let stripped = handed_out.with_extension("stripped");
        copy(&binary, &stripped, 0o755)?;
        output_of("strip", &[&stripped.display().to_string()])?;
        // A process begins a tenth slower from what `strip` has just written than from a copy.
        copy(&stripped, &handed_out, 0o755)?;
        fs::remove_file(&stripped).map_err(|source| file_error(&stripped, source))?;
    }
    Ok(handed_out)
}

/// Makes a package of a binary, installs it below an empty folder, looks whether what it needs is
/// there, runs it there, and removes it.
pub fn check(binary: &Path) -> Result<(), ChoreError> {
    if !exists("dpkg-deb") {
        return Err(ChoreError::NoDpkg);
    }
    let folder = root().join("target/dist-check");
    clear(&folder)?;
    let package = package(binary, &folder)?;
    let installed = folder.join("installed");
    for below in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"] {
        let below = installed.join(below);
        fs::create_dir_all(&below).map_err(|source| file_error(&below, source))?;
    }
    write_below(&installed.join("var/lib/dpkg/status"), "")?;
    let root_option = format!("--root={}", installed.display());
    let debian = package.debian.display().to_string();
    let forced = ["--force-script-chrootless", "--force-not-root", "--force-depends", "--force-bad-path"];
    let log = format!("--log={}", folder.join("dpkg.log").display());
    let dpkg = |act: &[&str]| output_of("dpkg", &[&[root_option.as_str(), log.as_str()], &forced[..], act].concat());
    dpkg(&["--install", &debian])?;
    let aardvark = installed.join("usr/bin/aardvark").display().to_string();
    let configuration = installed.join("etc/aardvark/aardvark.toml").display().to_string();
    // What the units have systemd run besides, of another package.
    copy(&installed.join("usr/bin/aardvark"), &installed.join("bin/kill"), 0o755)?;
    let wrong = |what: &str| Err(ChoreError::Package(what.to_owned()));
    for process in NODES {
        let printed = output_of(&aardvark, &["node", process, "--config", &configuration, "--print-config"])?;
        if !printed.contains("/var/lib/aardvark/") || !printed.contains("# file") {
            return wrong("the installed configuration is not read");
        }
        let page = installed.join(format!("usr/share/man/man1/aardvark-node-{process}.1.gz"));
        if !output_of("gzip", &["-dc", &page.display().to_string()])?.contains("print\\-config") {
            return wrong("the man pages do not have the options");
        }
        check_unit(&installed, &format!("aardvark-{process}.service"), &["ExecReload=/bin/kill -HUP $MAINPID"])?;
    }
    check_unit(&installed, "aardvark-backup.service", &["Type=oneshot"])?;
    // It begins the unit of its own name.
    verify_unit(&installed, "aardvark-backup.timer")?;
    for (_, file) in COMPLETIONS {
        if fs::metadata(installed.join(file)).map_or(0, |file| file.len()) < 1000 {
            return wrong("completions are missing");
        }
    }
    trial::run(&installed)?;
    let there = |file: &str| installed.join(file).exists();
    dpkg(&["--remove", "aardvark"])?;
    if there("usr/bin/aardvark") || !there("etc/aardvark/aardvark.toml") || !there("var/lib/aardvark/archive") {
        return wrong("removal leaves the program, or takes configuration or data");
    }
    dpkg(&["--purge", "aardvark"])?;
    if there("etc/aardvark/aardvark.toml") || !there("var/lib/aardvark/archive") {
        return wrong("a purge leaves the configuration, or takes data");
    }
    clear(&folder)
}

/// Whether a service of the package is hardened, has what it needs besides, and is one for systemd.
fn check_unit(installed: &Path, name: &str, more: &[&str]) -> Result<(), ChoreError> {
    let unit = installed.join("usr/lib/systemd/system").join(name);
    let text = fs::read_to_string(&unit).map_err(|source| file_error(&unit, source))?;
    let needed = ["NoNewPrivileges=yes", "User=aardvark", "LimitNOFILE=", "ProtectSystem=strict"];
    match needed.iter().chain(more).find(|line| !text.contains(**line)) {
        Some(line) => Err(ChoreError::Package(format!("{name} has no {line}"))),
        None => verify_unit(installed, name),
    }
}

fn verify_unit(installed: &Path, name: &str) -> Result<(), ChoreError> {
    if !exists("systemd-analyze") {
        return Ok(());
    }
    let root_option = format!("--root={}", installed.display());
    output_of("systemd-analyze", &["verify", "--man=no", "--recursive-errors=no", &root_option, name]).map(drop)
}

/// What was made.
struct Package {
    debian: PathBuf,
    tarball: PathBuf,
}

fn package(binary: &Path, folder: &Path) -> Result<Package, ChoreError> {
    let said = output_of(&binary.display().to_string(), &["--version"])?;
    let version = said.split_whitespace().last().unwrap_or("0").to_owned();
    let architecture = output_of("dpkg", &["--print-architecture"])?.trim().to_owned();
    let tree = folder.join("tree");
    clear(&tree)?;
    stage(binary, &tree)?;
    let tarball = folder.join(format!("aardvark-{version}-{architecture}.tar.gz"));
    let options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf"];
    output_in(&tree, "tar", &[&options[..], &[&tarball.display().to_string(), "."]].concat())?;
    let libraries = match (linked::is_dynamic(binary)?, linked::needs(binary, "libgcc_s.so")?) {
        (false, _) => "",
        (true, false) => "Depends: libc6 (>= 2.34)\n",
        (true, true) => "Depends: libc6 (>= 2.34), libgcc-s1\n",
    };
    let control = format!(
        "Package: aardvark\nVersion: {version}\nArchitecture: {architecture}\n\
         Maintainer: Aardvark maintainers <maintainers@localhost>\nSection: database\nPriority: optional\n\
         {libraries}Recommends: systemd, procps\n\
         Description: authenticated dictionary with short proofs\n \
         The command aardvark, and units for its nodes and for backups.\n"
    );
    write_below(&tree.join("DEBIAN/control"), &control)?;
    write_below(&tree.join("DEBIAN/conffiles"), "/etc/aardvark/aardvark.toml\n")?;
    for script in ["postinst", "prerm", "postrm"] {
        copy(&root().join("packaging").join(script), &tree.join("DEBIAN").join(script), 0o755)?;
    }
    let debian = folder.join(format!("aardvark_{version}_{architecture}.deb"));
    let (from, to) = (tree.display().to_string(), debian.display().to_string());
    output_of("dpkg-deb", &["--root-owner-group", "-Zxz", "-z1", "--build", &from, &to])?;
    clear(&tree)?;
    Ok(Package { debian, tarball })
}

/// The files as they are installed.
fn stage(binary: &Path, tree: &Path) -> Result<(), ChoreError> {
    let installed = tree.join("usr/bin/aardvark");
    copy(binary, &installed, 0o755)?;
    let installed = installed.display().to_string();
    output_of("strip", &[&installed])?;
    for (file, place) in FILES {
        copy(&root().join("packaging").join(file), &tree.join(place), 0o644)?;
    }
    for (shell, place) in COMPLETIONS {
        write_below(&tree.join(place), &output_of(&installed, &["completions", shell])?)?;
    }
    let pages = tree.join("usr/share/man/man1");
    fs::create_dir_all(&pages).map_err(|source| file_error(&pages, source))?;
    output_of(&installed, &["man", &pages.display().to_string()])?;
    output_in(&pages, "sh", &["-c", "gzip -9n -- *.1"])?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(licence), &tree.join("usr/share/doc/aardvark").join(licence), 0o644)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path, mode: u32) -> Result<(), ChoreError> {
    use std::os::unix::fs::PermissionsExt as _;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|source| file_error(folder, source))?;
    }
    fs::copy(from, to).map_err(|source| file_error(from, source))?;
    fs::set_permissions(to, fs::Permissions::from_mode(mode)).map_err(|source| file_error(to, source))
}

fn clear(folder: &Path) -> Result<(), ChoreError> {
    match fs::remove_dir_all(folder) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(file_error(folder, source)),
        _ => Ok(()),
    }
}
