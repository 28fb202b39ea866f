//! Queries as text.
//!
//! ```text
//! query     = function [ "where" condition { "and" condition } ] [ "group" "by" column { "," column } ]
//! function  = ("count" | "sum" | "mean" | "variance" | "stddev" | "min" | "max" | "median" | "row") "(" column ")"
//!           | "moment" "(" column "," p ")" | "rank" "(" column "," number ")"
//!           | ("percentile_disc" | "percentile_cont" | "top") "(" column "," k "/" q ")"
//! condition = column ("=" | "<" | "<=" | ">" | ">=") value
//!           | column "between" value "and" value | column "in" "(" value { "," value } ")"
//! ```
//!
//! Conditions are about key columns; a value of a text column stands in single quotes, of which two
//! in a row are one. Letters are lower-case. Errors say at which character something is wrong.

use super::cursor::{Cursor, Token};
use super::error::{MAX_INTERVALS, MAX_TEXT, Problem, QueryError};
use super::{Fraction, Function, Query, Statistic};
use crate::key::{KeyValue, encode_value};
use crate::key_box::{ColumnBox, Interval};
use crate::schema::{KeyColumn, KeyKind, Schema, ValueColumn};

fn error(at: usize, problem: Problem) -> QueryError {
    QueryError { at, problem }
}

impl Query {
    /// Reads a query of a table with this schema.
    ///
    /// # Errors
    /// [`QueryError`]: where the text is no query of this table, and why.
    pub fn parse(table: &str, text: &str, schema: &Schema) -> Result<Self, QueryError> {
        if text.len() > MAX_TEXT {
            return Err(error(1, Problem::TooLong));
        }
        let mut cursor = Cursor::new(text)?;
        let (column, statistic, function) = function(&mut cursor, schema)?;
        let mut columns: Vec<ColumnBox> =
            schema.keys.iter().map(|column| ColumnBox::all(usize::from(column.width))).collect();
        if cursor.keyword("where") {
            condition(&mut cursor, schema, &mut columns)?;
            while cursor.keyword("and") {
                condition(&mut cursor, schema, &mut columns)?;
            }
        }
        let mut groups = Vec::new();
        let grouped = cursor.at();
        if cursor.keyword("group") {
            if !matches!(function, Function::Totals { .. }) {
                return Err(error(grouped, Problem::Grouped));
            }
            cursor.expect_keyword("by")?;
            group(&mut cursor, schema, &mut groups)?;
            while cursor.sign(",") {
                group(&mut cursor, schema, &mut groups)?;
            }
        }
        if !cursor.is_done() {
            return Err(cursor.wanted("the end, `where`, `and` or `group by`"));
        }
        Ok(Self { table: table.to_owned(), schema: schema.clone(), column, statistic, function, groups, columns })
    }
}

/// The function and its column.
fn function(cursor: &mut Cursor, schema: &Schema) -> Result<(u8, Statistic, Function), QueryError> {
    let (at, name) = cursor.word("a function")?;
    let known = [
        "count",
        "sum",
        "mean",
        "moment",
        "variance",
        "stddev",
        "min",
        "max",
        "median",
        "percentile_disc",
        "percentile_cont",
        "top",
        "rank",
        "row",
    ];
    if !known.contains(&name.as_str()) {
        return Err(error(at, Problem::Function(name)));
    }
    cursor.expect("(")?;
    let (column_at, column_name) = cursor.word("a value column")?;
    let place = schema.values.iter().position(|column| column.name == column_name);
    let (number, column) = place
        .and_then(|place| Some((u8::try_from(place).ok()?, schema.values.get(place)?)))
        .ok_or_else(|| error(column_at, Problem::ValueColumn(column_name)))?;
    let totals = |at: usize, power: u8, statistic: Statistic| {
        if power > column.moments {
            return Err(error(at, Problem::Moments { moments: column.moments, power }));
        }
        Ok((statistic, Function::Totals { powers: power }))
    };
    let whole = |k: u64, q: u64, statistic: Statistic, of: fn(Fraction) -> Function| {
        let share = Fraction::new(k, q).ok_or_else(|| error(at, Problem::Share { k, q }))?;
        Ok((statistic, of(share)))
    };
    let (statistic, function) = match name.as_str() {
        "count" => totals(at, 0, Statistic::Count)?,
        "sum" => totals(at, 1, Statistic::Sum)?,
        "mean" => totals(at, 1, Statistic::Mean)?,
        "variance" => totals(at, 2, Statistic::Variance)?,
        "stddev" => totals(at, 2, Statistic::Stddev)?,
        "moment" => {
            cursor.expect(",")?;
            let (power_at, power) = natural(cursor)?;
            let power = u8::try_from(power).unwrap_or(u8::MAX);
            if power == 0 {
                return Err(error(power_at, Problem::Number("0".to_owned())));
            }
            totals(power_at, power, Statistic::Moment(power))?
        }
        "min" => whole(0, 1, Statistic::Min, Function::PercentileDisc)?,
        "max" => whole(1, 1, Statistic::Max, Function::PercentileDisc)?,
        "median" => whole(1, 2, Statistic::Median, Function::PercentileCont)?,
        "percentile_disc" => {
            let share = share(cursor)?;
            (Statistic::PercentileDisc(share), Function::PercentileDisc(share))
        }
        "percentile_cont" => {
            let share = share(cursor)?;
            (Statistic::PercentileCont(share), Function::PercentileCont(share))
        }
        "top" => {
            let share = share(cursor)?;
            (Statistic::Top(share), Function::Top(share))
        }
        "rank" => {
            cursor.expect(",")?;
            rank(cursor, column)?
        }
        _ => (Statistic::Row, Function::Row),
    };
    cursor.expect(")")?;
    Ok((number, statistic, function))
}

