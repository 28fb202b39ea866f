//! Queries as text: what each names, and where a text that is none is wrong.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "scene/setups.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod setups;
#[path = "scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

use aardvark_aggregates::Query;
use aardvark_aggregates::query::{Function, Problem};
use table::schema;

fn parsed(text: &str) -> Query {
    Query::parse("meters", text, &schema()).unwrap()
}

#[test]
fn every_function_has_its_number_and_parameters() {
    let cases = [
        ("count(power)", (1, 0, 0)),
        ("sum(power)", (1, 1, 0)),
        ("mean(power)", (1, 1, 0)),
        ("moment(power, 1)", (1, 1, 0)),
        ("moment(power,2)", (1, 2, 0)),
        ("variance(power)", (1, 2, 0)),
        ("stddev(power)", (1, 2, 0)),
        ("min(power)", (3, 0, 1)),
        ("max(power)", (3, 1, 1)),
        ("median(power)", (4, 1, 2)),
        ("percentile_disc(power, 95/100)", (3, 19, 20)),
        ("percentile_cont(power, 0/7)", (4, 0, 1)),
        ("percentile_cont(power, 5/5)", (4, 1, 1)),
        ("top(power, 1/10)", (5, 1, 10)),
        // Numbers are from -20 to 230; what lies beyond is one beside.
        ("rank(power, -20)", (6, 0, 0)),
        ("rank(power, 230)", (6, 250, 0)),
        ("rank(power, 99999999999999999999)", (6, 251, 0)),
        ("rank(power, -21)", (6, 0, 0)),
        ("row(power)", (7, 0, 0)),
    ];
    for (text, parts) in cases {
        assert_eq!(parsed(text).function().parts(), parts, "{text}");
    }
    assert_eq!(parsed("row(power)").function(), Function::Row);
    // A number is read with the digits behind the point that the column has.
    let mut scaled = schema();
    scaled.values[0].scale = 2;
    let rank = |text: &str| Query::parse("meters", text, &scaled).map(|query| query.function().parts().1);
    assert_eq!(rank("rank(power, 1)"), Ok(120));
    assert_eq!(rank("rank(power, 1.5)"), Ok(170));
    assert_eq!(rank("rank(power, -0.07)"), Ok(13));
    assert!(rank("rank(power, 1.234)").is_err());
}

#[test]
fn texts_that_ask_for_the_same_have_the_same_bytes() {
    let same = [
        ("sum(power)", "sum ( power )\n"),
        ("sum(power) where time <= 9", "sum(power) where time < 10"),
        ("sum(power) where time <= 9", "sum(power) where time between 0 and 9"),
        ("sum(power) where time in (1, 2, 3, 7)", "sum(power) where time in (7, 3, 2, 1, 2)"),
        ("sum(power) where time between 1 and 3 and time >= 2", "sum(power) where time in (2, 3)"),
        ("sum(power) where time < 0", "sum(power) where time between 5 and 4"),
        ("sum(power) where district >= -128", "sum(power)"),
        ("median(power)", "percentile_cont(power, 2/4)"),
    ];
    for (one, other) in same {
        assert_eq!(parsed(one).to_bytes(), parsed(other).to_bytes(), "{one} and {other}");
    }
    let mut all: Vec<Vec<u8>> = [
        "sum(power)",
        "count(power)",
        "variance(power)",
        "sum(power) where time > 0",
        "sum(power) where kind = ''",
        "sum(power) where kind = 'a''b'",
        "sum(power) group by time",
        "sum(power) group by time, kind",
        "sum(power) group by kind, time",
        "sum(power) where time < 0",
        "sum(power) where district < -128",
    ]
    .iter()
    .map(|text| parsed(text).to_bytes())
    .collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn an_error_says_what_is_wrong_and_at_which_character() {
    let wrong = [
        ("", 1, "a function is wanted here, not the end"),
        ("total(power)", 1, "there is no function `total`"),
        ("SUM(power)", 1, "there is no function `SUM`"),
        ("sum power", 5, "( is wanted here, not `power`"),
        ("sum(energy)", 5, "there is no value column `energy`"),
        ("sum(power", 10, ") is wanted here, not the end"),
        ("sum(power) time = 1", 12, "the end, `where`, `and` or `group by` is wanted here, not `time`"),
        ("sum(power) where", 17, "a key column is wanted here, not the end"),
        ("sum(power) where power = 1", 18, "there is no key column `power`"),
        ("sum(power) where time", 22, "`=`, `<`, `<=`, `>`, `>=`, `between` or `in` is wanted here, not the end"),
        ("sum(power) where time != 1", 23, "`!` stands in no query"),
        ("sum(power) where time , 1", 23, "`=`, `<`, `<=`, `>`, `>=`, `between` or `in` is wanted here, not `,`"),
        ("sum(power) where time = 65536", 25, "this is no value of the column `time`: "),
        ("sum(power) where time = -1", 25, "this is no value of the column `time`: "),
        ("sum(power) where time = +1", 25, "`+` stands in no query"),
        ("sum(power) where time = '1'", 25, "this is no value of the column `time`: it is a text"),
        ("sum(power) where district = -129", 29, "this is no value of the column `district`: "),
        ("sum(power) where kind = a", 25, "this is no value of the column `kind`: texts stand in single quotes"),
        ("sum(power) where kind = 'abcd'", 25, "this is no value of the column `kind`: "),
        ("sum(power) where kind = 'ab", 25, "the text has no closing quote"),
        ("sum(power) where time between 1, 2", 32, "and is wanted here, not `,`"),
        ("sum(power) where time in ()", 27, "a value is wanted here, not `)`"),
        ("sum(power) where time = 1 or time = 2", 27, "the end, `where`, `and` or `group by` is wanted here"),
        ("min(power) group by time", 12, "only count, sum, mean, moment, variance and stddev are grouped"),
        ("sum(power) group time", 18, "by is wanted here, not `time`"),
        ("sum(power) group by time, time", 27, "`time` is named twice"),
        ("moment(power, 3)", 15, "the column has sums of powers up to 2, this asks for 3"),
        ("moment(power, 0)", 15, "`0` is no whole number"),
        ("moment(power, 300)", 15, "the column has sums of powers up to 2, this asks for 255"),
        ("top(power, 3/2)", 12, "3/2 is no share"),
        ("top(power, 1/0)", 12, "1/0 is no share"),
        ("top(power, 0.5)", 12, "`0.5` is no whole number"),
        ("rank(power, 1.5)", 13, "`1.5` is no number with at most 0 digits behind the point"),
        ("rank(power, )", 13, "a number is wanted here, not `)`"),
    ];
    for (text, at, what) in wrong {
        let error = Query::parse("meters", text, &schema()).unwrap_err();
        let shown = error.to_string();
        assert!(shown.starts_with(&format!("at character {at}: {what}")), "{text}: {shown}");
    }
    let long = format!("sum(power){}", " ".repeat(70_000));
    assert_eq!(Query::parse("meters", &long, &schema()).unwrap_err().problem, Problem::TooLong);
    let numbers: Vec<String> = (0..1025).map(|number| (2 * number).to_string()).collect();
    let many = format!("sum(power) where time in ({})", numbers.join(", "));
    assert_eq!(Query::parse("meters", &many, &schema()).unwrap_err().problem, Problem::Intervals);
}
