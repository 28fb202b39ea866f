//! How servers answer a query: the column of bits through all servers that mixed, the targets'
//! sums, zero tests, decryption, and what the results say. Source: docs/mixnet.md, "Queries".

use crate::base::group::*;
use crate::base::scalar::*;
use crate::mixnet::column::*;
use crate::mixnet::sharing::*;
use crate::mixnet::threshold::*;
use crate::mixnet::trace::*;
use crate::mixnet::trace_packed::*;
use crate::mixnet::zero_test::*;
use hacspec_lib::*;

/// What a server that mixed has and draws for a query.
#[derive(Clone, Debug, Default)]
pub struct TraceMixer {
    /// Its permutation, from 0.
    pub mixer_images: Seq<usize>,
    /// The randomness of its column, a scalar a row.
    pub mixer_randomness: Seq<Scalar>,
    /// Its factors of the zero tests.
    pub mixer_factors: Seq<Scalar>,
}

/// (0, bit G)
pub fn trace_first_row(bit: bool) -> Seq<G1> {
    let element = if bit { g1_generator() } else { g1_identity() };
    Seq::<G1>::new(0).push_owned(g1_identity()).push_owned(element)
}

/// Whether row `i` of the first column is 1: of trace-out if input i is in I, of trace-in if output
/// i has a value of J.
pub fn trace_first_bit(query: &TraceQuery, outputs: &Seq<Seq<G1>>, i: usize) -> bool {
    match query.trace_direction {
        TraceDirection::TraceIn => i < outputs.len() && trace_stands(outputs, &query.trace_outputs, &outputs[i]),
        TraceDirection::TraceOut => trace_chosen(&query.trace_inputs, i),
    }
}

/// One step of [`trace_first_column`].
pub fn trace_first_column_step(
    column: Seq<Seq<G1>>,
    query: &TraceQuery,
    outputs: &Seq<Seq<G1>>,
    i: usize,
) -> Seq<Seq<G1>> {
    column.push_owned(trace_first_row(trace_first_bit(query, outputs, i)))
}

/// The column that goes into the servers; everybody computes it.
pub fn trace_first_column(query: &TraceQuery, outputs: &Seq<Seq<G1>>) -> Seq<Seq<G1>> {
    let mut column = Seq::<Seq<G1>>::new(0);
    for i in 0..outputs.len() {
        column = trace_first_column_step(column, query, outputs, i);
    }
    column
}

/// One step of [`trace_through`].
pub fn trace_through_step(
    column: Seq<Seq<G1>>,
    direction: TraceDirection,
    mixers: &Seq<TraceMixer>,
    keys: &Seq<G1>,
    k: usize,
) -> Seq<Seq<G1>> {
    match direction {
        TraceDirection::TraceIn => {
            let mixer = mixers[mixers.len() - 1 - k].clone();
            column_backward(&mixer.mixer_images, &column, keys, &mixer.mixer_randomness)
        }
        TraceDirection::TraceOut => {
            let mixer = mixers[k].clone();
            column_forward(&mixer.mixer_images, &column, keys, &mixer.mixer_randomness)
        }
    }
}

/// The column after all servers: forward in the order in which they mixed, or backward in the other
/// order.
pub fn trace_through(
    direction: TraceDirection,
    mixers: &Seq<TraceMixer>,
    keys: &Seq<G1>,
    first: &Seq<Seq<G1>>,
) -> Seq<Seq<G1>> {
    let mut column = first.clone();
    for k in 0..mixers.len() {
        column = trace_through_step(column, direction, mixers, keys, k);
    }
    column
}

/// One step of [`trace_component`].
pub fn trace_component_step(total: G1, column: &Seq<Seq<G1>>, rows: &Seq<usize>, l: usize, i: usize) -> G1 {
    g1_add(total, g1_at(&column[rows[i]], l))
}

/// The sum of component `l` of some rows.
pub fn trace_component(column: &Seq<Seq<G1>>, rows: &Seq<usize>, l: usize) -> G1 {
    let mut total = g1_identity();
    for i in 0..rows.len() {
        total = trace_component_step(total, column, rows, l, i);
    }
    total
}

/// The sum of some rows.
pub fn trace_sum(column: &Seq<Seq<G1>>, rows: &Seq<usize>) -> Seq<G1> {
    let first = trace_component(column, rows, 0);
    Seq::<G1>::new(0).push_owned(first).push_owned(trace_component(column, rows, 1))
}

/// One step of [`trace_sums`].
pub fn trace_sums_step(
    sums: Seq<Seq<G1>>,
    column: &Seq<Seq<G1>>,
    targets: &Seq<Seq<usize>>,
    number: usize,
) -> Seq<Seq<G1>> {
    sums.push_owned(trace_sum(column, &targets[number]))
}

