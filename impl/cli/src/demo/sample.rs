//! The sample of Debian's package index that ships with the command (`impl/cli/data/README.md`):
//! the admin and net sections of two stable releases, with real updates, additions and removals
//! between them.

use super::apt_lists::State;
use crate::import::debian::{DebianError, read_index};
use crate::input::Input;

/// A state of the sample: suite, day of its Release file, LZ4 frame.
const STATES: [(&str, &str, &[u8]); 2] = [
    ("bookworm, admin and net", "2026-07-11", include_bytes!("../../data/debian-bookworm-2026-07-11.packages.lz4")),
    ("trixie, admin and net", "2026-09-12", include_bytes!("../../data/debian-trixie-2026-09-12.packages.lz4")),
];

/// The two states, the older first.
///
/// # Errors
/// None in a binary that was built from intact files.
pub fn states() -> Result<Vec<State>, DebianError> {
    let state = |(suite, date, bytes): (&str, &str, &'static [u8])| {
        let index = read_index(Input::new(format!("sample of {suite}"), Box::new(bytes)))?;
        Ok(State { title: suite.to_owned(), date: date.to_owned(), index })
    };
    STATES.into_iter().map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::debian::difference;

    #[test]
    fn the_sample_has_the_updates_additions_and_removals_that_its_readme_states() {
        let states = states().unwrap();
        let (old, new) = (&states[0].index, &states[1].index);
        let changes = difference(old, new);
        let removed = changes.iter().filter(|change| change.value.is_none()).count();
        let added = new.keys().filter(|name| !old.contains_key(*name)).count();
        assert_eq!((old.len(), new.len()), (3518, 3635));
        assert_eq!((added, removed, changes.len() - added - removed), (373, 256, 2977));
    }
}
