//! Queries of a mixnet: an honest run answers as the ideal does, in every mode, and no legal
//! question lets the specification panic.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_spec::base::group::{G1, g1_multiple};
use aardvark_spec::base::scalar::{Scalar, scalar_of_number, scalar_zero};
use aardvark_spec::convert::{to_seq, to_vec};
use aardvark_spec::mixnet::trace::{TraceDirection, TraceQuery, TraceReveal, trace_ideal, trace_legal};
use aardvark_spec::mixnet::trace_run::{TraceMixer, trace_run};
use hacspec_lib::Seq;
use proptest::prelude::*;
use proptest::sample::Index;

/// What a run is made of: for each server the order of its rows, the values' numbers, I and J.
#[derive(Clone, Debug)]
struct Ceremony {
    values: Vec<u8>,
    orders: Vec<Vec<usize>>,
    inputs: Vec<bool>,
    outputs: Vec<bool>,
    querier: u128,
    threshold: usize,
}

fn ceremony() -> impl Strategy<Value = Ceremony> {
    (1usize..6, 1usize..4).prop_flat_map(|(rows, servers)| {
        let order = Just((0..rows).collect::<Vec<_>>()).prop_shuffle();
        (
            // Few values, so that equal ones are frequent.
            prop::collection::vec(0u8..3, rows),
            prop::collection::vec(order, servers),
            prop::collection::vec(any::<bool>(), rows),
            prop::collection::vec(any::<bool>(), rows),
            prop_oneof![Just(0u128), 1u128..1000],
            any::<Index>(),
        )
            .prop_map(move |(values, orders, inputs, outputs, querier, threshold)| Ceremony {
                values,
                orders,
                inputs,
                outputs,
                querier,
                threshold: 1 + threshold.index(servers),
            })
    })
}

fn scalars(numbers: impl Iterator<Item = usize>) -> Seq<Scalar> {
    to_seq(numbers.map(|number| scalar_of_number(number as u128)).collect())
}

/// A value of two elements.
fn value(number: u8) -> Seq<G1> {
    to_seq(vec![g1_multiple(scalar_of_number(u128::from(number))), g1_multiple(scalar_zero())])
}

impl Ceremony {
    fn mixers(&self) -> Seq<TraceMixer> {
        let mixer = |(server, order): (usize, &Vec<usize>)| TraceMixer {
            mixer_images: to_seq(order.clone()),
            mixer_randomness: scalars((0..order.len()).map(|row| 7 + 31 * server + 5 * row)),
            mixer_factors: scalars((0..order.len()).map(|target| 3 + server + 11 * target)),
        };
        to_seq(self.orders.iter().enumerate().map(mixer).collect())
    }

    /// Where each input goes.
    fn assignment(&self) -> Vec<usize> {
        let through = |row: usize| self.orders.iter().fold(row, |row, order| order[row]);
        (0..self.values.len()).map(through).collect()
    }

    /// The answer of an honest run and the ideal one, of a question that can be asked.
    fn ask(&self, direction: TraceDirection, reveal: TraceReveal) -> Option<(Option<Vec<usize>>, Vec<usize>)> {
        let query = TraceQuery {
            trace_direction: direction,
            trace_reveal: reveal,
            trace_inputs: to_seq(self.inputs.clone()),
            trace_outputs: to_seq(self.outputs.clone()),
        };
        let assignment = self.assignment();
        let mut moved = vec![0; self.values.len()];
        assignment.iter().zip(&self.values).for_each(|(place, number)| moved[*place] = *number);
        let inputs = to_seq(self.values.iter().copied().map(value).collect());
        let outputs = to_seq(moved.into_iter().map(value).collect());
        if !trace_legal(&query, &outputs) {
            return None;
        }
        let coefficients = scalars((0..self.threshold).map(|a| 1000 + 17 * a));
        // Any t servers: the last ones.
        let servers = to_seq((0..self.threshold).map(|k| self.orders.len() - k).collect());
        let querier = scalar_of_number(self.querier);
        let run = trace_run(&query, &outputs, &self.mixers(), &coefficients, &servers, querier);
        Some((run.map(|run| to_vec(&run)), to_vec(&trace_ideal(&query, &inputs, &outputs, &to_seq(assignment)))))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_honest_run_answers_as_the_ideal_does(ceremony in ceremony()) {
        for direction in [TraceDirection::TraceIn, TraceDirection::TraceOut] {
            for reveal in [TraceReveal::RevealEach, TraceReveal::RevealAny, TraceReveal::RevealCount] {
                if let Some((run, ideal)) = ceremony.ask(direction, reveal) {
                    prop_assert_eq!(run, Some(ideal), "{:?} {:?}", direction, reveal);
                }
            }
        }
    }
}

/// Inputs 5, 5, 6 go to outputs 2, 1, 0, which have 6, 5, 5.
fn example(inputs: [bool; 3], outputs: [bool; 3]) -> Ceremony {
    Ceremony {
        values: vec![5, 5, 6],
        orders: vec![vec![1, 2, 0], vec![0, 2, 1]],
        inputs: inputs.to_vec(),
        outputs: outputs.to_vec(),
        querier: 0,
        threshold: 2,
    }
}

#[test]
fn equal_values_are_answered_together() {
    let asked = example([true, false, false], [true, true, true]);
    assert_eq!(asked.assignment(), [2, 1, 0]);
    // Only the value 5 comes from I, one of two rows.
    let any = asked.ask(TraceDirection::TraceOut, TraceReveal::RevealAny).unwrap();
    assert_eq!(any, (Some(vec![0, 1]), vec![0, 1]));
    let count = asked.ask(TraceDirection::TraceOut, TraceReveal::RevealCount).unwrap();
    assert_eq!(count, (Some(vec![1]), vec![1]));
    // Row by row it would be said how many inputs of the value 5 are in I.
    assert_eq!(asked.ask(TraceDirection::TraceOut, TraceReveal::RevealEach), None);
    assert_eq!(asked.ask(TraceDirection::TraceIn, TraceReveal::RevealAny), None);
    let unique = example([false, false, true], [true, false, false]);
    let each = unique.ask(TraceDirection::TraceOut, TraceReveal::RevealEach).unwrap();
    assert_eq!(each, (Some(vec![1]), vec![1]));
    // Of inputs 0 and 2 only the first has a value among outputs 1.
    let back = example([true, false, true], [false, true, false]);
    let each = back.ask(TraceDirection::TraceIn, TraceReveal::RevealEach).unwrap();
    assert_eq!(each, (Some(vec![1, 0]), vec![1, 0]));
}