/// A number without a sign.
fn natural(cursor: &mut Cursor) -> Result<(usize, u64), QueryError> {
    let (at, word) = cursor.word("a number")?;
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.parse().ok().filter(|_| digits);
    Ok((at, number.ok_or_else(|| error(at, Problem::Number(word)))?))
}

/// `, k / q`
fn share(cursor: &mut Cursor) -> Result<Fraction, QueryError> {
    cursor.expect(",")?;
    let (at, k) = natural(cursor)?;
    cursor.expect("/")?;
    let (_, q) = natural(cursor)?;
    Fraction::new(k, q).ok_or_else(|| error(at, Problem::Share { k, q }))
}

/// The number whose rank is asked for, in the column's notation.
fn rank(cursor: &mut Cursor, column: &ValueColumn) -> Result<(Statistic, Function), QueryError> {
    let (at, word) = cursor.word("a number")?;
    let wrong = || error(at, Problem::Decimal { number: word.clone(), scale: column.scale });
    let number = decimal(&word, column.scale).ok_or_else(wrong)?;
    // Above the highest number and below the lowest the answer is the same wherever it is.
    let distance = (number - i128::from(column.lowest)).clamp(0, i128::from(column.span) + 1);
    let distance = u64::try_from(distance).map_err(|_| error(at, Problem::Beyond(word.clone())))?;
    Ok((Statistic::Rank(number), Function::Rank { distance }))
}

/// A decimal number times 10^scale, if it has no more digits behind the point than the scale, and
/// at most 36 in all.
fn decimal(word: &str, scale: u8) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let (whole, behind) = digits.split_once('.').map_or((digits, None), |(whole, behind)| (whole, Some(behind)));
    let scale = usize::from(scale);
    let behind = behind.map_or(Some(""), |behind| (!behind.is_empty()).then_some(behind))?;
    let legal = !whole.is_empty() && behind.len() <= scale && whole.len() + scale <= 36;
    let all: String = [whole, behind].concat();
    if !legal || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i128 = format!("{all}{}", "0".repeat(scale - behind.len())).parse().ok()?;
    Some(if negative { -number } else { number })
}

/// A condition, which narrows its column.
fn condition(cursor: &mut Cursor, schema: &Schema, columns: &mut [ColumnBox]) -> Result<(), QueryError> {
    let at = cursor.at();
    let (place, column) = key_column(cursor, schema)?;
    let intervals = intervals(cursor, column)?;
    let asked = ColumnBox::of(usize::from(column.width), intervals);
    if let Some(narrowed) = columns.get_mut(place) {
        *narrowed = narrowed.intersection(&asked);
        if narrowed.intervals().len() > MAX_INTERVALS {
            return Err(error(at, Problem::Intervals));
        }
    }
    Ok(())
}

