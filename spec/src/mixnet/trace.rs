//! What queries mean: the ideal answers, read off from the true assignment of outputs to inputs,
//! and what servers have to decrypt for them.
//!
//! trace-in: which of the inputs I hold a value that stands among the outputs J? trace-out: which
//! of the outputs J hold a value that one of the inputs I holds? A value is a row of elements, so
//! equal values are equal rows. An answer is a number for each target: 0 or 1, or how many. Source:
//! docs/mixnet.md, "Queries".

use crate::base::group::*;
use crate::mixnet::trace_packed::*;
use hacspec_lib::*;

/// Which question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TraceDirection {
    /// Which of these inputs hold a value that stands among these outputs?
    TraceIn,
    /// Which of these outputs hold a value that one of these inputs holds?
    TraceOut,
}

/// What of the answer is decrypted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TraceReveal {
    /// Whether, for each asked row.
    RevealEach,
    /// Whether, for each value of the asked outputs.
    RevealAny,
    /// How many of the asked rows.
    RevealCount,
}

/// A question.
#[derive(Clone, Debug)]
pub struct TraceQuery {
    /// Which.
    pub trace_direction: TraceDirection,
    /// What of the answer.
    pub trace_reveal: TraceReveal,
    /// For each input whether it is in I.
    pub trace_inputs: Seq<bool>,
    /// For each output whether it is in J.
    pub trace_outputs: Seq<bool>,
}

/// One step of [`trace_rows_equal`].
pub fn trace_rows_equal_step(equal: bool, a: &Seq<G1>, b: &Seq<G1>, l: usize) -> bool {
    equal && g1_equal(a[l], g1_at(b, l))
}

/// Whether two values are the same.
pub fn trace_rows_equal(a: &Seq<G1>, b: &Seq<G1>) -> bool {
    let mut equal = a.len() == b.len();
    for l in 0..a.len() {
        equal = trace_rows_equal_step(equal, a, b, l);
    }
    equal
}

/// Whether a row is in a set.
pub fn trace_chosen(chosen: &Seq<bool>, i: usize) -> bool {
    i < chosen.len() && chosen[i]
}

/// One step of [`trace_stands`].
pub fn trace_stands_step(found: bool, values: &Seq<Seq<G1>>, chosen: &Seq<bool>, sought: &Seq<G1>, i: usize) -> bool {
    found || trace_chosen(chosen, i) && trace_rows_equal(&values[i], sought)
}

/// Whether a value stands in one of the chosen rows.
pub fn trace_stands(values: &Seq<Seq<G1>>, chosen: &Seq<bool>, sought: &Seq<G1>) -> bool {
    let mut found = false;
    for i in 0..values.len() {
        found = trace_stands_step(found, values, chosen, sought, i);
    }
    found
}

/// One step of [`trace_each`].
pub fn trace_each_step(
    answers: Seq<usize>,
    asked: &Seq<bool>,
    values: &Seq<Seq<G1>>,
    among: &Seq<bool>,
    others: &Seq<Seq<G1>>,
    i: usize,
) -> Seq<usize> {
    if trace_chosen(asked, i) {
        let number = if trace_stands(others, among, &values[i]) { 1 } else { 0 };
        answers.push_owned(number)
    } else {
        answers
    }
}

/// For each asked row whether its value stands among the chosen others.
pub fn trace_each(asked: &Seq<bool>, values: &Seq<Seq<G1>>, among: &Seq<bool>, others: &Seq<Seq<G1>>) -> Seq<usize> {
    let mut answers = Seq::<usize>::new(0);
    for i in 0..values.len() {
        answers = trace_each_step(answers, asked, values, among, others, i);
    }
    answers
}

/// One step of [`trace_total`].
pub fn trace_total_step(total: usize, numbers: &Seq<usize>, i: usize) -> usize {
    total + numbers[i]
}

/// The sum of numbers.
pub fn trace_total(numbers: &Seq<usize>) -> usize {
    let mut total = 0;
    for i in 0..numbers.len() {
        total = trace_total_step(total, numbers, i);
    }
    total
}

