//! Whole queries: `trace_run` beside the implementation's servers, column by column, sum by sum, up
//! to the answer, which is the ideal one.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::keys::PublicKeys;
use aardvark_mixnet::layer::{Layer, Mixing};
use aardvark_mixnet::trace::{Answer, Column, Trace};
use aardvark_mixnet::{Identity, KeyRow, Mix, Query, Reveal, TraceDirection};
use aardvark_sigma::permutation::PermutationSecret;
use aardvark_sigma::threshold::Decryption;
use aardvark_sigma::zero_test::ZeroTest;
use aardvark_sigma::{Context, Digest, Generators, List, Secrets, Seed};
use aardvark_spec::base::group::G1;
use aardvark_spec::convert::to_seq;
use aardvark_spec::mixnet::trace::{
    TraceDirection as SpecDirection, TraceQuery, TraceReveal, trace_ideal, trace_legal, trace_targets,
};
use aardvark_spec::mixnet::trace_run::{
    TraceMixer, trace_answer, trace_blind, trace_blind_step, trace_decrypted, trace_first_column, trace_keys,
    trace_read, trace_results, trace_run, trace_sums, trace_test_sums, trace_through_step,
};
use differential_tests::convert::scalar_to_spec;
use hacspec_lib::Seq;

use crate::lists::{Draw, Known, KnownGenerators, points, scalars_to_spec};

/// A mix of known points whose servers are honest.
struct Mixed {
    keys: PublicKeys,
    generators: Generators,
    inputs: List,
    layers: Vec<(u16, Layer)>,
    outputs: Known,
    values: Known,
    /// Where each input went.
    assignment: Vec<usize>,
    /// For each mixer its permutation.
    secrets: Vec<PermutationSecret>,
    /// The polynomial that shares the key of queries.
    coefficients: Vec<Scalar>,
    servers: usize,
}

fn seed(server: u16) -> Seed {
    Seed::new([server as u8; 32])
}

fn polynomial(coefficients: &[Scalar], server: u16) -> Scalar {
    coefficients.iter().rev().fold(Scalar::ZERO, |sum, coefficient| sum * Scalar::from(u64::from(server)) + coefficient)
}

/// n inputs with few values, so that some are equal; the first server may not have mixed.
fn mixed(draw: &mut Draw, n: usize) -> Mixed {
    let servers = 1 + draw.below(4);
    let threshold = 1 + draw.below(servers);
    let width = 1 + draw.below(3);
    let polynomials: Vec<Vec<Scalar>> = (0..=width).map(|_| draw.scalars(threshold)).collect();
    let digest: Digest = [draw.below(256) as u8; 32];
    let share = |server| points(&polynomials.iter().map(|of_key| polynomial(of_key, server)).collect::<Vec<_>>());
    let keys = PublicKeys {
        threshold,
        keys: points(&polynomials.iter().map(|of_key| of_key[0]).collect::<Vec<_>>()),
        shares: (1..=servers as u16).map(share).collect(),
        digest,
    };
    let kinds = 1 + draw.below(n);
    let chosen: Vec<usize> = (0..n).map(|_| draw.below(kinds)).collect();
    let of_kind = |kind: usize| (0..width).map(move |l| Scalar::from((kind * 10 + l) as u64));
    let values = Known::new(chosen.iter().flat_map(|kind| of_kind(*kind)).collect(), width);
    // The rows that are mixed need not hold the values: queries do not look at them.
    let inputs = Known::new(draw.scalars(n * (width + 1)), width + 1).list();
    let generators = KnownGenerators::draw(draw, n).implementation();
    let row = KeyRow::new(keys.value_keys(), n);
    let mixing = Mixing { keys: digest, generators: &generators, row: &row, purpose: inputs.digest() };
    let first = if servers > 1 && draw.below(3) == 0 { 2 } else { 1 };
    let (mut layers, mut secrets): (Vec<(u16, Layer)>, Vec<_>) = (Vec::new(), Vec::new());
    let mut assignment: Vec<usize> = (0..n).collect();
    for server in first..=servers as u16 {
        let secret = PermutationSecret::derive(&seed(server), &Context { keys: digest, server }, n);
        let before = layers.last().map_or(&inputs, |(_, layer)| &layer.list);
        let prepared = mixing.commit(server, &secret, &seed(server)).unwrap();
        let layer = mixing.layer(server, &secret, prepared, before, &seed(server)).unwrap();
        assignment.iter_mut().for_each(|place| *place = secret.permutation.images()[*place]);
        layers.push((server, layer));
        secrets.push(secret);
    }
    let mut outputs = vec![Vec::new(); n];
    for (kind, place) in chosen.iter().zip(&assignment) {
        outputs[*place] = of_kind(*kind).collect();
    }
    let outputs = Known::new(outputs.concat(), width);
    let coefficients = polynomials[0].clone();
    Mixed { keys, generators, inputs, layers, outputs, values, assignment, secrets, coefficients, servers }
}