/// What a condition asks of its column.
fn intervals(cursor: &mut Cursor, column: &KeyColumn) -> Result<Vec<Interval>, QueryError> {
    let width = usize::from(column.width);
    let (least, greatest) = (vec![0; width], vec![u8::MAX; width]);
    if cursor.keyword("between") {
        let low = value(cursor, column)?;
        cursor.expect_keyword("and")?;
        return Ok(vec![Interval { low, high: value(cursor, column)? }]);
    }
    if cursor.keyword("in") {
        cursor.expect("(")?;
        let mut listed = vec![value(cursor, column)?];
        while cursor.sign(",") {
            listed.push(value(cursor, column)?);
        }
        cursor.expect(")")?;
        return Ok(listed.into_iter().map(|digits| Interval { low: digits.clone(), high: digits }).collect());
    }
    let wanted = cursor.wanted("`=`, `<`, `<=`, `>`, `>=`, `between` or `in`");
    let Token::Sign(sign) = cursor.take().1 else { return Err(wanted) };
    let legal = ["=", "<", "<=", ">", ">="].contains(&sign);
    if !legal {
        return Err(wanted);
    }
    let digits = value(cursor, column)?;
    Ok(match sign {
        "=" => vec![Interval { low: digits.clone(), high: digits }],
        "<=" => vec![Interval { low: least, high: digits }],
        ">=" => vec![Interval { low: digits, high: greatest }],
        "<" => below(&digits).map(|high| Interval { low: least, high }).into_iter().collect(),
        _ => ColumnBox::all(width).above(&digits).map(|low| Interval { low, high: greatest }).into_iter().collect(),
    })
}

/// The number below, of the same width; none below the least.
fn below(digits: &[u8]) -> Option<Vec<u8>> {
    let last = digits.iter().rposition(|byte| *byte != 0)?;
    let lowered = |(i, byte): (usize, &u8)| match i.cmp(&last) {
        std::cmp::Ordering::Less => *byte,
        std::cmp::Ordering::Equal => byte.wrapping_sub(1),
        std::cmp::Ordering::Greater => u8::MAX,
    };
    Some(digits.iter().enumerate().map(lowered).collect())
}

/// A value of a key column, encoded.
fn value(cursor: &mut Cursor, column: &KeyColumn) -> Result<Vec<u8>, QueryError> {
    let (wanted, (at, token)) = (cursor.wanted("a value"), cursor.take());
    let none = |reason: &str| error(at, Problem::Value { column: column.name.clone(), reason: reason.to_owned() });
    let value = match (token, column.kind) {
        (Token::Quoted(text), KeyKind::Text) => KeyValue::Text(text),
        (Token::Word(word), KeyKind::Unsigned) => {
            let number = word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()));
            KeyValue::Unsigned(number.ok_or_else(|| none("it is no whole number of at most 64 bits"))?)
        }
        (Token::Word(word), KeyKind::Signed) => {
            let digits = word.strip_prefix('-').unwrap_or(&word);
            let number = word.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
            KeyValue::Signed(number.ok_or_else(|| none("it is no whole number of at most 64 bits"))?)
        }
        (Token::Word(_), KeyKind::Text) => return Err(none("texts stand in single quotes")),
        (Token::Quoted(_), _) => return Err(none("it is a text, where a number is wanted")),
        _ => return Err(wanted),
    };
    let mut bytes = Vec::new();
    encode_value(0, column, &value, &mut bytes).map_err(|reason| none(&reason.to_string()))?;
    Ok(bytes)
}

/// A column of `group by`.
fn group(cursor: &mut Cursor, schema: &Schema, groups: &mut Vec<u8>) -> Result<(), QueryError> {
    let at = cursor.at();
    let (place, column) = key_column(cursor, schema)?;
    let place = u8::try_from(place).unwrap_or(u8::MAX);
    if groups.contains(&place) {
        return Err(error(at, Problem::Repeated(column.name.clone())));
    }
    groups.push(place);
    Ok(())
}

/// A key column by its name.
fn key_column<'a>(cursor: &mut Cursor, schema: &'a Schema) -> Result<(usize, &'a KeyColumn), QueryError> {
    let (at, name) = cursor.word("a key column")?;
    let found = schema.keys.iter().enumerate().find(|(_, column)| column.name == name);
    found.ok_or_else(|| error(at, Problem::KeyColumn(name)))
}
