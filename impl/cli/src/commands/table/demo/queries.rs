//! Every query, each answered, verified under commitments with the certificates of its runs, and
//! compared with arithmetic on the rows; and a row, shown to its owner.

use std::collections::BTreeMap;
use std::time::Instant;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Answer, Finding, KeyValue, Outcome, OwnerTexts};
use aardvark_tables::{AnswerParts, Keeper};
use num::{BigInt, BigRational};
use serde_json::json;

use super::asker::Asker;
use super::meters::{Meters, Reading, TABLE};
use crate::demo::Narrator;
use crate::failure::Failure;
use crate::report::{bytes, count, duration};

/// Whether a reading is in a box.
type Holds = fn(&Reading) -> bool;

/// The conditions of the queries, and what they mean.
const BOXES: [(&str, Holds); 3] = [
    ("", |_| true),
    (" where time between 102 and 105 and industrial = 0", |reading| {
        (102..=105).contains(&reading.time) && reading.industrial == 0
    }),
    (" where time = 104 and district in (1, 4)", |reading| reading.time == 104 && [1, 4].contains(&reading.district)),
];

/// A statistic of readings in ascending order, of which there is at least one.
type Statistic = fn(&[u64]) -> BigRational;

/// The functions, each with the box that it is asked of, and what it has to give.
const FUNCTIONS: [(&str, usize, Statistic); 13] = [
    ("count(power)", 0, |all| whole(all.len() as u64)),
    ("sum(power)", 0, |all| whole(all.iter().sum())),
    ("mean(power)", 1, |all| moment(all, 1)),
    ("moment(power, 2)", 1, |all| moment(all, 2)),
    ("variance(power)", 1, variance),
    ("stddev(power)", 2, variance),
    ("min(power)", 0, |all| at(all, 0)),
    ("max(power)", 0, |all| at(all, all.len() - 1)),
    ("median(power)", 1, |all| interpolated(all, 1, 2)),
    ("percentile_disc(power, 95/100)", 0, |all| at(all, (all.len() * 95).div_ceil(100) - 1)),
    ("percentile_cont(power, 5/100)", 2, |all| interpolated(all, 5, 100)),
    ("top(power, 1/10)", 1, |all| at(all, all.len() - all.len().div_ceil(10))),
    ("rank(power, 500)", 0, |all| whole(all.iter().filter(|power| **power < 500).count() as u64)),
];

fn whole(number: u64) -> BigRational {
    BigRational::from_integer(BigInt::from(number))
}

fn at(all: &[u64], place: usize) -> BigRational {
    whole(all.get(place).copied().unwrap_or_default())
}

fn moment(all: &[u64], power: u32) -> BigRational {
    let sum: BigInt = all.iter().map(|power_of| BigInt::from(*power_of).pow(power)).sum();
    BigRational::new(sum, BigInt::from(all.len()))
}

fn variance(all: &[u64]) -> BigRational {
    let mean = moment(all, 1);
    moment(all, 2) - &mean * &mean
}

fn interpolated(all: &[u64], k: usize, q: usize) -> BigRational {
    let product = (all.len() - 1) * k;
    let part = BigRational::new(BigInt::from(product % q), BigInt::from(q));
    let low = at(all, product / q);
    if product.is_multiple_of(q) { low } else { &low + part * (at(all, product / q + 1) - &low) }
}

/// Asks every query.
pub fn scene(keeper: &Keeper, asker: &Asker, meters: &Meters, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("Every query: answered by the keeper, verified without it, compared with the rows")?;
    let mut facts = Vec::new();
    for (function, number, statistic) in FUNCTIONS {
        let (condition, holds) = BOXES.get(number).copied().unwrap_or(BOXES[0]);
        let text = format!("{function}{condition}");
        let mut all: Vec<u64> =
            meters.readings.iter().filter(|reading| holds(reading)).map(|reading| reading.power).collect();
        all.sort_unstable();
        let (outcome, said) = asked(keeper, asker, &text)?;
        let (found, expected) = (value(&outcome), statistic(&all));
        if found.as_ref() != Some(&expected) {
            return Err(Failure::broken(format!("{text}: {found:?} was accepted, the rows say {expected}")));
        }
        tell.say(&format!("   {text}"))?;
        tell.line("", &format!("= {expected}: {said}"))?;
        facts.push(json!({ "query": text, "value": expected.to_string() }));
    }
    groups(keeper, asker, meters, tell)?;
    tell.fact("queries", facts);
    Ok(())
}

