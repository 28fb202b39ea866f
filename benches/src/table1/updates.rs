//! Updates of commitments and openings, one at a time and many at once, by deltas of 255 bits and,
//! as the paper's table had them, of 31.

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar};
use aardvark_commitment::{Commitment, CommitmentUpdate, Opening, VectorCommitment};

use crate::error::BenchError;
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::table1::fixture::Fixture;
use crate::table1::options::TABLE;
use crate::workload::random::scalar;

/// Deltas in one batched update of a vector: what a block of 10,000 operations writes to each of
/// 1,000 vectors, and as many as fill one.
const BATCHES: [usize; 2] = [10, 1000];

/// Vectors, and deltas of each.
const BLOCK: (usize, usize) = (1000, 10);

/// A delta that looks random: of 255 bits, or of 31.
fn delta(call: usize, short: bool) -> Scalar {
    let full = scalar(call as u64 % 64);
    match short {
        false => full,
        true => {
            let bytes = full.to_bytes_le();
            let low = bytes.iter().take(4).rev().fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
            Scalar::from((low & 0x7fff_ffff) | 0x4000_0000)
        }
    }
}

/// All updates.
pub fn update(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    for short in [false, true] {
        let mut contenders = vec![scalar_mul(short)];
        contenders.extend(commitments(fixture, short));
        contenders.extend(openings(fixture, short));
        contenders.extend(trees(fixture, short));
        rows.extend(hold(TABLE, contenders, Some(("blst", scalar_mul_name(short))), effort)?);
    }
    Ok(rows)
}

fn scalar_mul_name(short: bool) -> &'static str {
    if short { "scalar_mul_31" } else { "scalar_mul" }
}

/// One multiplication by blst, of 255 bits whatever the factor: that is what it offers for one
/// point.
fn scalar_mul(short: bool) -> Contender<'static> {
    let point = (G1Affine::generator() * scalar(99)).to_affine();
    Contender::new(
        ("blst", scalar_mul_name(short)),
        1,
        move |call| Ok(point * delta(call, short)),
        move |call, product| *product == G1Affine::generator() * (scalar(99) * delta(call, short)),
    )
}

/// The vector's scalar at the changed index grows; the commitment follows.
fn commitments(fixture: &Fixture, short: bool) -> Vec<Contender<'_>> {
    let name = if short { "update_commitment_31" } else { "update_commitment" };
    let truth = &fixture.commitments;
    let size = fixture.size as u64;
    let mut contenders = vec![
        one(fixture, ("kzg", name), &fixture.kzg, truth.kzg, short),
        one(fixture, ("libert-yung", name), &fixture.libert_yung, truth.libert_yung, short),
        one(fixture, ("multilinear", name), &fixture.multilinear, truth.multilinear, short),
        Contender::new(
            ("paper", name),
            size,
            move |call| {
                Ok(fixture.paper.update_commitment(&truth.libert_yung, fixture.turn(call).1, &delta(call, short)))
            },
            move |call, updated| {
                let (_, index, _) = fixture.turn(call);
                let expected = fixture.libert_yung.update_commitment(&truth.libert_yung, index, &delta(call, short));
                updated.is_some() && *updated == expected.ok()
            },
        ),
    ];
    for length in BATCHES.into_iter().filter(|length| *length <= fixture.size) {
        let deltas: Vec<(usize, Scalar)> = (0..length).map(|index| (index, delta(index, short))).collect();
        let one_by_one =
            deltas.iter().try_fold(truth.kzg, |c, (index, d)| fixture.kzg.update_commitment(&c, *index, d)).ok();
        let call = move |_| Ok(fixture.kzg.update_commitment_many(&truth.kzg, &deltas)?);
        let judge = move |_, updated: &Commitment| one_by_one == Some(*updated);
        contenders.push(Contender::new(("kzg", name), length as u64, call, judge).per_call(length));
    }
    contenders.push(block(fixture, name, short));
    contenders
}

/// What a block of 10,000 operations does: 1,000 vectors in one call, ten deltas each.
fn block<'a>(fixture: &'a Fixture, name: &'static str, short: bool) -> Contender<'a> {
    let (vectors, each) = BLOCK;
    let from = fixture.commitments.kzg;
    let of = move |vector: usize| -> Vec<(usize, Scalar)> {
        (0..each).map(|number| ((vector * 7 + number * 101) % fixture.size, delta(vector + number, short))).collect()
    };
    let updates: Vec<(Commitment, Vec<(usize, Scalar)>)> = (0..vectors).map(|vector| (from, of(vector))).collect();
    let truth = (0..vectors).step_by(50).map(move |vector| {
        let step = |c, (index, d): &(usize, Scalar)| fixture.kzg.update_commitment(&c, *index, d);
        (vector, of(vector).iter().try_fold(from, step).ok())
    });
    let truth: Vec<(usize, Option<Commitment>)> = truth.collect();
    let call = move |_| {
        let updates: Vec<CommitmentUpdate<'_>> =
            updates.iter().map(|(from, deltas)| (*from, deltas.as_slice())).collect();
        Ok(fixture.kzg.update_commitments_many(&updates)?)
    };
    let judge = move |_, updated: &Vec<Commitment>| {
        updated.len() == vectors && truth.iter().all(|(vector, c)| c.is_some() && updated.get(*vector) == c.as_ref())
    };
    Contender::new(("kzg", name), (vectors * each) as u64, call, judge).per_call(vectors * each)
}