/// One step of [`trace_first_of_value`].
pub fn trace_first_of_value_step(first: bool, outputs: &Seq<Seq<G1>>, chosen: &Seq<bool>, j: usize, i: usize) -> bool {
    first && !(trace_chosen(chosen, i) && trace_rows_equal(&outputs[i], &outputs[j]))
}

/// Whether output `j` is asked for, and no asked output before it has the same value.
pub fn trace_first_of_value(outputs: &Seq<Seq<G1>>, chosen: &Seq<bool>, j: usize) -> bool {
    let mut first = j < outputs.len() && trace_chosen(chosen, j);
    for i in 0..j {
        first = trace_first_of_value_step(first, outputs, chosen, j, i);
    }
    first
}

/// One step of [`trace_firsts`].
pub fn trace_firsts_step(firsts: Seq<bool>, outputs: &Seq<Seq<G1>>, chosen: &Seq<bool>, j: usize) -> Seq<bool> {
    firsts.push_owned(trace_first_of_value(outputs, chosen, j))
}

/// For each output whether it is the first asked one of its value.
pub fn trace_firsts(outputs: &Seq<Seq<G1>>, chosen: &Seq<bool>) -> Seq<bool> {
    let mut firsts = Seq::<bool>::new(0);
    for j in 0..outputs.len() {
        firsts = trace_firsts_step(firsts, outputs, chosen, j);
    }
    firsts
}

/// One step of [`trace_moved`].
pub fn trace_moved_step(total: usize, query: &TraceQuery, assignment: &Seq<usize>, i: usize) -> usize {
    if trace_chosen(&query.trace_inputs, i) && trace_chosen(&query.trace_outputs, assignment[i]) {
        total + 1
    } else {
        total
    }
}

/// How many of the inputs I went to one of the outputs J.
pub fn trace_moved(query: &TraceQuery, assignment: &Seq<usize>) -> usize {
    let mut total = 0;
    for i in 0..assignment.len() {
        total = trace_moved_step(total, query, assignment, i);
    }
    total
}

/// The ideal answer, from the values and the true assignment: input i is output `assignment[i]`.
/// Nobody asks for `any` of trace-in.
pub fn trace_ideal(
    query: &TraceQuery,
    inputs: &Seq<Seq<G1>>,
    outputs: &Seq<Seq<G1>>,
    assignment: &Seq<usize>,
) -> Seq<usize> {
    match query.trace_direction {
        TraceDirection::TraceIn => {
            let each = trace_each(&query.trace_inputs, inputs, &query.trace_outputs, outputs);
            match query.trace_reveal {
                TraceReveal::RevealEach => each,
                TraceReveal::RevealAny => Seq::<usize>::new(0),
                TraceReveal::RevealCount => Seq::<usize>::new(0).push_owned(trace_total(&each)),
            }
        }
        TraceDirection::TraceOut => match query.trace_reveal {
            TraceReveal::RevealEach => trace_each(&query.trace_outputs, outputs, &query.trace_inputs, inputs),
            TraceReveal::RevealAny => {
                let firsts = trace_firsts(outputs, &query.trace_outputs);
                trace_each(&firsts, outputs, &query.trace_inputs, inputs)
            }
            TraceReveal::RevealCount => Seq::<usize>::new(0).push_owned(trace_moved(query, assignment)),
        },
    }
}

/// One step of [`trace_rows_of`].
pub fn trace_rows_of_step(rows: Seq<usize>, outputs: &Seq<Seq<G1>>, sought: &Seq<G1>, j: usize) -> Seq<usize> {
    if trace_rows_equal(&outputs[j], sought) { rows.push_owned(j) } else { rows }
}

/// All outputs of a value.
pub fn trace_rows_of(outputs: &Seq<Seq<G1>>, sought: &Seq<G1>) -> Seq<usize> {
    let mut rows = Seq::<usize>::new(0);
    for j in 0..outputs.len() {
        rows = trace_rows_of_step(rows, outputs, sought, j);
    }
    rows
}

