//! A keeper that lies in six ways. Each answer is refused, and the reason is told.

use std::path::Path;

use aardvark_aggregates::{Answer, Finding, Head, KeyValue, TableKey, encode_columns};
use aardvark_archive::Archive;
use aardvark_dictionary::{Change, Key, Value};
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::vault::Pending;
use aardvark_tables::{AnswerParts, ImportOptions, Keeper, SegmentPlace, SegmentSecret, TablesError, Vault};
use num::{BigInt, BigRational};
use serde_json::{Value as Json, json};

use super::asker::Asker;
use super::meters::{HIGHEST, Meters, TABLE};
use super::queries::{owner, row_answer};
use crate::demo::Narrator;
use crate::failure::Failure;

/// What the liar is asked.
const SUM: &str = "sum(power) where time between 101 and 104";
/// What it is asked about order.
const MEDIAN: &str = "median(power) where time between 101 and 104";
/// What it is asked after readings have come late.
const LATE: &str = "count(power) where time >= 105";
/// A reading that the column does not take.
const IMPOSSIBLE: u64 = 3 * HIGHEST;
/// Where the impossible reading is said to stand.
const NOWHERE: u64 = 111;

/// Lets the keeper lie. It is given back with a run that it has slipped past its own checks.
///
/// # Errors
/// A lie that is believed.
pub fn scene(
    mut keeper: Keeper,
    folder: &Path,
    asker: &Asker,
    meters: &Meters,
    tell: &mut Narrator,
) -> Result<Keeper, Failure> {
    tell.section("A keeper that lies in six ways")?;
    let mut told = Told { reasons: Vec::new() };
    let parts = AnswerParts { certificates: true, root: None };
    let honest = |text: &str| keeper.answer(TABLE, text, asker.version, &parts).map(|(answer, _)| answer);

    let mut sum = honest(SUM)?;
    sum.totals.iter_mut().flatten().for_each(|total| *total += 1u32);
    told.refused(tell, asker, "a sum of one watt more", SUM, &sum)?;

    let mut hidden = honest(SUM)?;
    let key_box = asker.query(SUM)?.key_box();
    let run = hidden.runs.iter().rposition(|claim| key_box.holds(&claim.slot.key));
    run.map(|run| hidden.runs.remove(run));
    told.refused(tell, asker, "a run left out", SUM, &hidden)?;

    // An honest cut, at another rank than the median's.
    let off = honest("percentile_cont(power, 49/100) where time between 101 and 104")?;
    told.refused(tell, asker, "a median some ranks off", MEDIAN, &Answer { query: MEDIAN.to_owned(), ..off })?;

    others_row(&keeper, asker, meters, tell, &mut told)?;

    // Readings come late; the keeper goes on as if they had not.
    let mut before = honest(LATE)?;
    late_readings(&mut keeper)?;
    let asker = Asker::of_keeper(&keeper)?;
    before.version = asker.version;
    told.refused(tell, &asker, "the count before readings came late", LATE, &before)?;

    let keeper = impossible_reading(keeper, folder, tell, &mut told)?;
    tell.fact("lies", told.reasons);
    Ok(keeper)
}

/// The lies that were told, and why each was refused.
struct Told {
    reasons: Vec<Json>,
}

impl Told {
    /// Has a lie refused.
    fn refused(
        &mut self,
        tell: &Narrator,
        asker: &Asker,
        what: &str,
        text: &str,
        answer: &Answer,
    ) -> Result<(), Failure> {
        match asker.verify(text, answer)? {
            Ok(_) => Err(Failure::broken(format!("a lie was believed: {what}"))),
            Err(error) => self.note(tell, what, error.reason.name(), &error.to_string()),
        }
    }

    fn note(&mut self, tell: &Narrator, what: &str, name: &str, reason: &str) -> Result<(), Failure> {
        self.reasons.push(json!({ "lie": what, "reason": name }));
        tell.line(what, &format!("refused: {reason}"))
    }
}

