//! What the answers must be, from the true assignment: for tests and benchmarks.

/// trace-in: the inputs among `asked` whose value stands among the outputs `among`.
pub fn trace_in<V: PartialEq>(inputs: &[V], outputs: &[V], asked: &[usize], among: &[usize]) -> Vec<(usize, bool)> {
    let stands = |value: &V| among.iter().any(|j| outputs.get(*j) == Some(value));
    asked.iter().filter_map(|i| inputs.get(*i).map(|value| (*i, stands(value)))).collect()
}

/// trace-out: the outputs among `asked` whose value one of the inputs `among` holds.
pub fn trace_out<V: PartialEq>(inputs: &[V], outputs: &[V], among: &[usize], asked: &[usize]) -> Vec<(usize, bool)> {
    trace_in(outputs, inputs, asked, among)
}
