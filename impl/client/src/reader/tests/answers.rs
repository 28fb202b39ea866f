//! Lists of keys and ranges, from archives some of which lie, are overloaded or end half-way.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use aardvark_proof::{AnswerProof, Entry, KeyRange, Question as Asked, Reason};

use super::*;

type Shown = Vec<(String, String)>;

fn shown(entries: &[Entry]) -> Shown {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    entries.iter().map(|Entry { key, value }| (text(key), text(value))).collect()
}

/// What the dictionary has at the newest version: forty keys without `key-07`, and `round`.
fn all() -> Shown {
    let keys = (0..40).filter(|index| *index != 7).map(|index| (format!("key-{index:02}"), "v".to_owned()));
    keys.chain([("round".to_owned(), VERSIONS.to_string())]).collect()
}

fn range(from: &str, to: &str, limit: Option<u64>) -> KeyRange {
    KeyRange { from: from.into(), to: to.into(), limit }
}

/// Where the rest of a range begins, and who was not believed.
type Listed = Result<(Option<Key>, Vec<Accusation>), LightError>;

impl Network {
    /// An archive that answers questions, at most so much at a time, and changes its proofs.
    fn answering(&self, most: u64, change: impl Fn(AnswerProof) -> AnswerProof + Send + Sync + 'static) -> TestServer {
        let dictionary = Arc::clone(&self.dictionary);
        TestServer::new(move |request: &Request| dictionary.answer_question(request, most, &change))
    }

    /// The entries that were given, whatever came after them.
    fn list(&self, range: &KeyRange, archives: &[&TestServer]) -> (Shown, Listed) {
        let mut given = Vec::new();
        let read = self.reader(archives).read_range(range, now(), |entry| {
            given.push(entry);
            ControlFlow::Continue(())
        });
        (shown(&given), read.map(|read| (read.answers, read.refused)))
    }

    /// A lying archive alone, and before an honest one: nothing but what is true is given, and the
    /// liar is named.
    fn answer_fault(&self, change: impl Fn(AnswerProof) -> AnswerProof + Send + Sync + 'static) -> ProofFault {
        let (liar, honest) = (self.answering(1024, change), self.answering(1024, |proof| proof));
        let asked = range("key-05", "", None);
        let (given, alone) = self.list(&asked, &[&liar]);
        assert!(given.is_empty() && alone.unwrap_err().is_lie());
        let (given, read) = self.list(&asked, &[&liar, &honest]);
        assert_eq!(given, all()[5..]);
        let (resume, refused) = read.unwrap();
        assert_eq!((resume, refused.len()), (None, 1));
        assert_eq!(refused[0].server, Server::Archive(liar.url.clone()));
        match refused[0].fault.clone() {
            Fault::Proof(fault) => fault,
            other => panic!("{other}"),
        }
    }
}

fn reason(fault: &ProofFault) -> Reason {
    match fault {
        ProofFault::Answer(refusal) => refusal.reason,
        other => panic!("{other}"),
    }
}

#[test]
fn keys_are_read_in_order_and_ranges_to_their_end_or_limit() {
    let network = Network::new();
    let archive = network.answering(1024, |proof| proof);
    let wanted = ["round", "key-20", "key-07", "key-20"].map(Key::from);
    let read = network.reader(&[&archive]).read_keys(wanted, now()).unwrap();
    let answers: Vec<_> = read.answers.iter().map(|answer| (answer.key.clone(), answer.value.clone())).collect();
    let value = |text: &str| Some(aardvark_dictionary::Value::from(text));
    assert_eq!(answers, [("key-07".into(), None), ("key-20".into(), value("v")), ("round".into(), value("5"))]);
    assert_eq!((read.updated.header.version(), read.archive), (VERSIONS, archive.url.clone()));
    for (asked, expected, resume) in [
        (range("", "", None), &all()[..], None),
        (range("key-05", "key-09", None), &all()[5..8], None),
        (range("key-05", "", Some(3)), &all()[5..8], Some("key-09")),
        (range("round", "", Some(1)), &all()[39..], None),
        (range("key-07", "key-08", None), &[], None),
        (range("s", "", None), &[], None),
        (KeyRange::of_prefix("key-1".into(), None), &all()[9..19], None),
    ] {
        let (given, read) = network.list(&asked, &[&archive]);
        assert_eq!(given, expected, "{asked:?}");
        assert_eq!(read.unwrap(), (resume.map(Key::from), vec![]), "{asked:?}");
    }
}

#[test]
fn an_archive_that_answers_less_at_a_time_is_asked_for_less() {
    let network = Network::new();
    let busy = network.answering(8, |proof| proof);
    let (given, read) = network.list(&range("", "", None), &[&busy]);
    assert_eq!((given, read.unwrap()), (all(), (None, vec![])));
    let (given, read) = network.list(&range("", "", Some(20)), &[&busy]);
    assert_eq!((given, read.unwrap().0), (all()[..20].to_vec(), Some("key-21".into())));
    let wanted = (0..20).map(|index| Key::from(format!("key-{index:02}").as_str()));
    let read = network.reader(&[&busy]).read_keys(wanted, now()).unwrap();
    assert_eq!(read.answers.iter().filter(|answer| answer.value.is_some()).count(), 19);
    // One that never answers is asked for ever less, and left.
    let never = network.answering(0, |proof| proof);
    let (given, read) = network.list(&range("", "", None), &[&never]);
    assert!(given.is_empty() && !read.unwrap_err().is_lie());
    assert_eq!(never.requests(), 11);
}