/// The sums of the targets.
pub fn trace_sums(column: &Seq<Seq<G1>>, targets: &Seq<Seq<usize>>) -> Seq<Seq<G1>> {
    let mut sums = Seq::<Seq<G1>>::new(0);
    for number in 0..targets.len() {
        sums = trace_sums_step(sums, column, targets, number);
    }
    sums
}

/// Whether a target is only tested for zero: a sum of several rows under `any`.
pub fn trace_tested(reveal: TraceReveal, target: &Seq<usize>) -> bool {
    match reveal {
        TraceReveal::RevealEach => false,
        TraceReveal::RevealAny => target.len() > 1,
        TraceReveal::RevealCount => false,
    }
}

/// One step of [`trace_test_sums`].
pub fn trace_test_sums_step(
    tested: Seq<Seq<G1>>,
    reveal: TraceReveal,
    targets: &Seq<Seq<usize>>,
    column: &Seq<Seq<G1>>,
    number: usize,
) -> Seq<Seq<G1>> {
    if trace_tested(reveal, &targets[number]) { tested.push_owned(trace_sum(column, &targets[number])) } else { tested }
}

/// The sums of the targets that are tested for zero.
pub fn trace_test_sums(reveal: TraceReveal, targets: &Seq<Seq<usize>>, column: &Seq<Seq<G1>>) -> Seq<Seq<G1>> {
    let mut tested = Seq::<Seq<G1>>::new(0);
    for number in 0..targets.len() {
        tested = trace_test_sums_step(tested, reveal, targets, column, number);
    }
    tested
}

/// One step of [`trace_blind`].
pub fn trace_blind_step(blinded: Seq<Seq<G1>>, mixers: &Seq<TraceMixer>, k: usize) -> Seq<Seq<G1>> {
    zero_test_blind(&blinded, &mixers[k].mixer_factors)
}

/// The tested sums, multiplied by the factors of one server after the other.
pub fn trace_blind(mixers: &Seq<TraceMixer>, tested: &Seq<Seq<G1>>) -> Seq<Seq<G1>> {
    let mut blinded = tested.clone();
    for k in 0..mixers.len() {
        blinded = trace_blind_step(blinded, mixers, k);
    }
    blinded
}

/// One step of [`trace_place`].
pub fn trace_place_step(place: usize, reveal: TraceReveal, targets: &Seq<Seq<usize>>, i: usize) -> usize {
    if trace_tested(reveal, &targets[i]) { place + 1 } else { place }
}

/// How many targets before this one are tested for zero.
pub fn trace_place(reveal: TraceReveal, targets: &Seq<Seq<usize>>, number: usize) -> usize {
    let mut place = 0;
    for i in 0..number {
        place = trace_place_step(place, reveal, targets, i);
    }
    place
}

/// One step of [`trace_decrypted`].
pub fn trace_decrypted_step(
    rows: Seq<Seq<G1>>,
    reveal: TraceReveal,
    targets: &Seq<Seq<usize>>,
    column: &Seq<Seq<G1>>,
    blinded: &Seq<Seq<G1>>,
    number: usize,
) -> Seq<Seq<G1>> {
    if trace_tested(reveal, &targets[number]) {
        let place = trace_place(reveal, targets, number);
        let row = if place < blinded.len() { blinded[place].clone() } else { Seq::<G1>::new(0) };
        rows.push_owned(row)
    } else {
        rows.push_owned(trace_sum(column, &targets[number]))
    }
}

/// The rows that are decrypted: the targets' sums, those that are tested as the last server left
/// them.
pub fn trace_decrypted(
    reveal: TraceReveal,
    targets: &Seq<Seq<usize>>,
    column: &Seq<Seq<G1>>,
    blinded: &Seq<Seq<G1>>,
) -> Seq<Seq<G1>> {
    let mut rows = Seq::<Seq<G1>>::new(0);
    for number in 0..targets.len() {
        rows = trace_decrypted_step(rows, reveal, targets, column, blinded, number);
    }
    rows
}

/// One step of [`trace_shares`].
pub fn trace_shares_step(
    shares: Seq<G1>,
    coefficients: &Seq<Scalar>,
    servers: &Seq<usize>,
    first: G1,
    i: usize,
) -> Seq<G1> {
    let secrets = Seq::<Scalar>::new(0).push_owned(share_of(coefficients, servers[i]));
    shares.push_owned(g1_at(&decryption_row_shares(&secrets, first), 0))
}

/// The servers' shares of C_0, of the key that these coefficients share.
pub fn trace_shares(coefficients: &Seq<Scalar>, servers: &Seq<usize>, first: G1) -> Seq<G1> {
    let mut shares = Seq::<G1>::new(0);
    for i in 0..servers.len() {
        shares = trace_shares_step(shares, coefficients, servers, first, i);
    }
    shares
}

