//! `cargo xtask prove`: compiles the proofs, looks for words that would weaken them, and compares
//! what every theorem rests on with the committed list.

use crate::assumptions;
use crate::chore::{ChoreError, exists, install_packages, output_of, program};

/// Debian's packages that the proofs need.
const PACKAGES: [&str; 5] =
    ["coq", "libcoq-mathcomp-algebra", "libcoq-coqprime", "ocaml-findlib", "libzarith-ocaml-dev"];

/// Compiles and compares; with `long` coqchk checks the compiled files again.
pub fn run(long: bool) -> Result<(), ChoreError> {
    install_coq()?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).to_string();
    program("Proofs", "make", &["--no-print-directory", "-C", "proofs", "-j", &threads])?;
    assumptions::check_words()?;
    assumptions::check_list()?;
    assumptions::check_theorems()?;
    if long {
        assumptions::recheck()?;
    }
    Ok(())
}

/// Installs what is missing where this user may; says what to install where not.
fn install_coq() -> Result<(), ChoreError> {
    if exists("coqc") && PACKAGES.iter().all(|package| is_installed(package)) {
        return Ok(());
    }
    install_packages(&PACKAGES, ChoreError::NoCoq(PACKAGES.join(" ")))
}

fn is_installed(package: &str) -> bool {
    output_of("dpkg-query", &["-W", "-f", "${db:Status-Status}", package]).is_ok_and(|status| status == "installed")
}
