//! Questions that nobody can ask, proofs of other questions and dictionaries, and texts and bytes
//! that are no proof.

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::Key;
use aardvark_proof::{AnswerProof, Question, Region, answer_bytes};

use super::maker::{Anchor, Maker, is_malformed, is_other, text_of};
use crate::vectors::flags::Flag;

/// All of them.
pub(super) fn put(maker: &mut Maker<'_>) {
    questions(maker);
    headers(maker);
    texts(maker);
    lists(maker);
    nulls(maker);
    bytes(maker);
}

/// What nobody can ask has no answer, whoever says that there is one.
fn questions(maker: &mut Maker<'_>) {
    let anchor = Anchor::Commitments(&maker.library.small[1]);
    let listed = |keys: &[&str]| Question::Region(Region::Keys(keys.iter().map(|key| Key::from(*key)).collect()));
    for (comment, asked) in [
        ("no keys", listed(&[])),
        ("the sentinel's key", listed(&[""])),
        ("keys that descend", listed(&["date", "cherry"])),
        ("a key twice", listed(&["cherry", "cherry"])),
        ("a range without a key", Question::range("cherry", "cherry", None)),
        ("a range whose ends are exchanged", Question::range("date", "cherry", None)),
        ("a limit of 0", Question::range("cherry", "date", Some(0))),
        ("what comes before the empty key", Question::Predecessor(Key::empty())),
    ] {
        maker.lie(comment, &[Flag::IllegalQuestion], anchor, &asked, is_malformed("QuestionIllegal", None), |proof| {
            proof.claims.clear();
        });
    }
}

/// What a proof says of itself.
fn headers(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let cherry = Question::key("cherry");
    let uncompared = [Flag::QuestionUncompared];
    for (comment, answered) in [
        ("a proof of another key", Question::key("date")),
        ("a proof of what comes after the key", Question::Successor("cherry".into())),
        ("a proof of more keys", Question::keys(["cherry", "date"].map(Key::from))),
        ("a proof of a range of the one key", Question::range("cherry", "cherry\0", None)),
    ] {
        maker.judged(comment, &uncompared, anchor, &cherry, &now.prove(&answered), is_other("OtherQuestion"));
    }
    let (asked, answered) = (Question::range("cherry", "", Some(3)), Question::range("cherry", "", Some(2)));
    maker.judged(
        "a proof with a smaller limit",
        &uncompared,
        anchor,
        &asked,
        &now.prove(&answered),
        is_other("OtherQuestion"),
    );
    let mut header = |comment: &str, expected, change: &dyn Fn(&mut AnswerProof)| {
        maker.lie(comment, &[Flag::HeaderBelieved], anchor, &cherry, expected, change);
    };
    header("another vector size", is_other("OtherVectorSize"), &|proof| proof.vector_size = 8);
    header("another scheme", is_other("OtherScheme"), &|proof| proof.scheme = SchemeKind::LibertYung);
    header("a version that is not there yet", is_other("OtherVersion"), &|proof| proof.version = 2);
    header("another dictionary's id", is_other("OtherDictionary"), &|proof| proof.dictionary.0[31] ^= 0x80);
}

/// Texts that are no proof.
fn texts(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let cherry = Question::key("cherry");
    let text = text_of(&now.prove(&cherry));
    let replaced = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let opening = format!("\"opening\":\"0x{}", hex::encode(now.claim_of("cherry").opening));
    for (comment, flag, changed) in [
        ("a format that does not exist", Flag::UnknownTag, replaced("\"format\":2", "\"format\":3")),
        ("a scheme that does not exist", Flag::UnknownTag, replaced("\"kzg\"", "\"kzh\"")),
        ("a question that does not exist", Flag::UnknownTag, replaced("\"keys\"", "\"kees\"")),
        ("an unknown field", Flag::UnknownField, replaced("\"format\":2", "\"format\":2,\"surprise\":1")),
        ("an unknown field of a claim", Flag::UnknownField, replaced("\"position\"", "\"surprise\":1,\"position\"")),
        ("no version", Flag::UnknownField, replaced("\"version\":1,", "")),
        ("a negative position", Flag::Arithmetic, replaced("\"position\":3", "\"position\":-1")),
        ("a position that is no integer", Flag::Arithmetic, replaced("\"position\":3", "\"position\":3.5")),
        ("a position as a string", Flag::Arithmetic, replaced("\"position\":3", "\"position\":\"3\"")),
        ("a vector size above 2^32", Flag::Arithmetic, replaced("\"vector_size\":4", "\"vector_size\":4294967300")),
        ("an opening of 47 bytes", Flag::Truncated, replaced(&opening, &opening[..opening.len() - 2])),
        ("an opening of 49 bytes", Flag::TrailingBytes, replaced(&opening, &format!("{opening}00"))),
        ("half a byte", Flag::Truncated, replaced("0x636865727279", "0x63686572727")),
        ("hexadecimal without its prefix", Flag::UnknownTag, replaced("\"0x636865727279\"", "\"636865727279\"")),
        ("a text that is cut", Flag::Truncated, text[..text.len() - 1].to_owned()),
        ("a text that goes on", Flag::TrailingBytes, format!("{text}]")),
        ("an empty text", Flag::Truncated, String::new()),
        ("a list", Flag::UnknownTag, format!("[{text}]")),
    ] {
        maker.unreadable(comment, &[flag], anchor, &cherry, Ok(changed));
    }
    let longest = replaced("0x6f6c64", &format!("0x{}", "61".repeat(1025)));
    maker.unreadable("a value of 1,025 bytes", &[Flag::LimitExceeded], anchor, &cherry, Ok(longest));
}

