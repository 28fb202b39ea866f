//! The answer that a chain of slots gives to a question, once they are known to be slots of the
//! dictionary (`aardvark_spec::answer::scan`).
//!
//! Between a slot's key and its next key there is no live key. So slots that cover, one after the
//! other, all that is asked for show every entry of it and leave no gap:
//!
//! ```text
//! cursor := the least asked key
//! each slot must cover the cursor; if its key is the cursor, it is an entry
//! cursor := the least asked key from slot.next on; there is none where the ring closes
//! ```
//!
//! The slots end exactly where the cursor does, or where the limit is reached: the cursor then says
//! where to go on. All slots must be of one version, since slots of two versions do not compose.

use aardvark_dictionary::{Key, Slot, Value};

use crate::question::{Question, Region};

/// A live key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// Its value.
    pub value: Value,
}

/// A key that was asked for, and its value, or that it is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAnswer {
    /// The key.
    pub key: Key,
    /// Its value; `None` where the key is absent.
    pub value: Option<Value>,
}

/// The entries of a range.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RangeAnswer {
    /// The entries, in ascending order.
    pub entries: Vec<Entry>,
    /// Where the limit was reached: the least key of the range of which nothing is said. To go on,
    /// ask from it.
    pub resume: Option<Key>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To a list of keys: each with its value, or absent.
    Keys(Vec<KeyAnswer>),
    /// To a range.
    Range(RangeAnswer),
    /// The greatest live key below the asked one; none where there is none.
    Predecessor(Option<Entry>),
    /// The least live key above the asked one; none where there is none.
    Successor(Option<Key>),
}

/// Why slots do not answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainFault {
    /// The slot does not cover the cursor, or does not precede the key.
    NotCovering,
    /// The slot stands where all has been answered.
    SlotSuperfluous,
    /// The slots end before all has been answered.
    SlotMissing,
}

/// How far a scan of a region has come.
#[derive(Clone, Debug)]
pub struct Scan<'a> {
    region: &'a Region,
    /// The least asked key of which nothing is known yet; none where all is known.
    cursor: Option<Key>,
    /// The entries found, in ascending order.
    entries: Vec<Entry>,
}

impl<'a> Scan<'a> {
    /// A scan that begins.
    pub fn new(region: &'a Region) -> Self {
        Self { region, cursor: region.asked_from(&Key::empty()).cloned(), entries: Vec::new() }
    }

    /// The key that the next slot has to cover; `None` where nothing more is to be shown: all is
    /// known, or there are as many entries as were asked for.
    pub fn wanted(&self) -> Option<&Key> {
        let limit_reached = self.region.limit().is_some_and(|most| self.entries.len() as u64 >= most);
        self.cursor.as_ref().filter(|_| !limit_reached)
    }

    /// Goes on with one more slot.
    ///
    /// # Errors
    /// [`ChainFault::SlotSuperfluous`], [`ChainFault::NotCovering`].
    pub fn step(&mut self, slot: &Slot) -> Result<(), ChainFault> {
        let cursor = self.wanted().ok_or(ChainFault::SlotSuperfluous)?;
        if !slot.covers(cursor) {
            return Err(ChainFault::NotCovering);
        }
        // The sentinel is no entry.
        let entry = slot.key == *cursor && !slot.key.is_empty();
        // Where the slot's next key does not come after the cursor, the ring closes: no live key
        // comes after it.
        let next = Some(&slot.next).filter(|next| cursor < next).and_then(|next| self.region.asked_from(next)).cloned();
        if entry {
            self.entries.push(Entry { key: slot.key.clone(), value: slot.value.clone() });
        }
        self.cursor = next;
        Ok(())
    }

    /// What the slots answer.
    ///
    /// # Errors
    /// [`ChainFault::SlotMissing`] where they end too early.
    pub fn finish(self) -> Result<Answer, ChainFault> {
        if self.wanted().is_some() {
            return Err(ChainFault::SlotMissing);
        }
        Ok(match self.region {
            Region::Keys(keys) => Answer::Keys(key_answers(keys, &self.entries)),
            Region::Range(_) => Answer::Range(RangeAnswer { entries: self.entries, resume: self.cursor }),
        })
    }
}

/// Each asked key with its value, or absent where it is not among the entries, which are in order.
fn key_answers(keys: &[Key], entries: &[Entry]) -> Vec<KeyAnswer> {
    let value = |key: &Key| {
        let found = entries.binary_search_by(|entry| entry.key.cmp(key)).ok()?;
        entries.get(found).map(|entry| entry.value.clone())
    };
    keys.iter().map(|key| KeyAnswer { key: key.clone(), value: value(key) }).collect()
}