fn specified(query: &Query) -> TraceQuery {
    TraceQuery {
        trace_direction: match query.direction {
            TraceDirection::In => SpecDirection::TraceIn,
            TraceDirection::Out => SpecDirection::TraceOut,
        },
        trace_reveal: match query.reveal {
            Reveal::Each => TraceReveal::RevealEach,
            Reveal::Any => TraceReveal::RevealAny,
            Reveal::Count => TraceReveal::RevealCount,
        },
        trace_inputs: to_seq(query.inputs.clone()),
        trace_outputs: to_seq(query.outputs.clone()),
    }
}

fn numbers(answer: &Answer) -> Vec<usize> {
    match answer {
        Answer::Bits(bits) => bits.iter().map(|(_, bit)| usize::from(*bit)).collect(),
        Answer::Count(count) => vec![*count],
    }
}

/// A target's rows, each as often as it is in the sum: under `each` the k-th 2^k times, as the
/// specification lists them, which doubles what it has and adds the row before.
fn as_often(query: &Query, rows: Vec<usize>) -> Vec<usize> {
    match query.reveal {
        Reveal::Each => rows.into_iter().rev().fold(Vec::new(), |target, row| [&target[..], &target, &[row]].concat()),
        Reveal::Any | Reveal::Count => rows,
    }
}

fn rows(list: &Seq<Seq<G1>>) -> List {
    Known::of_rows(list, 2).list()
}

