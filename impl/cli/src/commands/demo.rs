//! `aardvark demo`: the whole of it, on real data.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tempfile::TempDir;

use crate::cleanup::{Guard, temporary_folder};
use crate::demo::{self, Narrator};
use crate::failure::Failure;
use crate::print::Lines;
use crate::report::{Report, duration};

/// `aardvark demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Keep the dictionary in this folder, which must not exist yet, instead of a temporary one.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Use the sample that ships with the command, also where the machine has apt lists of its own.
    #[arg(long)]
    pub sample: bool,
}

/// Runs the demonstration, which prints as it goes.
///
/// # Errors
/// Data that cannot be read, a folder that cannot be written; and exit code 1 where something that
/// the demonstration shows does not come true.
pub fn run(arguments: &Demo, as_json: bool) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut tell = Narrator::new(as_json);
    let home = Home::new(arguments.dir.clone())?;
    demo::run(home.path(), arguments.sample, &mut tell)?;
    let kept = match &home {
        Home::Temporary(..) => "the temporary archive is gone; keep one with --dir DIR".to_owned(),
        Home::Kept(path) => format!("the archive is in {}", path.display()),
    };
    tell.fact("seconds", start.elapsed().as_secs_f64());
    tell.gap()?;
    tell.say(&format!("Done in {}; {kept}.", duration(start.elapsed())))?;
    Ok(Report::done(Lines::default(), tell.into_facts()))
}

/// Where the archive stands.
enum Home {
    Temporary(TempDir, #[expect(dead_code, reason = "removes the folder when a signal comes")] Guard),
    Kept(PathBuf),
}

impl Home {
    fn new(dir: Option<PathBuf>) -> Result<Self, Failure> {
        let failed = |source| Failure::Output { name: "a temporary folder".to_owned(), source };
        match dir {
            Some(path) => Ok(Self::Kept(path)),
            None => {
                let (folder, guard) = temporary_folder("aardvark-demo-").map_err(failed)?;
                Ok(Self::Temporary(folder, guard))
            }
        }
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::Temporary(folder, _) => folder.path().join("archive"),
            Self::Kept(path) => path.clone(),
        }
    }
}