/// An answer that is verified, and what it took in words.
fn asked(keeper: &Keeper, asker: &Asker, text: &str) -> Result<(Outcome, String), Failure> {
    let start = Instant::now();
    let parts = AnswerParts { certificates: true, root: None };
    let (answer, _) = keeper.answer(TABLE, text, asker.version, &parts)?;
    let answered = start.elapsed();
    let start = Instant::now();
    let outcome = asker.verify(text, &answer)?.map_err(Failure::TableAnswer)?;
    let verified = start.elapsed();
    let (weight, certificates) = weights(&answer)?;
    let runs = count(outcome.runs as u64);
    let (answered, verified) = (duration(answered), duration(verified));
    let (weight, certificates) = (bytes(weight), bytes(certificates));
    let said = format!(
        "{runs} runs, answered in {answered}, verified in {verified}, {weight} of JSON, {certificates} of certificates"
    );
    Ok((outcome, said))
}

/// Bytes of an answer as JSON without its certificates, and of these.
fn weights(answer: &Answer) -> Result<(u64, u64), Failure> {
    let failed = |error| Failure::Json("the answer".to_owned(), error);
    let whole = json::write_line(answer).map_err(failed)?.len() as u64;
    let bare = Answer { certificates: Vec::new(), ..answer.clone() };
    let bare = json::write_line(&bare).map_err(failed)?.len() as u64;
    Ok((bare, whole - bare))
}

/// The number that an answer says, where it says one.
fn value(outcome: &Outcome) -> Option<BigRational> {
    match &outcome.finding {
        Finding::Groups(groups) => groups.first()?.value.clone(),
        Finding::Order(order) => order.value.clone(),
        Finding::Rank(rank) => Some(whole(rank.below)),
        Finding::Row(row) => Some(BigRational::from_integer(row.value.clone())),
    }
}

/// Totals by district.
fn groups(keeper: &Keeper, asker: &Asker, meters: &Meters, tell: &mut Narrator) -> Result<(), Failure> {
    let text = "sum(power) where industrial = 1 group by district";
    let mut expected: BTreeMap<u32, u64> = BTreeMap::new();
    for reading in meters.readings.iter().filter(|reading| reading.industrial == 1) {
        *expected.entry(reading.district).or_default() += reading.power;
    }
    let (outcome, said) = asked(keeper, asker, text)?;
    let Finding::Groups(found) = &outcome.finding else { return Err(Failure::broken("an answer without groups")) };
    let agree = found.len() == expected.len()
        && found.iter().zip(&expected).all(|(group, (district, sum))| {
            group.key == [KeyValue::Unsigned(u64::from(*district))] && group.value == Some(whole(*sum))
        });
    if !agree {
        return Err(Failure::broken(format!("{text}: {found:?} was accepted, the rows say {expected:?}")));
    }
    let shown: Vec<String> = expected.iter().map(|(district, sum)| format!("{district}: {sum}")).collect();
    tell.say(&format!("   {text}"))?;
    tell.line("", &format!("= {}", shown.join(", ")))?;
    tell.line("", &said)
}

/// Shows a home its row.
pub fn row(keeper: &Keeper, asker: &Asker, meters: &Meters, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("An owner's row: the home holds its own id and tag against it")?;
    let Some(reading) = meters.readings.get(1) else { return Err(Failure::broken("there are no readings")) };
    let (answer, text) = row_answer(keeper, asker, reading)?;
    let outcome = asker.verify(&text, &answer)?.map_err(Failure::TableAnswer)?;
    outcome.check_owner(&owner(reading)).map_err(Failure::TableAnswer)?;
    if value(&outcome) != Some(whole(reading.power)) {
        return Err(Failure::broken("the row has another reading than the home's"));
    }
    let (weight, certificates) = weights(&answer)?;
    tell.line(&reading.user, &format!("{} W at {}: it is in there, once", reading.power, reading.time))?;
    tell.line("", &format!("{} of JSON, {} of certificates", bytes(weight), bytes(certificates)))
}

/// The keeper's answer that shows a reading to its owner, and the owner's query.
///
/// # Errors
/// A store that cannot be read, and a reading that the keeper does not have.
pub fn row_answer(keeper: &Keeper, asker: &Asker, reading: &Reading) -> Result<(Answer, String), Failure> {
    let condition = format!("time = {}", reading.time);
    let rows = keeper.rows_of(TABLE, &reading.user, asker.version, None, Some(&condition))?;
    let [row] = rows.as_slice() else { return Err(Failure::broken("the keeper does not have the home's row once")) };
    let parts = AnswerParts { certificates: true, root: None };
    let (answer, _) = keeper.row(TABLE, row, asker.version, &parts)?;
    Ok((answer, row.query.clone()))
}

/// What a home gave with its reading.
pub fn owner(reading: &Reading) -> OwnerTexts {
    OwnerTexts::new([(0, reading.user.clone()), (1, reading.tag.clone())])
}
