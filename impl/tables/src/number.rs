//! Decimal numbers of a fixed scale: 12.5 with two digits behind the point is 1250.

use thiserror::Error;

/// Why a text is no number of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NumberError {
    /// It is something else: a number is digits, perhaps behind a minus, perhaps with a point
    /// inside.
    #[error("is no number")]
    NotANumber,
    /// It has more digits behind the point than the scale.
    #[error("has {found} digits behind the point, where the column has {scale}")]
    Digits {
        /// The number's.
        found: usize,
        /// The column's.
        scale: u8,
    },
    /// It has more digits than any column takes.
    #[error("is larger than any column takes")]
    TooLarge,
}

/// The most digits that are looked at: 10^38 is below 2^127.
const MOST_DIGITS: usize = 38;

/// How many digits a number has behind its point; `None` where it is no number.
pub fn digits_behind_the_point(text: &str) -> Option<usize> {
    split(text).map(|(_, _, behind)| behind.len())
}

/// The number that a text is, times 10^scale.
///
/// # Errors
/// [`NumberError`].
pub fn parse_number(text: &str, scale: u8) -> Result<i128, NumberError> {
    let (negative, before, behind) = split(text).ok_or(NumberError::NotANumber)?;
    if behind.len() > usize::from(scale) {
        return Err(NumberError::Digits { found: behind.len(), scale });
    }
    let before = before.trim_start_matches('0');
    let padding = usize::from(scale) - behind.len();
    if before.len() + behind.len() + padding > MOST_DIGITS && !(before.is_empty() && behind.chars().all(|c| c == '0')) {
        return Err(NumberError::TooLarge);
    }
    let digits = before.bytes().chain(behind.bytes()).map(|digit| i128::from(digit - b'0'));
    let zeros = core::iter::repeat_n(0, padding);
    let number = digits.chain(zeros).try_fold(0i128, |number, digit| number.checked_mul(10)?.checked_add(digit));
    let number = number.ok_or(NumberError::TooLarge)?;
    Ok(if negative { -number } else { number })
}

/// A number as text, with as many digits behind the point as the scale.
pub fn show_number(number: i128, scale: u8) -> String {
    let scale = usize::from(scale);
    let digits = format!("{:0>width$}", number.unsigned_abs(), width = scale + 1);
    let (before, behind) = digits.split_at(digits.len().saturating_sub(scale));
    let sign = if number < 0 { "-" } else { "" };
    if behind.is_empty() { format!("{sign}{before}") } else { format!("{sign}{before}.{behind}") }
}

/// A number without the zeros that end what stands behind its point: they are of the type that
/// wrote it, not of the number.
pub fn without_zeros_behind(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Whether a minus stands in front, the digits before the point and those behind it.
fn split(text: &str) -> Option<(bool, &str, &str)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (before, behind) = match digits.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (digits, ""),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (!before.is_empty() && all_digits(before) && all_digits(behind)).then_some((negative, before, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_shown_in_their_scale() {
        for (text, scale, number) in [
            ("0", 0, 0),
            ("-5", 0, -5),
            ("12.5", 2, 1250),
            ("-0.01", 2, -1),
            ("007", 1, 70),
            ("9223372036854775807", 0, i128::from(i64::MAX)),
            ("-9223372036854775808", 0, i128::from(i64::MIN)),
        ] {
            assert_eq!(parse_number(text, scale), Ok(number), "{text}");
        }
        assert_eq!(show_number(1250, 2), "12.50");
        assert_eq!(show_number(-1, 2), "-0.01");
        assert_eq!(show_number(-5, 0), "-5");
        assert_eq!(show_number(i128::from(i64::MIN), 0), "-9223372036854775808");
        assert_eq!(parse_number(&show_number(-70, 3), 3), Ok(-70));
    }

    #[test]
    fn zeros_end_what_stands_behind_a_point_only() {
        for (text, shorter) in [("1.50", "1.5"), ("100", "100"), ("100.00", "100"), ("0.0", "0"), ("-7", "-7")] {
            assert_eq!(without_zeros_behind(text), shorter);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", "+1", "1e3", "1.", ".5", "1.2.3", " 1", "1 ", "0x1", "--1", "NaN", "1,5", "١"] {
            assert_eq!(parse_number(text, 3), Err(NumberError::NotANumber), "{text}");
        }
        assert_eq!(parse_number("1.234", 2), Err(NumberError::Digits { found: 3, scale: 2 }));
        assert_eq!(parse_number(&"9".repeat(39), 0), Err(NumberError::TooLarge));
        assert_eq!(parse_number("1", 200), Err(NumberError::TooLarge));
        assert_eq!(parse_number(&"0".repeat(1000), 255), Ok(0));
    }
}
