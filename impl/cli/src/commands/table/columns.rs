//! Columns as people type them: `time:u64`, `town:text20`, `power:0..=20000`.

use aardvark_aggregates::{KeyColumn, KeyKind, ValueColumn};
use aardvark_tables::number::{digits_behind_the_point, parse_number};

/// A value column without its bits and moments, which are options of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRange {
    /// Its name.
    pub name: String,
    /// The lowest number.
    pub lowest: i64,
    /// The highest number minus the lowest.
    pub span: u64,
    /// How many digits behind the point its numbers have.
    pub scale: u8,
}

impl ValueRange {
    /// The column, with the least bits that the span fits where none are given.
    pub fn column(&self, bits: Option<u8>, moments: u8) -> ValueColumn {
        let Self { name, lowest, span, scale } = self.clone();
        let needed = (u64::BITS - span.leading_zeros()).div_ceil(8).max(1) * 8;
        ValueColumn { name, lowest, span, bits: bits.unwrap_or(needed as u8), moments, scale }
    }
}

/// A key column: a name, and u8, u16, .., u64, i8, .., i64, or text and a number of bytes.
///
/// # Errors
/// What is wrong with it.
pub fn parse_key_column(text: &str) -> Result<KeyColumn, String> {
    let (name, sort) = text.split_once(':').ok_or("a key column is NAME:TYPE, as in time:u64")?;
    let unknown = || format!("{sort:?} is none of u8 .. u64, i8 .. i64 and text1 .. text128");
    let digits = sort.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number: u8 = digits.parse().map_err(|_| unknown())?;
    let (kind, width) = match sort.strip_suffix(digits).unwrap_or_default() {
        "u" if number.is_multiple_of(8) => (KeyKind::Unsigned, number / 8),
        "i" if number.is_multiple_of(8) => (KeyKind::Signed, number / 8),
        "text" => (KeyKind::Text, number),
        _ => return Err(unknown()),
    };
    let most = if kind == KeyKind::Text { 128 } else { 8 };
    if width == 0 || width > most {
        return Err(unknown());
    }
    Ok(KeyColumn { name: name.to_owned(), kind, width })
}

/// A key column's type as it is typed.
pub fn key_type(column: &KeyColumn) -> String {
    match column.kind {
        KeyKind::Unsigned => format!("u{}", 8 * u32::from(column.width)),
        KeyKind::Signed => format!("i{}", 8 * u32::from(column.width)),
        KeyKind::Text => format!("text{}", column.width),
    }
}

/// A value column: a name, the lowest and the highest number. The digits behind their points are
/// those that all numbers have.
///
/// # Errors
/// What is wrong with it.
pub fn parse_value_column(text: &str) -> Result<ValueRange, String> {
    const FORM: &str = "a value column is NAME:LOWEST..=HIGHEST, as in power:0..=20000";
    let (name, range) = text.split_once(':').ok_or(FORM)?;
    let (low, high) = range.split_once("..=").ok_or(FORM)?;
    let digits = |text: &str| digits_behind_the_point(text).ok_or(format!("{text:?} is no number"));
    let scale = u8::try_from(digits(low)?.max(digits(high)?)).map_err(|_| "too many digits behind the point")?;
    value_range(name, low, high, scale)
}

/// A value column of these bounds and this scale.
///
/// # Errors
/// What is wrong with it.
pub fn value_range(name: &str, low: &str, high: &str, scale: u8) -> Result<ValueRange, String> {
    let number = |text: &str| parse_number(text, scale).map_err(|error| format!("{text:?} {error}"));
    let (lowest, highest) = (number(low)?, number(high)?);
    let span = highest.checked_sub(lowest).and_then(|span| u64::try_from(span).ok());
    let span = span.ok_or_else(|| format!("{low} to {high} is no range of at most 2^64 numbers"))?;
    let lowest = i64::try_from(lowest).map_err(|_| format!("{low} is no lowest number: 64 bits"))?;
    Ok(ValueRange { name: name.to_owned(), lowest, span, scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_as_they_are_typed() {
        let key = |text: &str| parse_key_column(text).map(|column| (key_type(&column), column.name));
        assert_eq!(key("time:u64"), Ok(("u64".to_owned(), "time".to_owned())));
        assert_eq!(key("level:i16"), Ok(("i16".to_owned(), "level".to_owned())));
        assert_eq!(key("town:text128"), Ok(("text128".to_owned(), "town".to_owned())));
        for text in ["time", "time:", "time:u", "time:u12", "time:u72", "time:f64", "t:text0", "t:text129", "t:text"] {
            assert!(key(text).is_err(), "{text}");
        }
        let value = |text: &str| parse_value_column(text).map(|range| range.column(None, 2));
        let power = value("power:0..=20000").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((power.lowest, power.span, power.bits, power.scale), (0, 20_000, 16, 0));
        let heat = value("heat:-40.5..=60.25").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((heat.lowest, heat.span, heat.bits, heat.scale), (-4050, 10_075, 16, 2));
        let all = value("all:-9223372036854775808..=9223372036854775807").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((all.span, all.bits), (u64::MAX, 64));
        assert_eq!(value("one:5..=5").map(|one| (one.span, one.bits)), Ok((0, 8)));
        for text in ["p", "p:1", "p:1..2", "p:2..=1", "p:a..=b", "p:0..=18446744073709551616", "p:..=5"] {
            assert!(value(text).is_err(), "{text}");
        }
    }
}