/// The answer of slots, all of one version of the dictionary, to a question.
///
/// # Errors
/// [`ChainFault`].
pub fn answer_of_slots<'a>(
    question: &Question,
    mut slots: impl ExactSizeIterator<Item = &'a Slot>,
) -> Result<Answer, ChainFault> {
    match question {
        Question::Region(region) => {
            let mut scan = Scan::new(region);
            slots.try_for_each(|slot| scan.step(slot))?;
            scan.finish()
        }
        Question::Predecessor(key) => {
            let slot = single(slots)?;
            let precedes = slot.precedes(key).then_some(slot).ok_or(ChainFault::NotCovering)?;
            // The sentinel is no entry.
            let entry = Entry { key: precedes.key.clone(), value: precedes.value.clone() };
            Ok(Answer::Predecessor(Some(entry).filter(|entry| !entry.key.is_empty())))
        }
        Question::Successor(key) => {
            let slot = single(slots)?;
            let covers = slot.covers(key).then_some(slot).ok_or(ChainFault::NotCovering)?;
            Ok(Answer::Successor(Some(covers.next.clone()).filter(|next| !next.is_empty())))
        }
    }
}

/// The only slot.
fn single<'a>(mut slots: impl ExactSizeIterator<Item = &'a Slot>) -> Result<&'a Slot, ChainFault> {
    if slots.len() > 1 {
        return Err(ChainFault::SlotSuperfluous);
    }
    slots.next().ok_or(ChainFault::SlotMissing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(key: &str, next: &str) -> Slot {
        Slot { key: key.into(), value: format!("v{key}").as_str().into(), next: next.into() }
    }

    /// The ring of b, d and f.
    fn ring() -> [Slot; 4] {
        [slot("", "b"), slot("b", "d"), slot("d", "f"), slot("f", "")]
    }

    fn range(
        from: &str,
        to: &str,
        limit: Option<u64>,
        chain: &[Slot],
    ) -> Result<(Vec<String>, Option<Key>), ChainFault> {
        match answer_of_slots(&Question::range(from, to, limit), chain.iter())? {
            Answer::Range(RangeAnswer { entries, resume }) => {
                Ok((entries.iter().map(|entry| String::from_utf8_lossy(&entry.key).into_owned()).collect(), resume))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_chain_shows_every_entry_of_a_range_and_no_other() {
        let ring = ring();
        let found = |keys: &[&str], resume: Option<&str>| {
            Ok((keys.iter().map(|key| (*key).to_owned()).collect(), resume.map(Key::from)))
        };
        assert_eq!(range("", "", None, &ring), found(&["b", "d", "f"], None));
        assert_eq!(range("b", "f", None, &ring[1..3]), found(&["b", "d"], None));
        assert_eq!(range("c", "e", None, &ring[1..3]), found(&["d"], None));
        assert_eq!(range("b", "", Some(2), &ring[1..3]), found(&["b", "d"], Some("f")));
        assert_eq!(range("g", "", None, &ring[3..]), found(&[], None));
    }

    #[test]
    fn a_chain_that_is_cut_begins_late_has_a_gap_or_goes_on_is_refused() {
        let ring = ring();
        assert_eq!(range("b", "", None, &ring[1..3]), Err(ChainFault::SlotMissing));
        assert_eq!(range("b", "", None, &[]), Err(ChainFault::SlotMissing));
        assert_eq!(range("b", "", None, &ring[2..]), Err(ChainFault::NotCovering));
        assert_eq!(range("b", "", None, &[ring[1].clone(), ring[3].clone()]), Err(ChainFault::NotCovering));
        assert_eq!(range("b", "f", None, &ring[1..]), Err(ChainFault::SlotSuperfluous));
        assert_eq!(range("b", "", Some(1), &ring[1..3]), Err(ChainFault::SlotSuperfluous));
        let doubled = [&ring[1..2], &ring[1..2]].concat();
        assert_eq!(range("b", "d", None, &doubled), Err(ChainFault::SlotSuperfluous));
    }

    #[test]
    fn neighbours_are_those_of_the_single_slot() {
        let ring = ring();
        let ask = |question: Question, chain: &[Slot]| answer_of_slots(&question, chain.iter());
        let (below, above) =
            (|key: &str| Question::Predecessor(key.into()), |key: &str| Question::Successor(key.into()));
        let entry = Entry { key: "b".into(), value: "vb".into() };
        assert_eq!(ask(below("d"), &ring[1..2]), Ok(Answer::Predecessor(Some(entry))));
        assert_eq!(ask(below("b"), &ring[..1]), Ok(Answer::Predecessor(None)));
        assert_eq!(ask(above("e"), &ring[2..3]), Ok(Answer::Successor(Some("f".into()))));
        assert_eq!(ask(above("f"), &ring[3..]), Ok(Answer::Successor(None)));
        assert_eq!(ask(below("b"), &ring[1..2]), Err(ChainFault::NotCovering));
        assert_eq!(ask(above("d"), &ring[1..2]), Err(ChainFault::NotCovering));
        assert_eq!(ask(above("d"), &[]), Err(ChainFault::SlotMissing));
        assert_eq!(ask(above("d"), &ring[2..]), Err(ChainFault::SlotSuperfluous));
    }
}