#[test]
fn proofs_of_single_keys_are_asked_for_in_halves_where_all_are_too_much() {
    let network = Network::new();
    let dictionary = Arc::clone(&network.dictionary);
    let busy = TestServer::new(move |request: &Request| match request.json()["keys"].as_array().unwrap().len() {
        0..=3 => dictionary.answer(request, |proof| proof),
        _ => Reply::Body(422, br#"{"error":"less at a time","code":"too_costly"}"#.to_vec()),
    });
    let wanted: Vec<_> = (0..8).map(|index| (format!("key-{index:02}").as_str().into(), Question::Get)).collect();
    let read = network.reader(&[&busy]).read(&wanted, now()).unwrap();
    let present: Vec<bool> = read.answers.iter().map(|answer| answer.value.is_some()).collect();
    assert_eq!((present, busy.requests()), ([[true; 7].as_slice(), &[false]].concat(), 7));
}

#[test]
fn an_archive_that_hides_forges_adds_or_reorders_entries_is_named() {
    let network = Network::new();
    let reason_of = |change: fn(&mut AnswerProof)| {
        let fault = network.answer_fault(move |mut proof| {
            change(&mut proof);
            proof
        });
        reason(&fault)
    };
    assert_eq!(reason_of(|proof| drop(proof.claims.remove(3))), Reason::ChainNotCovering);
    assert_eq!(reason_of(|proof| drop(proof.claims.remove(0))), Reason::ChainNotCovering);
    assert_eq!(reason_of(|proof| proof.claims.swap(3, 4)), Reason::ChainNotCovering);
    assert_eq!(reason_of(|proof| proof.claims.push(proof.claims[0].clone())), Reason::ChainSuperfluous);
    assert_eq!(reason_of(|proof| proof.claims[2].slot.value = "forged".into()), Reason::AnswerOpeningFalse);
    assert_eq!(
        reason_of(|proof| {
            proof.claims[2].slot.next = proof.claims[3].slot.next.clone();
            proof.claims.remove(3);
        }),
        Reason::AnswerOpeningFalse
    );
    assert_eq!(reason_of(|proof| proof.claims[2].position = 1 << 40), Reason::AnswerPositionOutOfRange);
    let cut = |proof: &mut AnswerProof| {
        proof.claims.truncate(4);
        let kept: Vec<u64> = proof.claims.iter().map(|claim| claim.position / 8).collect();
        proof.tie.as_mut().unwrap().vectors.retain(|vector| kept.contains(&vector.number));
    };
    assert_eq!(reason_of(cut), Reason::ChainMissing);
}

#[test]
fn an_archive_that_answers_another_question_or_under_another_root_is_named() {
    let network = Network::new();
    let dictionary = Arc::clone(&network.dictionary);
    let elsewhere = network
        .answer_fault(move |proof| dictionary.prove_answer(&Asked::range("key-30", "", Some(1024)), proof.version));
    assert_eq!(reason(&elsewhere), Reason::OtherQuestion);
    let dictionary = Arc::clone(&network.dictionary);
    let shorter = network.answer_fault(move |proof| {
        let answer = dictionary.prove_answer(&Asked::range("key-05", "", Some(3)), proof.version);
        AnswerProof { question: proof.question, ..answer }
    });
    assert_eq!(reason(&shorter), Reason::ChainMissing);
    let dictionary = Arc::clone(&network.dictionary);
    let stale = network.answer_fault(move |proof| dictionary.prove_answer(&proof.question, 2));
    assert!(matches!(stale, ProofFault::AboutAnother { what: "version", .. }));
    let dictionary = Arc::clone(&network.dictionary);
    let relabelled = network.answer_fault(move |proof| AnswerProof {
        version: proof.version,
        ..dictionary.prove_answer(&proof.question, 2)
    });
    assert_eq!(reason(&relabelled), Reason::RootFalse);
    let other = TestDictionary::new("w");
    let foreign = network.answer_fault(move |proof| other.prove_answer(&proof.question, proof.version));
    assert_eq!(reason(&foreign), Reason::OtherDictionary);
    let untied = network.answer_fault(|proof| AnswerProof { tie: None, ..proof });
    assert_eq!(reason(&untied), Reason::TieMismatched);
    let path = network.answer_fault(|mut proof| {
        proof.tie.as_mut().unwrap().vectors[0].path[0][5] ^= 1;
        proof
    });
    assert_eq!(reason(&path), Reason::PathFalse);
}

#[test]
fn where_one_archive_ends_half_way_the_next_goes_on_and_nothing_is_given_twice() {
    let network = Network::new();
    let (dictionary, asked) = (Arc::clone(&network.dictionary), AtomicUsize::new(0));
    // Asked for less and less seven times, then two pages of eight, then lies.
    let failing = TestServer::new(move |request: &Request| {
        let lies = asked.fetch_add(1, Ordering::Relaxed) >= 9;
        dictionary.answer_question(request, 8, |mut proof| {
            if lies {
                proof.claims[1].slot.value = "forged".into();
            }
            proof
        })
    });
    let honest = network.answering(1024, |proof| proof);
    let (given, read) = network.list(&range("", "", None), &[&failing, &honest]);
    let (resume, refused) = read.unwrap();
    assert_eq!((given, resume, refused.len()), (all(), None, 1));
    assert!(refused[0].fault.is_lie() && honest.requests() == 1);
    let (given, read) = network.list(&range("", "", None), &[&failing]);
    assert!(given.is_empty() && read.unwrap_err().is_lie());
}

#[test]
fn who_has_heard_enough_is_told_where_the_rest_begins_and_no_more_is_asked() {
    let network = Network::new();
    let archive = network.answering(1024, |proof| proof);
    let mut given = 0;
    let read = network.reader(&[&archive]).read_range(&range("", "", None), now(), |_| {
        given += 1;
        if given == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((read.unwrap().answers, given, archive.requests()), (Some("key-02".into()), 2, 1));
}

#[test]
fn answers_that_are_none_are_refused_and_named() {
    let network = Network::new();
    let honest = network.answering(1024, |proof| proof);
    let asked = range("key-38", "", None);
    let deep = format!("{{\"format\":2,\"claims\":{}", "[".repeat(10_000));
    let none =
        ["", "<html>", "{}", "null", r#"{"format":1}"#, r#"{"format":2}"#, r#"{"format":2,"claims":[{}]}"#, &deep];
    for body in none {
        let body = body.to_owned();
        let server = TestServer::new(move |_| Reply::Body(200, body.clone().into_bytes()));
        let (given, read) = network.list(&asked, &[&server, &honest]);
        assert_eq!(given, all()[37..]);
        let refused = read.unwrap().1;
        assert!(matches!(refused[0].fault, Fault::Malformed(_)), "{}", refused[0]);
    }
    for silent in [Reply::Body(200, vec![b' '; 1 << 20]), Reply::Endless, Reply::Nothing] {
        let server = TestServer::new(move |_| silent.clone());
        let (given, read) = network.list(&asked, &[&server, &honest]);
        assert_eq!(given, all()[37..]);
        assert!(matches!(read.unwrap().1[0].fault, Fault::Silent(_) | Fault::Malformed(_)));
    }
}

#[test]
fn a_node_with_a_forged_genesis_is_named_by_the_root_of_an_answer_too() {
    let network = Network::new();
    let chain = TestChain::new(CHAIN, &network.dictionary.roots(), now(), |_| vec![1, 2, 3, 4]);
    let (_server, liar) = chain.serve_with(TestDictionary::new("w").genesis_file(CHAIN), |_, answer| answer);
    let honest = network.answering(1024, |proof| proof);
    let read = network.reader_of(liar, &[&honest]).read_keys(["round".into()], now()).unwrap();
    assert_eq!(read.known.facts, network.dictionary.facts());
    let [Accusation { fault: Fault::Genesis(why), .. }] = read.refused.as_slice() else { panic!("{:?}", read.refused) };
    assert!(why.contains("the root is over"), "{why}");
}

#[test]
fn answers_with_one_opening_are_taken_where_they_are_asked_for_and_nowhere_else() {
    let network = Network::new();
    let archive = network.answering(16, |proof| proof);
    let mut reader = network.reader(&[&archive]).together(true);
    let mut given = Vec::new();
    let read = reader.read_range(&range("", "", None), now(), |entry| {
        given.push(entry);
        ControlFlow::Continue(())
    });
    assert_eq!((read.unwrap().answers, shown(&given)), (None, all()));
    let keys = reader.read_keys(["round".into(), "nobody".into()], now()).unwrap().answers;
    assert_eq!(keys.iter().map(|key| key.value.is_some()).collect::<Vec<_>>(), [false, true]);
    let forged = network.answering(1024, |mut proof| {
        proof.claims[1].slot.value = "forged".into();
        proof
    });
    let read = network.reader(&[&forged]).together(true).read_range(&range("", "", None), now(), |_| panic!());
    let LightError::NoProof(refused) = read.unwrap_err() else { panic!() };
    assert!(matches!(&refused[0].fault, Fault::Proof(fault) if reason(fault) == Reason::AnswerOpeningFalse));
    // The other form than the one asked for.
    let dictionary = Arc::clone(&network.dictionary);
    let folding =
        network.answering(1024, move |proof| dictionary.prove_answer_as(&proof.question, proof.version, true));
    let (given, read) = network.list(&range("", "", None), &[&folding]);
    assert!(given.is_empty() && !read.unwrap_err().is_lie());
}