/// Objects as lists of their fields' values, in the order in which the fields are written.
fn lists(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let cherry = Question::key("cherry");
    let range = Question::range("cherry", "date", Some(3));
    let (known, root, alone) = (Anchor::Commitments(now), Anchor::Root(now), Anchor::RootAlone(now));
    for (comment, anchor, asked, before) in [
        ("a proof as a list of its values", known, &cherry, ""),
        ("a question as a list", known, &cherry, "\"question\":"),
        ("a range as a list of its values", known, &range, "\"range\":"),
        ("a claim as a list of its values", known, &cherry, "\"claims\":["),
        ("a slot as a list of its values", known, &cherry, "\"slot\":"),
        ("what ties to the root as a list of its values", root, &cherry, "\"root\":"),
        ("a tied vector as a list of its values", root, &cherry, "\"vectors\":["),
        ("an identity as a list of its values", alone, &cherry, "\"identity\":"),
    ] {
        let text = text_of(&anchor.prove(asked));
        let object = object_behind(&text, before);
        let changed = text.replacen(object, &listed(object), 1);
        maker.unreadable(comment, &[Flag::ListForObject], anchor, asked, Ok(changed));
    }
}

/// The object that stands behind the first occurrence of a text. No string of a proof has a bracket
/// in it.
fn object_behind<'a>(text: &'a str, before: &str) -> &'a str {
    let start = text.find(before).expect("a field of the proof") + before.len();
    let mut open = 0;
    let closes = |character: char| {
        open += match character {
            '{' | '[' => 1,
            '}' | ']' => -1,
            _ => 0,
        };
        open == 0
    };
    let length = text[start..].find(closes).expect("the end of an object");
    &text[start..=start + length]
}

/// An object without the names of its fields, as a list.
fn listed(object: &str) -> String {
    let (mut open, mut in_name, mut list) = (0, true, String::new());
    for character in object.chars() {
        match character {
            '{' | '[' => open += 1,
            '}' | ']' => open -= 1,
            _ => {}
        }
        match (open, character) {
            (1, '{') => list.push('['),
            (0, _) => list.push(']'),
            (1, ':') if in_name => in_name = false,
            (1, ',') => {
                in_name = true;
                list.push(',');
            }
            _ if in_name => {}
            _ => list.push(character),
        }
    }
    list
}

/// null where a field may be left out.
fn nulls(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let cherry = Question::key("cherry");
    let range = Question::range("cherry", "date", None);
    let (known, root) = (Anchor::Commitments(now), Anchor::Root(now));
    let (plain, folded) = (now.prove(&cherry), now.together(now.prove(&cherry)));
    for (comment, anchor, asked, proof, before, field) in [
        ("null for a limit that is not there", known, &range, now.prove(&range), "\"from\"", "limit"),
        ("null for an opening that is not there", known, &cherry, folded, "\"slot\"", "opening"),
        ("null for a folded opening that is not there", known, &cherry, plain.clone(), "\"claims\"", "folded_opening"),
        ("null for a root that is not there", known, &cherry, plain, "\"claims\"", "root"),
        ("null for an identity that is not there", root, &cherry, now.prove_rooted(&cherry), "\"size\"", "identity"),
    ] {
        let text = text_of(&proof);
        assert!(text.contains(before), "{before}");
        let changed = text.replacen(before, &format!("\"{field}\":null,{before}"), 1);
        maker.unreadable(comment, &[Flag::NullForMissing], anchor, asked, Ok(changed));
    }
}

/// Bytes that are no proof.
fn bytes(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Root(now);
    let cherry = Question::key("cherry");
    let bytes = answer_bytes::encode(&now.prove_rooted(&cherry)).expect("a proof");
    let with = |place: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[place] = byte;
        changed
    };
    // u8 2 || dictionary (32) || u8 scheme || u32 N || u64 version || question
    for (comment, flag, changed) in [
        ("another first byte", Flag::UnknownTag, with(0, 3)),
        ("a scheme's number that does not exist", Flag::UnknownTag, with(33, 9)),
        ("a question's number that does not exist", Flag::UnknownTag, with(46, 4)),
        ("as many keys as 32 bits count", Flag::CountBeyondContent, with(47, 0xff)),
        ("bytes without the last", Flag::Truncated, bytes[..bytes.len() - 1].to_vec()),
        ("bytes without the last path", Flag::Truncated, bytes[..bytes.len() - 64].to_vec()),
        ("a byte behind the proof", Flag::TrailingBytes, [bytes.as_slice(), &[0]].concat()),
        ("no bytes", Flag::Truncated, Vec::new()),
    ] {
        maker.unreadable(comment, &[flag], anchor, &cherry, Err(changed));
    }
}
