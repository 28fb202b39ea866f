//! Boxes of keys: which runs of a column a query asks for (`aardvark_spec::table::key_box`).
//!
//! The key of a run's head is a prefix, which names table and column, and behind it the key columns
//! and the run's number, each of a fixed width. A box has for each of these a list of closed
//! intervals. Byte order is the order of the columns, one after the other, so [`KeyBox::next`]
//! finds the least key of a box from some byte string on column by column, from the last:
//!
//! ```text
//! least[i]  the least digits of the columns from i on
//! next[i]   the least digits of the columns from i on that are not below the asked ones:
//!           the asked digits of column i || next[i + 1], if both exist;
//!           else the least digits of column i above the asked ones || least[i + 1]
//! ```

/// The digits of a column from one up to another, both included, of the column's width.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    /// The least digits.
    pub low: Vec<u8>,
    /// The greatest digits.
    pub high: Vec<u8>,
}

/// A column of a box: canonical intervals, ascending, neither empty nor adjacent, so that a set of
/// digits has one such list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnBox {
    width: usize,
    intervals: Vec<Interval>,
}

/// A set of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBox {
    prefix: Vec<u8>,
    columns: Vec<ColumnBox>,
}

/// The number above, of the same width; none above the greatest.
fn above(digits: &[u8]) -> Option<Vec<u8>> {
    let last = digits.iter().rposition(|byte| *byte != u8::MAX)?;
    let raised = |(i, byte): (usize, &u8)| match i.cmp(&last) {
        std::cmp::Ordering::Less => *byte,
        std::cmp::Ordering::Equal => byte.wrapping_add(1),
        std::cmp::Ordering::Greater => 0,
    };
    Some(digits.iter().enumerate().map(raised).collect())
}

impl ColumnBox {
    /// All digits of a width.
    pub fn all(width: usize) -> Self {
        Self { width, intervals: vec![Interval { low: vec![0; width], high: vec![u8::MAX; width] }] }
    }

    /// The digits in any of these intervals, whose ends have the width; those that begin behind
    /// their end are empty.
    pub fn of(width: usize, intervals: impl IntoIterator<Item = Interval>) -> Self {
        let mut sorted: Vec<Interval> =
            intervals.into_iter().filter(|interval| interval.low <= interval.high).collect();
        sorted.sort_unstable();
        let mut canonical: Vec<Interval> = Vec::new();
        for interval in sorted {
            match canonical.last_mut() {
                Some(last) if above(&last.high).is_none_or(|next| interval.low <= next) => {
                    last.high = interval.high.max(std::mem::take(&mut last.high));
                }
                _ => canonical.push(interval),
            }
        }
        Self { width, intervals: canonical }
    }

    /// The digits in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let both = self.intervals.iter().flat_map(|a| {
            other
                .intervals
                .iter()
                .map(|b| Interval { low: a.low.clone().max(b.low.clone()), high: a.high.clone().min(b.high.clone()) })
        });
        Self::of(self.width, both)
    }

    /// How many bytes the column has in a key.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The intervals.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// Whether digits lie in one of the intervals.
    fn holds(&self, digits: &[u8]) -> bool {
        self.intervals.iter().any(|interval| interval.low.as_slice() <= digits && digits <= interval.high.as_slice())
    }

    /// The least digits above some.
    pub(crate) fn above(&self, digits: &[u8]) -> Option<Vec<u8>> {
        let interval = self.intervals.iter().find(|interval| interval.high.as_slice() > digits)?;
        if interval.low.as_slice() > digits { Some(interval.low.clone()) } else { above(digits) }
    }
}

impl KeyBox {
    /// The keys with a prefix and with each column behind it in the box's.
    pub fn new(prefix: Vec<u8>, columns: Vec<ColumnBox>) -> Self {
        Self { prefix, columns }
    }

    /// The least key that is at least `key`, whatever byte string that is.
    pub fn next(&self, key: &[u8]) -> Option<Vec<u8>> {
        let digits = match key.strip_prefix(self.prefix.as_slice()) {
            Some(rest) => self.next_digits(rest)?,
            None if key < self.prefix.as_slice() => self.next_digits(&[])?,
            None => return None,
        };
        Some([self.prefix.as_slice(), &digits].concat())
    }

    /// Whether a key lies in the box.
    pub fn holds(&self, key: &[u8]) -> bool {
        self.next(key).is_some_and(|next| next == key)
    }

    /// The least digits that are not below a byte string: one that is too short is filled up with
    /// zeros, which changes nothing about what is below it; of one that is too long the first
    /// digits are below it.
    fn next_digits(&self, key: &[u8]) -> Option<Vec<u8>> {
        let width = self.columns.iter().map(ColumnBox::width).sum();
        let mut asked: Vec<u8> = key.iter().copied().take(width).collect();
        asked.resize(width, 0);
        let mut rest = asked.as_slice();
        let (mut next, mut least) = ((key.len() <= width).then(Vec::new), Vec::new());
        for column in self.columns.iter().rev() {
            let (before, digits) = rest.split_at_checked(rest.len().checked_sub(column.width)?)?;
            let stays = next.filter(|_| column.holds(digits)).map(|behind| [digits, &behind].concat());
            next = stays.or_else(|| Some([column.above(digits)?, least.clone()].concat()));
            // A column without digits leaves the box without keys.
            least = [column.intervals.first()?.low.clone(), least].concat();
            rest = before;
        }
        next
    }
}
