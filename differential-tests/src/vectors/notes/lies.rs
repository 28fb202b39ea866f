//! Notes that are forged, signed by others, or none; and honest ones that a reader who is wrong
//! refuses.

use base64ct::{Base64, Encoding as _};

use super::maker::{Maker, ORIGIN, ROOT, VERSION, line, ordinary, refused, root_text, signed, statement};
use crate::vectors::flags::Flag;
use crate::vectors::proof_case::ClassJson;

/// The order of Ed25519's group, lowest byte first.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// All of them.
pub(super) fn put(maker: &mut Maker) {
    others(maker);
    signatures(maker);
    statements(maker);
    lines(maker);
    limits(maker);
    keys(maker);
}

/// Lines by keys that the reader does not name.
fn others(maker: &mut Maker) {
    let text = ordinary();
    let (publisher, stranger) = (maker.publisher.line(&text), maker.stranger.line(&text));
    let strangers = [Flag::StrangersRefused];
    let unknown_kind = line("timestamp.example", &[9; 4], &[7; 100]);
    maker.signed(
        "a line of another kind of key",
        &strangers,
        &format!("{text}\n{unknown_kind}{publisher}"),
        &["timestamp.example"],
    );
    let false_stranger = line("stranger.example", &maker.stranger.hash(), &[7; 64]);
    maker.signed(
        "a false signature of a stranger",
        &strangers,
        &format!("{text}\n{publisher}{false_stranger}"),
        &["stranger.example"],
    );
    let namesake = line("publisher.example", &[9; 4], &[7; 64]);
    maker.signed(
        "a namesake's line before the publisher's",
        &strangers,
        &format!("{text}\n{namesake}{publisher}"),
        &["publisher.example"],
    );
    let not_signed = || refused("NotSigned", ClassJson::Other);
    let [one, other] = [maker.publisher.public(), maker.witness.public()];
    let only_stranger = format!("{text}\n{stranger}");
    let unchecked = [Flag::SignatureUnchecked];
    maker.put("strangers alone", &unchecked, vec![one.clone()], only_stranger.as_bytes(), not_signed());
    let note = format!("{text}\n{publisher}{stranger}");
    maker.put("one of two keys", &unchecked, vec![one.clone(), other], note.as_bytes(), not_signed());
    let wrong_hash = line("publisher.example", &[9; 4], &maker.publisher.sign(&text));
    let note = format!("{text}\n{wrong_hash}");
    let hash = [Flag::KeyHashUnchecked];
    maker.put("a true signature with another key's hash", &hash, vec![one.clone()], note.as_bytes(), not_signed());
    let wrong_name = line("witness.example", &maker.publisher.hash(), &maker.publisher.sign(&text));
    let note = format!("{text}\n{wrong_name}");
    maker.put("a true signature with another key's name", &hash, vec![one], note.as_bytes(), not_signed());
}

