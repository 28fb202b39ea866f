//! True proofs.

use aardvark_dictionary::Key;
use aardvark_proof::Question;

use super::book::numbered_key;
use super::maker::{Anchor, Maker};
use crate::vectors::flags::Flag;

/// Questions about the small dictionary: what each is, the flags of what goes wrong on it, and the
/// question.
fn small() -> Vec<(&'static str, &'static [Flag], Question)> {
    let keys = |keys: &[&str]| Question::keys(keys.iter().map(|key| Key::from(*key)));
    vec![
        ("a key that is present", &[], Question::key("cherry")),
        ("a key that is absent", &[], Question::key("corn")),
        ("an absent key below all", &[], Question::key("aaa")),
        ("an absent key above all: the slot has no next key", &[Flag::RingClosure], Question::key("zebra")),
        ("the largest key", &[Flag::RingClosure], Question::key("juniper")),
        ("a key that was deleted", &[], Question::key("fig")),
        ("present and absent keys", &[], keys(&["banana", "cherry", "corn", "fennel", "zebra"])),
        ("absent keys of one gap: one slot", &[], keys(&["corn", "cosmos", "cranberry"])),
        ("every key", &[Flag::RingClosure], Question::range("", "", None)),
        ("a range between present keys", &[], Question::range("cherry", "grape", None)),
        ("a range between absent keys", &[], Question::range("cat", "fog", None)),
        ("a range without entries", &[], Question::range("corn", "cow", None)),
        ("a range of one byte string", &[], Question::range("fig", "fig\0", None)),
        ("a range to the end", &[Flag::RingClosure], Question::range("hazel", "", None)),
        ("a range above all keys", &[Flag::RingClosure], Question::range("kiwi", "", None)),
        ("a limit that ends it", &[Flag::LimitIgnored], Question::range("banana", "hazel", Some(3))),
        ("a limit that is exactly reached", &[Flag::LimitIgnored], Question::range("banana", "date", Some(2))),
        ("a limit of all keys: the ring closes", &[Flag::RingClosure], Question::range("", "", Some(10))),
        ("a limit above what there is", &[], Question::range("hazel", "", Some(100))),
        ("a limit after the first gap", &[Flag::LimitIgnored], Question::range("blueberry", "", Some(1))),
        ("what comes before a present key", &[], Question::Predecessor("cherry".into())),
        ("what comes before an absent key", &[], Question::Predecessor("corn".into())),
        ("nothing comes before the least key", &[], Question::Predecessor("apple".into())),
        ("what comes before all keys' end", &[Flag::RingClosure], Question::Predecessor("zebra".into())),
        ("what comes after a present key", &[], Question::Successor("cherry".into())),
        ("what comes after an absent key", &[], Question::Successor("corn".into())),
        ("nothing comes after the largest key", &[Flag::RingClosure], Question::Successor("juniper".into())),
    ]
}

/// All true proofs.
pub(super) fn put(maker: &mut Maker<'_>) {
    let library = maker.library;
    for (comment, flags, asked) in small() {
        maker.holds(comment, flags, Anchor::Commitments(&library.small[1]), &asked);
    }
    for (comment, flags, asked) in small().into_iter().step_by(4) {
        maker.holds(&format!("{comment}, under a root"), flags, Anchor::Root(&library.small[1]), &asked);
    }
    let listed = Question::keys([10, 11, 2046, 2050, 4138].map(numbered_key));
    for (comment, asked) in [
        ("N = 1024: a key in the first vector", Question::key("k0100")),
        ("N = 1024: a key that version 1 brought", Question::key("k0101")),
        ("N = 1024: an absent key", Question::key("k2049")),
        ("N = 1024: a deleted key", Question::key("k3000")),
        ("N = 1024: keys of three vectors", listed),
        ("N = 1024: a range over the edge of a vector", Question::range("k2042", "k2051", None)),
    ] {
        maker.holds(comment, &[], Anchor::Commitments(&library.big[1]), &asked);
        maker.holds(&format!("{comment}, under a root"), &[], Anchor::Root(&library.big[1]), &asked);
    }
    maker.holds("version 0", &[], Anchor::Commitments(&library.small[0]), &Question::key("date"));
    maker.holds("another dictionary", &[], Anchor::Root(&library.other[0]), &Question::key("date"));
}
