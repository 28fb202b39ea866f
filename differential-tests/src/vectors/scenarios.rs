//! What happens in the histories of `vectors/histories.json`.

mod accepted;
mod limits;
mod refused;
mod script;
mod tails;

use aardvark_commitment::SchemeKind;

use super::file::File;
use super::histories::HistoryCase;
use crate::compare::Mismatch;
use crate::scene::on_both_schemes;
use script::{Row, Script};

/// All histories.
///
/// # Errors
/// Where the two sides, or the scenario's author, differ.
pub(super) fn histories() -> Result<File<HistoryCase>, Mismatch> {
    let rows = all()?;
    let borrowed = rows.iter().map(|(comment, flags, case)| (comment.as_str(), flags.as_slice(), case.clone()));
    let about = "Blocks with what must come of each, on setups whose secret is stated. The last step is the one that the test is about.";
    Ok(File::new("histories", about, borrowed.collect()))
}

/// All scenarios: every one under KZG, those where the scheme makes a difference under Libert–Yung
/// as well.
fn all() -> Result<Vec<Row>, Mismatch> {
    let collected = std::cell::RefCell::new(Ok(Vec::new()));
    on_both_schemes(|stage| {
        let mut script = Script::new(stage);
        accepted::tell(&mut script);
        refused::tell(&mut script);
        if stage.kind() == SchemeKind::Kzg {
            tails::tell(&mut script);
            limits::tell(&mut script);
        }
        let mut collected = collected.borrow_mut();
        match (script.mismatch, collected.as_mut()) {
            (Some(mismatch), _) => *collected = Err(mismatch),
            (None, Ok(rows)) => rows.extend(script.rows),
            (None, Err(_)) => {}
        }
    });
    collected.into_inner()
}