/// Signatures that are not the key's, or not of the text.
fn signatures(maker: &mut Maker) {
    let text = ordinary();
    let (keys, hash) = (vec![maker.publisher.public()], maker.publisher.hash());
    let (publisher, genuine) = (maker.publisher.line(&text), maker.publisher.sign(&text));
    let line_of = |signature: &[u8]| line("publisher.example", &hash, signature);
    let by_stranger = line_of(&maker.stranger.sign(&text));
    let mut changed = genuine.clone();
    changed[63] ^= 0x01;
    let other_root = Base64::encode_string(&[0xac; 32]);
    let unchecked = Flag::SignatureUnchecked;
    for (comment, flag, note) in [
        ("a changed version", unchecked, format!("{}\n{publisher}", statement(ORIGIN, "8", &root_text()))),
        ("a changed root", unchecked, format!("{}\n{publisher}", statement(ORIGIN, VERSION, &other_root))),
        ("another origin", unchecked, format!("{}\n{publisher}", statement("packages", VERSION, &root_text()))),
        ("a changed signature", unchecked, format!("{text}\n{}", line_of(&changed))),
        ("a stranger's signature under the key's name and hash", unchecked, format!("{text}\n{by_stranger}")),
        ("a signature of the text without its last line break", unchecked, {
            format!("{text}\n{}", line_of(&maker.publisher.sign(text.trim_end())))
        }),
        ("a signature of the text with the empty line", unchecked, {
            format!("{text}\n{}", line_of(&maker.publisher.sign(&format!("{text}\n"))))
        }),
        ("a byte order mark before the note", Flag::NoteTrimmed, format!("\u{feff}{text}\n{publisher}")),
        ("a signature of 63 bytes", unchecked, format!("{text}\n{}", line_of(&genuine[..63]))),
        ("a signature of 65 bytes", unchecked, format!("{text}\n{}", line_of(&[genuine.as_slice(), &[0]].concat()))),
        ("the point at infinity and 0 as signature", unchecked, {
            format!("{text}\n{}", line_of(&[&[1][..], &[0; 63]].concat()))
        }),
        ("a signature whose s is not below the order", Flag::MalleableSignature, {
            format!("{text}\n{}", line_of(&with_order_added(&genuine)))
        }),
        ("a false line of the key before its true one", Flag::RepeatedSignature, {
            format!("{text}\n{by_stranger}{publisher}")
        }),
    ] {
        let expected = refused("SignatureFalse", ClassJson::False);
        maker.put(comment, &[flag], keys.clone(), note.as_bytes(), expected);
    }
    let repeated = [Flag::RepeatedSignature];
    maker.signed("the key's line twice", &repeated, &format!("{text}\n{publisher}{publisher}"), &[]);
    let stranger = maker.stranger.line(&text);
    let note = format!("{text}\n{publisher}{stranger}{stranger}");
    maker.signed("a stranger's line twice", &repeated, &note, &["stranger.example"]);
    let note = format!("{text}\n{publisher}{by_stranger}");
    maker.signed("a false line of the key behind its true one", &repeated, &note, &[]);
}