/// One query through both sides; whether it could be asked.
fn compare(mixed: &Mixed, query: &Query, querier: Scalar, name: &str) -> bool {
    let outputs_list = mixed.outputs.list();
    let layers: Vec<(u16, &Layer)> = mixed.layers.iter().map(|(server, layer)| (*server, layer)).collect();
    let mix = Mix::new(&mixed.keys, &mixed.generators, &mixed.inputs, &layers, &outputs_list);
    let (asked, outputs) = (specified(query), mixed.outputs.rows());
    let made = Trace::new(&mix, query);
    assert_eq!(made.is_ok(), trace_legal(&asked, &outputs), "{name}");
    let Ok(trace) = made else { return false };

    // The columns, each by the randomness that the implementation drew.
    let coefficients = scalars_to_spec(&mixed.coefficients);
    let keys = trace_keys(&coefficients, scalar_to_spec(&querier));
    let row = KeyRow::new(&Known::of_elements(&keys).list().points()[1..], mix.rows());
    let mut column = trace_first_column(&asked, &outputs);
    assert_eq!(*trace.first(), rows(&column), "{name}");
    let count = mixed.layers.len();
    let mut mixers = vec![TraceMixer::default(); count];
    let mut columns: Vec<Column> = Vec::new();
    let id = query.id(&mix.digest);
    for (k, server) in trace.order().into_iter().enumerate() {
        let place = if query.direction == TraceDirection::In { count - 1 - k } else { k };
        assert_eq!(mixed.layers[place].0, server);
        let before = columns.last().map_or(trace.first(), |column| &column.list).clone();
        let context = Context { keys: mixed.keys.digest, server };
        let statement = context.reencryption_statement(&id, &mixed.layers[place].1.commitment, row.row(), &before);
        let drawn = seed(server).scalars("re-encryption", &statement, mix.rows());
        mixers[place].mixer_images = to_seq(mixed.secrets[place].permutation.images().to_vec());
        mixers[place].mixer_randomness = scalars_to_spec(&drawn);
        column = trace_through_step(column, asked.trace_direction, &to_seq(mixers.clone()), &keys, k);
        columns.push(trace.column(server, &mixed.secrets[place], &before, &seed(server)).unwrap());
        assert_eq!(columns[k].list, rows(&column), "{name}, column {k}");
    }
    trace.check_columns(&columns, 0..count).unwrap();

    // Targets, sums and zero tests.
    let targets = trace_targets(&asked, &outputs);
    let of_targets: Vec<Vec<usize>> = targets.native_slice().iter().map(|rows| rows.native_slice().to_vec()).collect();
    let found: Vec<Vec<usize>> = query.targets(&mix).into_iter().map(|target| as_often(query, target.rows)).collect();
    assert_eq!(found, of_targets, "{name}");
    let Ok(sums) = trace.sums(&columns) else { panic!("{name}: a sum's C_0 is 0") };
    assert_eq!(sums, rows(&trace_sums(&column, &targets)), "{name}");
    let tested = trace_test_sums(asked.trace_reveal, &targets, &column);
    let mut blinded = tested.clone();
    assert_eq!(trace.tested().len(), tested.len(), "{name}");
    let mut tests: Vec<ZeroTest> = Vec::new();
    // Factors in the order in which servers multiply, which the specification takes as that of its
    // list of mixers: multiplying commutes.
    let mut in_order = Vec::new();
    if tested.len() > 0 {
        for server in trace.order() {
            let before = trace.untested(&sums, &tests);
            let context = Context { keys: mixed.keys.digest, server };
            let statement = context.zero_test_statement(&id, &before);
            let factors = seed(server).scalars("zero-test", &statement, before.rows());
            in_order.push(TraceMixer { mixer_factors: scalars_to_spec(&factors), ..TraceMixer::default() });
            tests.push(trace.blind(server, &before, &seed(server)).unwrap());
            blinded = trace_blind_step(blinded, &to_seq(in_order.clone()), in_order.len() - 1);
            assert_eq!(tests.last().unwrap().after, rows(&blinded), "{name}");
            let place = mixed.layers.iter().position(|(mixer, _)| *mixer == server).unwrap();
            mixers[place].mixer_factors = scalars_to_spec(&factors);
        }
    }
    let mixers = to_seq(mixers);
    assert_eq!(rows(&trace_blind(&mixers, &tested)), rows(&blinded), "{name}");

    // Shares of t servers, the last ones, and what they say.
    let first = mixed.servers - mixed.keys.threshold + 1;
    let shares: Vec<(u16, Decryption)> = (first as u16..=mixed.servers as u16)
        .map(|server| {
            let share = Secrets::new(vec![polynomial(&mixed.coefficients, server)]);
            (server, trace.shares(server, &share, &sums, &tests, &seed(server)).unwrap())
        })
        .collect();
    let references: Vec<(u16, &Decryption)> = shares.iter().map(|(server, made)| (*server, made)).collect();
    trace.check_shares(&sums, &tests, &references).unwrap();
    let opening = query.reader.is_some().then(|| {
        let opening = trace.open(&Secrets::new(vec![querier]), &sums, &tests, &seed(99)).unwrap();
        trace.check_opening(&sums, &tests, &opening).unwrap();
        opening
    });
    let answer = trace.result(&sums, &tests, &references, opening.as_ref()).unwrap();
    let servers = to_seq((first..=mixed.servers).collect());
    let decrypted = trace_decrypted(asked.trace_reveal, &targets, &column, &blinded);
    let results = trace_results(&coefficients, &servers, scalar_to_spec(&querier), &decrypted);
    let said = trace_read(asked.trace_reveal, &targets, mix.rows(), &results).unwrap();
    let read = trace_answer(&asked, &said);
    assert_eq!(numbers(&answer), read.native_slice(), "{name}");
    let run = trace_run(&asked, &outputs, &mixers, &coefficients, &servers, scalar_to_spec(&querier)).unwrap();
    assert_eq!(run.native_slice(), read.native_slice(), "{name}");
    let assignment = to_seq(mixed.assignment.clone());
    let ideal = trace_ideal(&asked, &mixed.values.rows(), &outputs, &assignment);
    assert_eq!(ideal.native_slice(), read.native_slice(), "{name}");
    true
}

#[test]
fn whole_queries_agree_column_by_column_and_answer_as_the_ideal_does() {
    let mut asked = 0;
    for number in 0..16 {
        let mut draw = Draw::new(7_000 + number);
        // Sometimes more rows than one target holds.
        let n = if number % 5 == 4 { 8 + draw.below(4) } else { 2 + draw.below(5) };
        let mixed = mixed(&mut draw, n);
        for (kind, (direction, reveal)) in [TraceDirection::In, TraceDirection::Out]
            .into_iter()
            .flat_map(|direction| [Reveal::Each, Reveal::Any, Reveal::Count].map(|reveal| (direction, reveal)))
            .enumerate()
        {
            let mut bits = || -> Vec<bool> { (0..n).map(|_| draw.below(3) > 0).collect() };
            let (mut inputs, mut outputs) = (bits(), bits());
            if kind == number as usize % 6 {
                outputs = vec![true; n];
            }
            // A sum of no rows is no target.
            if reveal == Reveal::Count {
                inputs[0] = true;
                outputs[0] = true;
            }
            let private = (number as usize + kind).is_multiple_of(3);
            let identity = Identity::new([200; 32]);
            let reader = private.then(|| identity.known_key(KeyUse::Reading));
            let querier = if private { identity.reading_secret()[0] } else { Scalar::ZERO };
            let query = Query { direction, reveal, inputs, outputs, querier: [3; 32], number: 0, reader };
            asked += usize::from(compare(&mixed, &query, querier, &format!("{number}, {direction:?}, {reveal:?}")));
        }
    }
    assert!(asked > 50, "{asked}");
}
