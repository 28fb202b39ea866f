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

/// The same in the column's own units, where it is an integer of such units that can be shown.
fn shown(query: &Query, value: &BigRational) -> String {
    let scale = query.value_column().map_or(0, |column| column.scale);
    let of_units = !matches!(
        query.statistic(),
        Statistic::Count | Statistic::Moment(_) | Statistic::Variance | Statistic::Stddev | Statistic::Rank(_)
    );
    match value.is_integer().then(|| value.to_integer().to_i128()).flatten() {
        Some(integer) if of_units => show_number(integer, scale),
        _ if scale > 0 && of_units => format!("{} / 10^{scale}", exact(value)),
        _ => exact(value),
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

/// The finding as JSON: numbers as strings, in units of the column's last digit.
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