/// A signature with the group's order added to s: the same equation holds.
fn with_order_added(signature: &[u8]) -> Vec<u8> {
    let mut changed = signature.to_vec();
    let mut carry = 0;
    for (byte, order) in changed[32..].iter_mut().zip(ORDER) {
        let sum = u16::from(*byte) + u16::from(order) + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    changed
}

/// Texts that the key has signed as they stand, and that say no root.
fn statements(maker: &mut Maker) {
    let root = root_text();
    let urls = root.replace('/', "_").replace('+', "-");
    let last_bits = root.replace("s=", "t=");
    assert!(urls != root && last_bits != root, "{root}");
    for (comment, flag, text) in [
        ("a version with a leading zero", Flag::NoteNotCanonical, statement(ORIGIN, "07", &root)),
        ("version 0 as two zeros", Flag::NoteNotCanonical, statement(ORIGIN, "00", &root)),
        ("a version with a plus sign", Flag::NoteNotCanonical, statement(ORIGIN, "+7", &root)),
        ("a negative version", Flag::NoteNotCanonical, statement(ORIGIN, "-7", &root)),
        ("a version behind a blank", Flag::NoteTrimmed, statement(ORIGIN, " 7", &root)),
        ("a version in other digits", Flag::NoteNotCanonical, statement(ORIGIN, "\u{ff17}", &root)),
        ("a version in hexadecimal", Flag::NoteNotCanonical, statement(ORIGIN, "0x7", &root)),
        ("a version of 65 bits", Flag::NoteNotCanonical, statement(ORIGIN, "18446744073709551616", &root)),
        ("no version", Flag::NoteNotCanonical, statement(ORIGIN, "", &root)),
        ("a root in the other alphabet of base64", Flag::NoteNotCanonical, statement(ORIGIN, VERSION, &urls)),
        ("a root whose last bits are not 0", Flag::NoteNotCanonical, statement(ORIGIN, VERSION, &last_bits)),
        ("a root without padding", Flag::NoteNotCanonical, statement(ORIGIN, VERSION, root.trim_end_matches('='))),
        ("a root with a blank behind it", Flag::NoteTrimmed, statement(ORIGIN, VERSION, &format!("{root} "))),
        ("a root of 31 bytes", Flag::NoteNotCanonical, statement(ORIGIN, VERSION, &Base64::encode_string(&ROOT[1..]))),
        ("a root of 33 bytes", Flag::NoteNotCanonical, statement(ORIGIN, VERSION, &Base64::encode_string(&[1; 33]))),
        ("a root in hexadecimal", Flag::NoteNotCanonical, statement(ORIGIN, VERSION, &hex::encode(ROOT))),
        ("no origin", Flag::NoteLines, statement("", VERSION, &root)),
        ("an origin of blanks", Flag::NoteLines, statement(" \u{3000}", VERSION, &root)),
        ("an origin with a control character", Flag::NoteLines, statement("a\u{85}b", VERSION, &root)),
        ("two lines", Flag::NoteLines, format!("{ORIGIN}\n{VERSION}\n")),
        ("four lines", Flag::NoteLines, format!("{}more\n", statement(ORIGIN, VERSION, &root))),
        ("an empty line in the text", Flag::NoteLines, format!("{ORIGIN}\n\n{VERSION}\n{root}\n")),
        ("an empty line at the end of the text", Flag::NoteLines, format!("{}\n", statement(ORIGIN, VERSION, &root))),
    ] {
        let note = maker.published(&text);
        maker.unreadable(comment, flag, note.as_bytes());
    }
}

/// Notes whose lines are not those of the form, with a signature that holds.
fn lines(maker: &mut Maker) {
    let text = ordinary();
    let publisher = maker.publisher.line(&text);
    let bytes = [maker.publisher.hash().as_slice(), &maker.publisher.sign(&text)].concat();
    let encoded = Base64::encode_string(&bytes);
    let honest = format!("{text}\n{publisher}");
    // 68 bytes leave two bits of the last digit unused.
    assert!(encoded.ends_with('='), "{encoded}");
    let digit = encoded.trim_end_matches('=').len() - 1;
    let mut loose = encoded.clone().into_bytes();
    loose[digit] += 1;
    let loose = String::from_utf8_lossy(&loose).into_owned();
    assert_eq!(Base64::decode_vec(&loose).ok(), None, "{loose}");
    for (comment, flag, note) in [
        ("no empty line", Flag::NoteLines, format!("{text}{publisher}")),
        ("two empty lines", Flag::NoteLines, format!("{text}\n\n{publisher}")),
        ("no signature", Flag::NoteLines, format!("{text}\n")),
        ("the text alone", Flag::NoteLines, text.clone()),
        ("nothing", Flag::NoteLines, String::new()),
        ("no line break at the end", Flag::NoteLines, honest.trim_end().to_owned()),
        ("an empty line at the end", Flag::NoteLines, format!("{honest}\n")),
        ("an empty line between signatures", Flag::NoteLines, format!("{honest}\n{publisher}")),
        ("line breaks as CR LF", Flag::NoteLines, honest.replace('\n', "\r\n")),
        ("CR LF at the end", Flag::NoteLines, format!("{}\r\n", honest.trim_end())),
        ("a tab", Flag::NoteLines, honest.replace("\u{2014} ", "\u{2014}\t")),
        ("a hyphen for the dash", Flag::NoteLines, honest.replace('\u{2014}', "-")),
        ("an en dash for the dash", Flag::NoteLines, honest.replace('\u{2014}', "\u{2013}")),
        ("a blank before the dash", Flag::NoteTrimmed, honest.replace('\u{2014}', " \u{2014}")),
        ("two blanks behind the dash", Flag::NoteTrimmed, honest.replace("\u{2014} ", "\u{2014}  ")),
        ("two blanks behind the name", Flag::NoteTrimmed, honest.replace("example ", "example  ")),
        ("a blank at the end of a signature", Flag::NoteTrimmed, format!("{} \n", honest.trim_end())),
        ("a signature's line without a name", Flag::NoteLines, format!("{text}\n\u{2014} {encoded}\n")),
        ("a signature without base64", Flag::NoteLines, format!("{honest}\u{2014} witness.example \n")),
        ("a name with a plus sign", Flag::NoteLines, format!("{honest}\u{2014} a+b {encoded}\n")),
        ("a name with a blank that is none of ASCII's", Flag::NoteLines, {
            format!("{honest}\u{2014} a\u{2009}b {encoded}\n")
        }),
        ("a signature of four bytes", Flag::NoteLines, format!("{honest}{}", line("witness.example", &[1; 4], &[]))),
        ("a signature whose last bits are not 0", Flag::NoteNotCanonical, honest.replace(&encoded, &loose)),
        ("a signature without padding", Flag::NoteNotCanonical, {
            honest.replace(&encoded, encoded.trim_end_matches('='))
        }),
        ("a stranger's signature whose last bits are not 0", Flag::NoteNotCanonical, {
            format!("{honest}\u{2014} stranger.example {loose}\n")
        }),
    ] {
        maker.unreadable(comment, flag, note.as_bytes());
    }
    let not_text = [b"\xff".as_slice(), honest.as_bytes()].concat();
    maker.unreadable("a byte that is no UTF-8", Flag::NoteLines, &not_text);
    let surrogate = [b"\xed\xa0\x80".as_slice(), honest.as_bytes()].concat();
    maker.unreadable("half a surrogate pair", Flag::NoteLines, &surrogate);
}

/// As long as a note may be, and longer.
fn limits(maker: &mut Maker) {
    let text = ordinary();
    let publisher = maker.publisher.line(&text);
    let stranger = |number: u32| line("stranger.example", &number.to_be_bytes(), &[7; 64]);
    let strangers = |count: u32| (0..count).map(stranger).collect::<String>();
    let limit = [Flag::LimitExceeded];
    let most = format!("{text}\n{}{publisher}", strangers(99));
    maker.signed("a hundred signatures", &limit, &most, &["stranger.example"]);
    let more = format!("{text}\n{}{publisher}", strangers(100));
    maker.unreadable("a hundred and one signatures", Flag::LimitExceeded, more.as_bytes());
    // A line's base64 takes four letters for three bytes.
    let filled = |length: usize| {
        let without = format!("{text}\n{publisher}").len() + line("long.example", &[9; 4], &[7; 65]).len();
        let bytes = (length - without) / 4 * 3 + 65;
        let name = format!("{}long.example", "x".repeat((length - without) % 4));
        (format!("{text}\n{publisher}{}", line(&name, &[9; 4], &vec![7; bytes])), name)
    };
    let (longest, name) = filled(1 << 16);
    assert_eq!(longest.len(), 1 << 16, "as long as a note may be");
    maker.signed("a note of 65,536 bytes", &limit, &longest, &[&name]);
    let (longer, _) = filled((1 << 16) + 1);
    assert_eq!(longer.len(), (1 << 16) + 1, "a byte longer");
    maker.unreadable("a note of 65,537 bytes", Flag::LimitExceeded, longer.as_bytes());
}

/// Keys' texts that are none.
fn keys(maker: &mut Maker) {
    let note = maker.published(&ordinary());
    let public = maker.publisher.public();
    let (name, rest) = public.split_once('+').expect("a name");
    let (hash, key) = rest.split_once('+').expect("a hash");
    let typed = maker.publisher.typed();
    let upper = hash.to_uppercase();
    assert_ne!(upper, hash, "a hash with letters");
    let other_kind = Base64::encode_string(&[&[2], &typed[1..]].concat());
    for (comment, flag, text) in [
        ("a key with another hash", Flag::KeyHashUnchecked, format!("{name}+00000000+{key}")),
        ("a key with another name", Flag::KeyHashUnchecked, format!("witness.example+{hash}+{key}")),
        ("a key whose hash has upper-case digits", Flag::NoteNotCanonical, format!("{name}+{upper}+{key}")),
        ("a key of another kind", Flag::UnknownTag, format!("{name}+{hash}+{other_kind}")),
        ("a key without a name", Flag::KeyHashUnchecked, format!("+{hash}+{key}")),
        ("a key without a hash", Flag::KeyHashUnchecked, format!("{name}+{key}")),
        ("a key of 31 bytes", Flag::Truncated, format!("{name}+{hash}+{}", Base64::encode_string(&typed[..32]))),
    ] {
        let expected = refused("Unreadable", ClassJson::Malformed);
        maker.put(comment, &[flag], vec![text], note.as_bytes(), expected);
    }
    let expected = signed(ORIGIN, 7, &[]);
    maker.put(
        "a key that is named twice",
        &[Flag::RepeatedSignature],
        vec![public.clone(), public],
        note.as_bytes(),
        expected,
    );
}