/// The row of one home shown to another of the same district and kind: proved, and not its own.
fn others_row(
    keeper: &Keeper,
    asker: &Asker,
    meters: &Meters,
    tell: &Narrator,
    told: &mut Told,
) -> Result<(), Failure> {
    let (Some(mine), Some(theirs)) = (meters.readings.get(1), meters.readings.get(7)) else {
        return Err(Failure::broken("there are too few readings"));
    };
    let (_, text) = row_answer(keeper, asker, mine)?;
    let (answer, _) = row_answer(keeper, asker, theirs)?;
    let answer = Answer { query: text.clone(), ..answer };
    let outcome = asker.verify(&text, &answer)?.map_err(Failure::TableAnswer)?;
    match outcome.check_owner(&owner(mine)) {
        Ok(()) => Err(Failure::broken("a home took another's row for its own")),
        Err(error) => told.note(tell, "another home's row", error.reason.name(), &error.to_string()),
    }
}

fn late_readings(keeper: &mut Keeper) -> Result<(), Failure> {
    let rows = "time,district,industrial,power,user,tag\n110,1,0,77,home-late,0\n110,2,0,99,home-late,0\n";
    let schema = keeper.schema(TABLE)?;
    let mut source = CsvSource::new(rows.as_bytes(), &schema, &Default::default()).map_err(TablesError::from)?;
    keeper.import(TABLE, &schema, &mut source, &ImportOptions::default(), &mut |_| {})?;
    Ok(())
}

/// A run with a reading above the column's bound, written past the keeper's own checks: whoever
/// does not ask for certificates believes the sum.
fn impossible_reading(keeper: Keeper, folder: &Path, tell: &Narrator, told: &mut Told) -> Result<Keeper, Failure> {
    let schema = keeper.schema(TABLE)?;
    let columns = [NOWHERE, 1, 0].map(KeyValue::Unsigned);
    let columns = encode_columns(&schema, &columns).map_err(|error| Failure::broken(error.to_string()))?;
    let key = TableKey::Head { table: TABLE.to_owned(), column: 0, columns, run: 0 }.to_bytes();
    let texts = vec![vec!["home-none".to_owned(), String::new()]];
    let secret = SegmentSecret { first: 1, seed: [1; 32], numbers: vec![IMPOSSIBLE], texts };
    let sheet = keeper.setup().sheet(3)?;
    let record = secret.known(2).commit(sheet, secret.root().unwrap_or_default());
    let head = Head::single(0, record).to_bytes();
    let id = *keeper.archive().id();
    drop(keeper);

    let mut vault = Vault::open(folder, &id).map_err(TablesError::from)?;
    let place = SegmentPlace { head: key.clone(), revision: 0, segment: 0 };
    vault.prepare(&Pending { heads: &[] }, &[(place, secret)]).map_err(TablesError::from)?;
    vault.complete().map_err(TablesError::from)?;
    drop(vault);
    let mut archive = Archive::builder().open(folder)?;
    archive.import(vec![Change { key: Key::from(key), value: Some(Value::from(head)) }])?;
    let keeper = Keeper::open(archive, folder)?;

    let asker = Asker::of_keeper(&keeper)?;
    let wide = "sum(power)";
    let (mut answer, outcome) = keeper.answer(TABLE, wide, asker.version, &AnswerParts::default())?;
    // The certificates of all other runs, which are good.
    let certified = format!("sum(power) where time < {NOWHERE}");
    let parts = AnswerParts { certificates: true, root: None };
    answer.certificates = keeper.answer(TABLE, &certified, asker.version, &parts)?.0.certificates;
    let Finding::Groups(groups) = &outcome.finding else { return Err(Failure::broken("a sum without groups")) };
    let sum = groups.first().and_then(|group| group.value.clone()).unwrap_or_default();
    if sum < BigRational::from_integer(BigInt::from(IMPOSSIBLE)) {
        return Err(Failure::broken("the impossible reading is not in the sum"));
    }
    told.refused(tell, &asker, "60,000 W where 20,000 is the most", wide, &answer)?;
    tell.line("", &format!("who does not ask for certificates is told {sum} W, on an audit's word"))?;
    Ok(keeper)
}
