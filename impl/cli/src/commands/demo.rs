//! `aardvark demo`: the whole of it, on real data.

use std::path::PathBuf;
use std::time::Instant;

use tempfile::TempDir;

use crate::args::Demo;
use crate::demo::{self, Narrator};
use crate::failure::Failure;
use crate::report::{Report, duration};

/// Runs the demonstration, which prints as it goes.
///
/// # Errors
/// Data that cannot be read, a folder that cannot be written; and exit code 1 where something that the demonstration shows does
/// not come true.
pub fn run(arguments: &Demo, as_json: bool) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut tell = Narrator::new(as_json);
    let home = Home::new(arguments.dir.clone())?;
    demo::run(home.path(), arguments.sample, &mut tell)?;
    let kept = match &home {
        Home::Temporary(_) => "the temporary archive is gone; keep one with --dir DIR".to_owned(),
        Home::Kept(path) => format!("the archive is in {}", path.display()),
    };
    tell.fact("seconds", start.elapsed().as_secs_f64());
    tell.say(&format!("\nDone in {}; {kept}.", duration(start.elapsed())))?;
    Ok(Report::done("", tell.into_facts()))
}

/// Where the archive stands.
enum Home {
    Temporary(TempDir),
    Kept(PathBuf),
}

impl Home {
    fn new(dir: Option<PathBuf>) -> Result<Self, Failure> {
        let make = || tempfile::Builder::new().prefix("aardvark-demo-").tempdir();
        let failed = |source| Failure::Output { name: "a temporary folder".to_owned(), source };
        dir.map_or_else(|| make().map(Self::Temporary).map_err(failed), |path| Ok(Self::Kept(path)))
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::Temporary(folder) => folder.path().join("archive"),
            Self::Kept(path) => path.clone(),
        }
    }
}