/// A commitment's update by one delta, judged by the commitment to the changed vector's difference.
fn one<'a, V>(
    fixture: &'a Fixture,
    name: (&'static str, &'static str),
    scheme: &'a V,
    from: Commitment,
    short: bool,
) -> Contender<'a>
where
    V: benches::baselines::Updatable,
{
    let call = move |call| Ok(scheme.update_commitment(&from, fixture.turn(call).1, &delta(call, short))?);
    let judge = move |call, updated: &Commitment| {
        let (_, index, _) = fixture.turn(call);
        let mut difference = vec![Scalar::from(0); index];
        difference.push(delta(call, short));
        let grown = scheme.commit(&difference).map(|d| d.point().to_curve() + from.point());
        grown.is_ok_and(|expected| expected == updated.point().to_curve())
    };
    Contender::new(name, fixture.size as u64, call, judge)
}

/// The scalar at another index grows; an opening follows, and verifies against the commitment that
/// did.
fn openings(fixture: &Fixture, short: bool) -> Vec<Contender<'_>> {
    let name = if short { "update_opening_31" } else { "update_opening" };
    let truth = &fixture.commitments;
    let size = fixture.size as u64;
    let changed = move |call: usize| (call * 131 + 7) % fixture.size;
    let mut contenders = vec![
        opening(fixture, ("kzg", name), &fixture.kzg, truth.kzg, &fixture.openings.kzg, short),
        opening(
            fixture,
            ("libert-yung", name),
            &fixture.libert_yung,
            truth.libert_yung,
            &fixture.openings.libert_yung,
            short,
        ),
        opening(
            fixture,
            ("multilinear", name),
            &fixture.multilinear,
            truth.multilinear,
            &fixture.openings.multilinear,
            short,
        ),
        Contender::new(
            ("paper", name),
            size,
            move |call| {
                let (which, index, _) = fixture.turn(call);
                let from = fixture.openings.libert_yung.get(which);
                Ok(from
                    .and_then(|from| fixture.paper.update_opening(from, (index, changed(call)), &delta(call, short))))
            },
            move |call, updated: &Option<Opening>| {
                let (which, index, _) = fixture.turn(call);
                let from = fixture.openings.libert_yung.get(which);
                let expected = from
                    .map(|from| fixture.libert_yung.update_opening(from, index, changed(call), &delta(call, short)));
                expected.is_some_and(|expected| expected.ok() == *updated)
            },
        ),
    ];
    contenders.extend(
        BATCHES.into_iter().filter(|length| *length <= fixture.size).map(|length| many(fixture, name, length, short)),
    );
    contenders
}

/// Many scalars grow, the opened one among them; one opening follows.
fn many<'a>(fixture: &'a Fixture, name: &'static str, length: usize, short: bool) -> Contender<'a> {
    let deltas: Vec<(usize, Scalar)> = (0..length).map(|index| (index, delta(index, short))).collect();
    let from = fixture.turn(0);
    let opening = fixture.openings.kzg.first().copied().unwrap_or_else(Opening::identity);
    let step = |opening, (index, d): &(usize, Scalar)| fixture.kzg.update_opening(&opening, from.1, *index, d);
    let one_by_one = deltas.iter().try_fold(opening, step).ok();
    let call = move |_| Ok(fixture.kzg.update_opening_many(&opening, from.1, &deltas)?);
    let judge = move |_, updated: &Opening| one_by_one == Some(*updated);
    Contender::new(("kzg", name), length as u64, call, judge).per_call(length)
}

fn opening<'a, V>(
    fixture: &'a Fixture,
    name: (&'static str, &'static str),
    scheme: &'a V,
    from: Commitment,
    openings: &'a [V::Opening],
    short: bool,
) -> Contender<'a>
where
    V: benches::baselines::Updatable,
{
    let changed = move |call: usize| (call * 131 + 7) % fixture.size;
    let call = move |call: usize| {
        let (which, index, _) = fixture.turn(call);
        let missing = || BenchError::Wrong("no opening".to_owned());
        let from = openings.get(which).ok_or_else(missing)?;
        Ok(scheme.update_opening(from, index, changed(call), &delta(call, short))?)
    };
    let judge = move |call: usize, updated: &V::Opening| {
        let (_, index, scalar) = fixture.turn(call);
        let delta = delta(call, short);
        let now = if changed(call) == index { scalar + delta } else { scalar };
        let commitment = scheme.update_commitment(&from, changed(call), &delta);
        // One in sixteen: verifying takes fifty times as long as what is measured.
        !call.is_multiple_of(16) || commitment.is_ok_and(|commitment| scheme.verify(&commitment, index, &now, updated))
    };
    Contender::new(name, fixture.size as u64, call, judge)
}

/// A Merkle root is updated from an old proof, which is checked; a proof is read from the updated
/// tree. A hash takes as long whatever the delta's length.
fn trees(fixture: &Fixture, short: bool) -> Vec<Contender<'_>> {
    let (commitment, opening) = match short {
        false => ("update_commitment", "update_opening"),
        true => ("update_commitment_31", "update_opening_31"),
    };
    let size = fixture.size as u64;
    let new = move |call: usize| delta(call, short);
    let root = move |call: usize| {
        let (which, index, scalar) = fixture.turn(call);
        let proof = fixture.openings.merkle.get(which)?;
        fixture.merkle.update_root(&fixture.commitments.merkle, index, (&scalar, &new(call)), proof)
    };
    let updated = move |call: usize| {
        let mut tree = fixture.tree.clone();
        tree.update(fixture.turn(call).1, &new(call)).is_ok().then(|| tree.root())
    };
    vec![
        Contender::new(
            ("merkle", commitment),
            size,
            move |call| Ok(root(call)),
            move |call, new| new.is_some() && *new == updated(call),
        ),
        Contender::new(
            ("merkle", opening),
            size,
            |call| Ok(fixture.tree.open(fixture.turn(call).1)?),
            |call, o| fixture.openings.merkle.get(fixture.turn(call).0) == Some(o),
        ),
    ]
}
