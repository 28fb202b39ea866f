//! Notes that are signed as they have to be.

use super::maker::{Maker, ORIGIN, VERSION, ordinary, root_text, signed, statement};
use crate::vectors::flags::Flag;

/// All of them.
pub(super) fn put(maker: &mut Maker) {
    let text = ordinary();
    let [publisher, witness, stranger] =
        [&maker.publisher, &maker.witness, &maker.stranger].map(|signer| signer.line(&text));
    let both = vec![maker.publisher.public(), maker.witness.public()];
    maker.signed("one signature", &[], &format!("{text}\n{publisher}"), &[]);
    let three = format!("{text}\n{witness}{stranger}{publisher}");
    maker.signed("a signature among two by others", &[], &three, &["stranger.example", "witness.example"]);
    maker.put(
        "two keys have signed, and one besides",
        &[],
        both,
        three.as_bytes(),
        signed(ORIGIN, 7, &["stranger.example"]),
    );
    for (comment, version) in [("version 0", 0), ("the greatest version", u64::MAX)] {
        let text = statement(ORIGIN, &version.to_string(), &root_text());
        let (keys, note) = (vec![maker.publisher.public()], maker.published(&text));
        maker.put(comment, &[], keys, note.as_bytes(), signed(ORIGIN, version, &[]));
    }
    for (comment, flags, origin) in [
        ("an origin with other letters than ASCII's", &[][..], "Wörterbuch – 辞書"),
        ("an origin with blanks at its ends", &[Flag::NoteTrimmed], " packages "),
        ("an origin that is a byte order mark, which is no white space", &[Flag::NoteTrimmed], "\u{feff}"),
    ] {
        let text = statement(origin, VERSION, &root_text());
        let (keys, note) = (vec![maker.publisher.public()], maker.published(&text));
        maker.put(comment, flags, keys, note.as_bytes(), signed(origin, 7, &[]));
    }
}
