//! The oracle's word on the mixnet's proofs.

use aardvark_oracle::{MixnetRequest, Safety, Shown};

use super::{Tally, agree, ask, is_built};
use crate::compare::Mismatch;

/// What the specification says of a proof, and the oracle too where it is built.
///
/// # Errors
/// Where the oracle says something else, or that the specification panics.
pub fn proof_holds(asked: &MixnetRequest, shown: &Shown) -> Result<bool, Mismatch> {
    let holds = asked.holds(shown);
    if is_built() {
        let said = ask(|process| process.oracle.mixnet(Safety::Ask, asked, shown))?;
        agree(asked.name(), if holds { "accepted" } else { "refused" }, &said, &mut Tally::default())?;
    }
    Ok(holds)
}
