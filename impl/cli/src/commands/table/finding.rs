//! What an accepted answer says, for people and as JSON: integers and exact fractions.

use aardvark_aggregates::query::{Query, Statistic};
use aardvark_aggregates::{Finding, Outcome};
use aardvark_tables::number::show_number;
use aardvark_tables::source::fields::{shown_key, shown_value};
use num::{BigRational, ToPrimitive};
use serde_json::{Value, json};

use crate::report::Rows;

/// An exact value in units of the column's last digit: `p` or `p/q`.
fn exact(value: &BigRational) -> String {
    value.to_string()
}

/// How many digits of a result stand behind the point: the column's, as often as its numbers are
/// multiplied with each other.
fn digits_of(query: &Query) -> u32 {
    let factors = match query.statistic() {
        Statistic::Count | Statistic::Rank(_) => 0,
        Statistic::Moment(power) => u32::from(power),
        Statistic::Variance | Statistic::Stddev => 2,
        _ => 1,
    };
    factors * query.value_column().map_or(0, |column| u32::from(column.scale))
}

/// The same in the column's own units, or a power of them: a decimal number where it is one that
/// can be shown, else a fraction.
fn shown(query: &Query, value: &BigRational) -> String {
    let digits = digits_of(query);
    let integer = value.is_integer().then(|| value.to_integer().to_i128()).flatten();
    match integer.zip(u8::try_from(digits).ok()) {
        Some((integer, digits)) => show_number(integer, digits),
        None if digits > 0 => format!("{} / 10^{digits}", exact(value)),
        None => exact(value),
    }
}

/// The finding as rows.
pub fn rows(rows: Rows, query: &Query, outcome: &Outcome) -> Rows {
    let of = |value: &Option<BigRational>| value.as_ref().map_or("no rows".to_owned(), |value| shown(query, value));
    let squared = if query.statistic() == Statistic::Stddev { "square of the result" } else { "result" };
    match &outcome.finding {
        Finding::Groups(groups) => groups.iter().fold(rows, |rows, group| {
            let key: Vec<String> = group.key.iter().map(shown_value).collect();
            match key.is_empty() {
                true => rows.row(squared, of(&group.value)),
                false => rows.row(squared, format!("{}: {}", key.join(", "), of(&group.value))),
            }
        }),
        Finding::Order(order) => rows.row("result", of(&order.value)),
        Finding::Rank(rank) => rows.row("result", format!("{} of {} rows below", rank.below, rank.rows)),
        Finding::Row(row) => {
            let value = shown(query, &BigRational::from_integer(row.value.clone()));
            let key = shown_key(query.schema(), &row.key);
            let place = format!("row {} of run {}, revision {}", row.rank + 1, row.run, row.revision);
            let texts = query.schema().rows.iter().zip(&row.texts);
            let rows = texts.fold(rows, |rows, (name, text)| rows.row(name, text));
            rows.row("key", key).row("value", value).row("stands as", place)
        }
    }
}

/// The finding as JSON: numbers as strings, in units of the column's last digit or powers of them.
pub fn json(outcome: &Outcome) -> Value {
    let of = |value: &Option<BigRational>| value.as_ref().map(exact);
    match &outcome.finding {
        Finding::Groups(groups) => groups
            .iter()
            .map(|group| {
                let key: Vec<String> = group.key.iter().map(shown_value).collect();
                json!({ "key": key, "rows": group.rows.to_string(), "value": of(&group.value) })
            })
            .collect(),
        Finding::Order(order) => json!({ "rows": order.rows.to_string(), "value": of(&order.value) }),
        Finding::Rank(rank) => json!({ "rows": rank.rows.to_string(), "below": rank.below.to_string() }),
        Finding::Row(row) => json!({
            "key": row.key.iter().map(shown_value).collect::<Vec<_>>(), "run": row.run, "revision": row.revision,
            "rank": row.rank, "value": row.value.to_string(), "text": row.texts,
        }),
    }
}
