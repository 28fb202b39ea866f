//! Honest ceremonies: the outputs are the inputs' values, and every answer is the true one.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, Scalar};
use aardvark_mixnet::ideal::{trace_in, trace_out};
use aardvark_mixnet::trace::{Answer, Trace};
use aardvark_mixnet::{FaultKind, Query, Reveal, TraceDirection};
use aardvark_sigma::List;
use common::Ceremony;

fn query(direction: TraceDirection, reveal: Reveal, inputs: &[bool], outputs: &[bool]) -> Query {
    Query {
        direction,
        reveal,
        inputs: inputs.to_vec(),
        outputs: outputs.to_vec(),
        querier: [5; 32],
        number: 1,
        reader: None,
    }
}

fn numbers(bits: &[bool]) -> Vec<usize> {
    (0..bits.len()).filter(|place| bits[*place]).collect()
}

/// Nothing, everything, the first, all but the first.
fn sets(n: usize) -> [Vec<bool>; 4] {
    [vec![false; n], vec![true; n], (0..n).map(|i| i == 0).collect(), (0..n).map(|i| i > 0).collect()]
}

/// Asks everything that can be asked with these sets, and compares.
fn compare(ceremony: &Ceremony, inputs: &[bool], outputs: &[bool]) {
    let read: Vec<Vec<u8>> = ceremony.read.iter().map(|value| value.clone().unwrap()).collect();
    let (i, j) = (numbers(inputs), numbers(outputs));
    let came_in = trace_in(&ceremony.values, &read, &i, &j);
    let came_out = trace_out(&ceremony.values, &read, &i, &j);
    let ask = |direction, reveal| ceremony.answer(&query(direction, reveal, inputs, outputs));
    assert_eq!(ask(TraceDirection::In, Reveal::Each).unwrap(), Answer::Bits(came_in.clone()));
    if !i.is_empty() {
        let count = came_in.iter().filter(|(_, held)| *held).count();
        assert_eq!(ask(TraceDirection::In, Reveal::Count).unwrap(), Answer::Count(count));
    }
    assert_eq!(ask(TraceDirection::In, Reveal::Any).unwrap_err().kind, FaultKind::QueryForbidden);
    let repeated = |value: &Vec<u8>| read.iter().filter(|other| *other == value).count() > 1;
    match ask(TraceDirection::Out, Reveal::Each) {
        Ok(answer) => assert_eq!(answer, Answer::Bits(came_out.clone())),
        Err(fault) => {
            assert_eq!(fault.kind, FaultKind::QueryForbidden);
            assert!(j.iter().any(|j| repeated(&read[*j])));
        }
    }
    // The first output of each value.
    let first = |j: &usize| !j_before(&read, &numbers(outputs), *j);
    let any: Vec<(usize, bool)> = came_out.iter().copied().filter(|(j, _)| first(j)).collect();
    assert_eq!(ask(TraceDirection::Out, Reveal::Any).unwrap(), Answer::Bits(any));
}

/// Whether an asked output before j has its value.
fn j_before(read: &[Vec<u8>], asked: &[usize], j: usize) -> bool {
    asked.iter().take_while(|other| **other < j).any(|other| read[*other] == read[j])
}

fn values(numbers: &[u16]) -> Vec<Vec<u8>> {
    numbers.iter().map(|number| number.to_be_bytes().to_vec()).collect()
}

#[test]
fn outputs_are_the_inputs_values_and_every_answer_is_true() {
    // Different, some equal, all equal; t = 1, between, m; one server, two, three, four.
    let cases: [(&[u16], u16, usize); 5] =
        [(&[1, 2], 2, 2), (&[7, 7, 7], 3, 1), (&[0, 65_535, 0], 1, 1), (&[9, 8], 4, 3), (&[4], 2, 1)];
    for (of_senders, servers, threshold) in cases {
        let ceremony = Ceremony::run(&values(of_senders), 2, servers, threshold);
        let mut read: Vec<Vec<u8>> = ceremony.read.iter().map(|value| value.clone().unwrap()).collect();
        let mut sent = ceremony.values.clone();
        read.sort();
        sent.sort();
        assert_eq!(read, sent);
        let sets = sets(of_senders.len());
        for (inputs, outputs) in sets.iter().zip(sets.iter().rev()).chain(sets.iter().zip(&sets)).skip(1) {
            compare(&ceremony, inputs, outputs);
        }
    }
}

#[test]
fn longer_values_and_absent_mixers_answer_alike() {
    let words = ["oak", "ash", "oak", "", "a longer name"];
    let values: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    for absent in [1, 2, 3] {
        let ceremony = Ceremony::run_without(&values, 16, 3, 2, &[absent]);
        assert_eq!(ceremony.layers.len(), 2);
        for (inputs, outputs) in sets(5).iter().zip(sets(5).iter().rev()) {
            compare(&ceremony, inputs, outputs);
        }
    }
}

#[test]
fn bits_of_many_rows_stand_in_their_places() {
    // Eight in a target: one less, as many, one more, two targets and a bit.
    for n in [7, 8, 9, 17] {
        let numbers: Vec<u16> = (0..n as u16).collect();
        let ceremony = Ceremony::run(&values(&numbers), 2, 2, 1);
        let every = |step: usize| (0..n).map(|i| i % step == 0).collect::<Vec<bool>>();
        for (inputs, outputs) in [(vec![true; n], every(2)), (every(3), vec![true; n]), (every(5), every(3))] {
            compare(&ceremony, &inputs, &outputs);
        }
    }
}

#[test]
fn a_number_with_more_bits_than_its_target_has_rows_is_no_answer() {
    let ceremony = Ceremony::run(&values(&[1, 2, 3]), 2, 1, 1);
    let mix = ceremony.mix();
    let all = [true; 3];
    let asked = query(TraceDirection::In, Reveal::Each, &all, &all);
    let trace = Trace::new(&mix, &asked).unwrap();
    let columns = ceremony.columns(&trace);
    let sums = trace.sums(&columns).unwrap();
    let (server, honest) = ceremony.shares(&trace, &columns, &[]).remove(0);
    // What results say where a share is less by so many G, and its proof is not looked at.
    let read = |less: u64| {
        let share = G1Projective::from(honest.shares.at(0, 0)) - G1Affine::generator() * Scalar::from(less);
        let mut made = honest.clone();
        made.shares = List::computed(vec![share.to_affine()], 1);
        trace.result(&sums, &[], &[(server, &made)], None)
    };
    assert_eq!(read(0), Ok(Answer::Bits(vec![(0, true), (1, true), (2, true)])));
    for less in [1, 2, 8, 248, 249] {
        assert_eq!(read(less).unwrap_err().kind, FaultKind::AnswerNotABit, "{less}");
    }
}

#[test]
fn queries_about_rows_that_do_not_exist_are_refused() {
    let ceremony = Ceremony::run(&values(&[1, 2]), 2, 1, 1);
    for (inputs, outputs) in [(vec![true; 3], vec![true; 2]), (vec![true; 2], vec![true]), (vec![], vec![])] {
        let asked = query(TraceDirection::In, Reveal::Each, &inputs, &outputs);
        assert_eq!(ceremony.answer(&asked).unwrap_err().kind, FaultKind::QueryOutOfRange);
    }
}
