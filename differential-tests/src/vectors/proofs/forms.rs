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
