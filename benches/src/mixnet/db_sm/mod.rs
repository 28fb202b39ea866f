//! Baseline: the set membership of *Traceable mixnets* (there DB-SM), on our curve and with our
//! shuffles, all servers in this process.
//!
//! Each input has a commitment γ = v G + r F_0, whose opening the servers hold in shares that add
//! up. Which inputs hold one of a set of values?
//!
//! 1. The querier signs each of the values, σ = 1 / (x + v) G (Boneh–Boyen; y = x G2 is public).
//!    The servers check the signatures, all together.
//! 2. The signatures, as rows (0, σ_j) beside the outputs, go backward through all servers as our
//!    columns do: re-encrypted, permuted, proved, checked. Row i then encrypts a signature of input
//!    i's value, or 0.
//! 3. Each server multiplies each row by a factor b of its own and proves it; the sums of the rows
//!    are decrypted. That is σ' = b σ, b the sum of the factors, and 0 if there was no signature.
//! 4. For each input with σ' ≠ 0 the servers together prove that they know v, r and b with
//!    γ = v G + r F_0 and e(σ', y) = e(-v σ' + b G, G2): each posts first messages of its shares,
//!    the querier adds them up, and the responses too.
//!
//! The querier signs and checks the last proof, nothing else: it needs no verified mix. One run
//! shows membership only; who is told "no" wants a second run, with signatures of all other values.
//!
//! As cheap as we could make it: batched checks throughout, and each server's first messages in the
//! target group cost one pairing each (its exponents are multiplied in before, in G1). Not
//! measured: the making of the openings' shares, for which the paper has threshold Paillier, and
//! the round of hashes that fixes all first messages before one of them is seen. Source: *Traceable
//! mixnets*, PETS 2024, sections on DB-SM; written from its equations.

mod membership;
mod openings;
mod proof;
mod run;
mod signatures;
mod target_group;

use super::rows::{Rows, against};
use super::scene::{Mixed, Scene};
use crate::error::BenchError;
use crate::measure::row::Row;
use crate::report::Report;
use membership::Membership;

/// Runs it for all inputs among all outputs, beside our row of the servers.
pub fn rows(rows: &Rows<'_>, scene: &Scene, mixed: &Mixed, ours: &Row, report: &mut Report) -> Result<(), BenchError> {
    let row = rows.of("db-sm");
    let Membership { servers, querier, bytes } = scene.membership(mixed, &vec![true; scene.values.len()])?;
    report.add(against(row.timed("trace_in", "server", &servers)?, ours))?;
    report.add(row.timed("trace_in", "querier", &[querier])?)?;
    report.add(row.counted("column", "bytes", bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs whose values are not asked for are not named, and a proof that is changed is refused.
    #[test]
    fn inputs_with_a_signed_value_are_named_and_no_others() {
        let scene = Scene::prepare(12, 3, 2, 2).unwrap();
        let (mixed, _) = scene.mix().unwrap();
        for chosen in [vec![true; 12], (0..12).map(|row| row % 3 == 0).collect(), (0..12).map(|row| row == 7).collect()]
        {
            scene.membership(&mixed, &chosen).unwrap();
        }
    }
}