/// One step of [`trace_results`].
pub fn trace_results_step(
    results: Seq<G1>,
    coefficients: &Seq<Scalar>,
    servers: &Seq<usize>,
    querier: Scalar,
    rows: &Seq<Seq<G1>>,
    number: usize,
) -> Seq<G1> {
    let first = g1_at(&rows[number], 0);
    let shares = trace_shares(coefficients, servers, first);
    let plaintext = decryption_plaintext(g1_at(&rows[number], 1), servers, &shares);
    results.push_owned(g1_subtract(plaintext, g1_scale(querier, first)))
}

/// C_1 - Σ λ_k D_k - p C_0 of all rows; p is the querier's secret, 0 of a public query.
pub fn trace_results(
    coefficients: &Seq<Scalar>,
    servers: &Seq<usize>,
    querier: Scalar,
    rows: &Seq<Seq<G1>>,
) -> Seq<G1> {
    let mut results = Seq::<G1>::new(0);
    for number in 0..rows.len() {
        results = trace_results_step(results, coefficients, servers, querier, rows, number);
    }
    results
}

/// One step of [`trace_number`].
pub fn trace_number_step(found: Option<usize>, result: G1, number: usize) -> Option<usize> {
    match found {
        Some(before) => Some(before),
        None => {
            if g1_equal(g1_multiple(share_point(number)), result) {
                Some(number)
            } else {
                None
            }
        }
    }
}

/// The number whose multiple of the generator a result is, below a bound.
pub fn trace_number(result: G1, bound: usize) -> Option<usize> {
    let mut found = None;
    for number in 0..bound {
        found = trace_number_step(found, result, number);
    }
    found
}

/// What a result says: a number with a bit for each row that the target has, which is as long as
/// all of them make it; a bit; not 0 or 0 of a tested target; or a number up to that of the rows.
pub fn trace_read_one(reveal: TraceReveal, target: &Seq<usize>, rows: usize, result: G1) -> Option<usize> {
    match reveal {
        TraceReveal::RevealEach => trace_number(result, target.len() + 1),
        TraceReveal::RevealAny => {
            if trace_tested(reveal, target) {
                let number = if g1_equal(result, g1_identity()) { 0 } else { 1 };
                Some(number)
            } else {
                trace_number(result, 2)
            }
        }
        TraceReveal::RevealCount => trace_number(result, rows + 1),
    }
}

/// One step of [`trace_read`].
pub fn trace_read_step(
    read: Option<Seq<usize>>,
    reveal: TraceReveal,
    targets: &Seq<Seq<usize>>,
    rows: usize,
    results: &Seq<G1>,
    number: usize,
) -> Option<Seq<usize>> {
    let before = read?;
    let said = trace_read_one(reveal, &targets[number], rows, g1_at(results, number))?;
    Some(before.push_owned(said))
}

/// The numbers that the decrypted targets give; none if one of them is no such number.
pub fn trace_read(
    reveal: TraceReveal,
    targets: &Seq<Seq<usize>>,
    rows: usize,
    results: &Seq<G1>,
) -> Option<Seq<usize>> {
    let mut read = Some(Seq::<usize>::new(0));
    for number in 0..targets.len() {
        read = trace_read_step(read, reveal, targets, rows, results, number);
    }
    read
}

/// The answer that these numbers are: bits of rows under `each`, else they themselves.
pub fn trace_answer(query: &TraceQuery, numbers: &Seq<usize>) -> Seq<usize> {
    match query.trace_reveal {
        TraceReveal::RevealEach => trace_unpacked(numbers, trace_asked_rows(&trace_asked(query)).len()),
        TraceReveal::RevealAny => numbers.clone(),
        TraceReveal::RevealCount => numbers.clone(),
    }
}

/// The keys of a query's columns: G, and x G + p G.
pub fn trace_keys(coefficients: &Seq<Scalar>, querier: Scalar) -> Seq<G1> {
    let joint = g1_add(g1_multiple(scalar_at(coefficients, 0)), g1_multiple(querier));
    Seq::<G1>::new(0).push_owned(g1_generator()).push_owned(joint)
}

/// An honest run: what everybody reads after all servers did what they have to.
pub fn trace_run(
    query: &TraceQuery,
    outputs: &Seq<Seq<G1>>,
    mixers: &Seq<TraceMixer>,
    coefficients: &Seq<Scalar>,
    servers: &Seq<usize>,
    querier: Scalar,
) -> Option<Seq<usize>> {
    let keys = trace_keys(coefficients, querier);
    let first = trace_first_column(query, outputs);
    let column = trace_through(query.trace_direction, mixers, &keys, &first);
    let targets = trace_targets(query, outputs);
    let blinded = trace_blind(mixers, &trace_test_sums(query.trace_reveal, &targets, &column));
    let rows = trace_decrypted(query.trace_reveal, &targets, &column, &blinded);
    let results = trace_results(coefficients, servers, querier, &rows);
    let numbers = trace_read(query.trace_reveal, &targets, outputs.len(), &results)?;
    Some(trace_answer(query, &numbers))
}