/// One step of [`trace_unique`].
pub fn trace_unique_step(unique: bool, outputs: &Seq<Seq<G1>>, chosen: &Seq<bool>, j: usize) -> bool {
    unique && (!trace_chosen(chosen, j) || trace_rows_of(outputs, &outputs[j]).len() == 1)
}

/// Whether no asked output has the value of another output.
pub fn trace_unique(outputs: &Seq<Seq<G1>>, chosen: &Seq<bool>) -> bool {
    let mut unique = true;
    for j in 0..outputs.len() {
        unique = trace_unique_step(unique, outputs, chosen, j);
    }
    unique
}

/// Whether a question can be asked: sets of so many rows; `any` of outputs only; `each` of outputs
/// only where they have values of their own, since else it would say how many inputs of a value are
/// in I.
pub fn trace_legal(query: &TraceQuery, outputs: &Seq<Seq<G1>>) -> bool {
    let fits = query.trace_inputs.len() == outputs.len() && query.trace_outputs.len() == outputs.len();
    let allowed = match query.trace_direction {
        TraceDirection::TraceIn => match query.trace_reveal {
            TraceReveal::RevealEach => true,
            TraceReveal::RevealAny => false,
            TraceReveal::RevealCount => true,
        },
        TraceDirection::TraceOut => match query.trace_reveal {
            TraceReveal::RevealEach => trace_unique(outputs, &query.trace_outputs),
            TraceReveal::RevealAny => true,
            TraceReveal::RevealCount => true,
        },
    };
    fits && allowed
}

/// One step of [`trace_asked_rows`].
pub fn trace_asked_rows_step(rows: Seq<usize>, asked: &Seq<bool>, i: usize) -> Seq<usize> {
    if asked[i] { rows.push_owned(i) } else { rows }
}

/// All asked rows.
pub fn trace_asked_rows(asked: &Seq<bool>) -> Seq<usize> {
    let mut rows = Seq::<usize>::new(0);
    for i in 0..asked.len() {
        rows = trace_asked_rows_step(rows, asked, i);
    }
    rows
}

/// One step of [`trace_targets_any`].
pub fn trace_targets_any_step(
    targets: Seq<Seq<usize>>,
    outputs: &Seq<Seq<G1>>,
    chosen: &Seq<bool>,
    j: usize,
) -> Seq<Seq<usize>> {
    if trace_first_of_value(outputs, chosen, j) {
        targets.push_owned(trace_rows_of(outputs, &outputs[j]))
    } else {
        targets
    }
}

/// A target for each value of the asked outputs: all rows that have it, asked for or not.
pub fn trace_targets_any(outputs: &Seq<Seq<G1>>, chosen: &Seq<bool>) -> Seq<Seq<usize>> {
    let mut targets = Seq::<Seq<usize>>::new(0);
    for j in 0..outputs.len() {
        targets = trace_targets_any_step(targets, outputs, chosen, j);
    }
    targets
}

/// The set that is asked for: I of trace-in, J of trace-out.
pub fn trace_asked(query: &TraceQuery) -> Seq<bool> {
    match query.trace_direction {
        TraceDirection::TraceIn => query.trace_inputs.clone(),
        TraceDirection::TraceOut => query.trace_outputs.clone(),
    }
}

/// The targets: rows of the last column whose sums are decrypted, some of them more than once.
pub fn trace_targets(query: &TraceQuery, outputs: &Seq<Seq<G1>>) -> Seq<Seq<usize>> {
    let asked = trace_asked(query);
    match query.trace_reveal {
        TraceReveal::RevealEach => trace_packs(&trace_asked_rows(&asked)),
        TraceReveal::RevealAny => trace_targets_any(outputs, &asked),
        TraceReveal::RevealCount => Seq::<Seq<usize>>::new(0).push_owned(trace_asked_rows(&asked)),
    }
}
