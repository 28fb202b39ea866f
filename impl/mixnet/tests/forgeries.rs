//! Forgeries: each is refused, with its reason, and its author is named; the honest case beside it
//! passes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, decode_opening, msm, msm_short};
use aardvark_mixnet::fault::{Fault, FaultKind, Place};
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::input::{InputBytes, Sender, check_inputs};
use aardvark_mixnet::keys::{Dealing, receive};
use aardvark_mixnet::layer::Layer;
use aardvark_mixnet::trace::{Answer, Column, Trace, blame};
use aardvark_mixnet::{Identity, Query, Reveal, TraceDirection};
use aardvark_sigma::column::KeyRow;
use aardvark_sigma::permutation::PermutationSecret;
use aardvark_sigma::threshold::Decryption;
use aardvark_sigma::{Context, List, Secrets};
use common::{CEREMONY, Ceremony, deal, seed, send, sender};

/// |z - 1|, the exponent of the torsion group.
const TORSION_EXPONENT: u128 = 0xd201_0000_0001_0001;

/// A point of the curve of this order, 3 or 11.
fn torsion(order: u128) -> G1Affine {
    let candidates = (0..=255).filter_map(|byte| {
        let mut bytes = [byte; 48];
        bytes[0] = 0x80;
        decode_opening(&bytes).ok()
    });
    let cleared = candidates.map(|point| msm(&[point, point], &[-Scalar::from(1), Scalar::from(1)]).to_affine());
    let of_order = cleared.map(|point| msm_short(&[point], &[TORSION_EXPONENT / order]).to_affine());
    of_order.into_iter().find(|point| !bool::from(point.is_identity())).unwrap()
}

fn small() -> Ceremony {
    let values: Vec<Vec<u8>> = [3u16, 1, 4, 1].iter().map(|number| number.to_be_bytes().to_vec()).collect();
    Ceremony::run(&values, 2, 3, 2)
}

fn everything(direction: TraceDirection, reveal: Reveal) -> Query {
    Query {
        direction,
        reveal,
        inputs: vec![true, true, false, false],
        outputs: vec![true; 4],
        querier: [5; 32],
        number: 1,
        reader: None,
    }
}

/// The list with a point replaced.
fn with_point(list: &List, place: usize, point: G1Affine) -> List {
    let mut points = list.points().to_vec();
    points[place] = point;
    List::computed(points, list.width())
}

fn shifted(list: &List, place: usize) -> List {
    let sum = G1Projective::from(list.points()[place]) + G1Affine::generator();
    with_point(list, place, sum.to_affine())
}

fn exchanged(list: &List, a: usize, b: usize) -> List {
    let mut order: Vec<usize> = (0..list.rows()).collect();
    order.swap(a, b);
    list.select(order)
}

/// The faults of layers, checked one by one.
fn judge(ceremony: &Ceremony, layers: &[(u16, Layer)]) -> Result<(), Fault> {
    let mixing = ceremony.mixing();
    let befores = core::iter::once(&ceremony.inputs.rows).chain(layers.iter().map(|(_, layer)| &layer.list));
    for ((server, layer), before) in layers.iter().zip(befores) {
        let (permutation, column) = mixing.claims(*server, layer, before)?;
        blame(FaultKind::PermutationProofFalse, &[(*server, permutation)])?;
        blame(FaultKind::ColumnProofFalse, &[(*server, column)])?;
    }
    Ok(())
}

#[test]
fn layers_that_were_tampered_with_are_refused_and_their_author_is_named() {
    let ceremony = small();
    assert_eq!(judge(&ceremony, &ceremony.layers), Ok(()));
    type Change = fn(&mut Layer);
    let changes: [(FaultKind, Change); 9] = [
        (FaultKind::PermutationProofFalse, |layer| layer.commitment = shifted(&layer.commitment, 1)),
        (FaultKind::PermutationProofFalse, |layer| layer.permutation.chain = shifted(&layer.permutation.chain, 2)),
        (FaultKind::PermutationProofFalse, |layer| layer.permutation.first = shifted(&layer.permutation.first, 0)),
        (FaultKind::PermutationProofFalse, |layer| layer.permutation.responses[3] += Scalar::from(1)),
        (FaultKind::ColumnProofFalse, |layer| layer.list = shifted(&layer.list, 5)),
        (FaultKind::ColumnProofFalse, |layer| layer.list = exchanged(&layer.list, 0, 3)),
        (FaultKind::ColumnProofFalse, |layer| layer.list = layer.list.select([0, 0, 2, 3])),
        (FaultKind::ColumnProofFalse, |layer| layer.column.first = shifted(&layer.column.first, 1)),
        (FaultKind::WrongLength, |layer| layer.list = layer.list.select([0, 1, 2])),
    ];
    for server in 0..3 {
        for (kind, change) in &changes {
            let mut layers = ceremony.layers.clone();
            change(&mut layers[server].1);
            let fault = judge(&ceremony, &layers).unwrap_err();
            assert_eq!((fault.kind, fault.author), (*kind, Some(server + 1)));
        }
    }
    // Another server's layer, commitment and proof and all.
    let mut layers = ceremony.layers.clone();
    layers[1].1 = layers[0].1.clone();
    let fault = judge(&ceremony, &layers).unwrap_err();
    assert_eq!((fault.kind, fault.author), (FaultKind::PermutationProofFalse, Some(2)));
}

/// The answer after the columns were made by `forge` from a server's honest one.
fn forged_columns(
    ceremony: &Ceremony,
    query: &Query,
    forge: impl Fn(&Trace<'_>, &[Column], Column) -> Column,
) -> Result<Answer, Fault> {
    let mix = ceremony.mix();
    let trace = Trace::new(&mix, query).unwrap();
    let mut columns: Vec<Column> = Vec::new();
    for number in trace.order() {
        let server = ceremony.server(number);
        let before = columns.last().map_or(trace.first(), |column| &column.list);
        let column = trace.column(number, &server.permutation, before, &server.seed).unwrap();
        let column = if number == 2 { forge(&trace, &columns, column) } else { column };
        columns.push(column);
    }
    let tests = ceremony.tests(&trace, &columns);
    let shares = ceremony.shares(&trace, &columns, &tests);
    let shares: Vec<(u16, &Decryption)> = shares.iter().map(|(server, made)| (*server, made)).collect();
    trace.verify(&columns, &tests, &shares)
}

#[test]
fn a_query_goes_through_the_permutations_of_the_mix_and_no_others() {
    let ceremony = small();
    let n = ceremony.values.len();
    for query in [everything(TraceDirection::In, Reveal::Each), everything(TraceDirection::Out, Reveal::Any)] {
        assert!(forged_columns(&ceremony, &query, |_, _, column| column).is_ok());
        let false_by_2 = |forge: &dyn Fn(&Trace<'_>, &[Column], Column) -> Column| {
            let fault = forged_columns(&ceremony, &query, forge).unwrap_err();
            assert_eq!((fault.kind, fault.author), (FaultKind::ColumnProofFalse, Some(2)));
        };
        // Another permutation, proved with it.
        false_by_2(&|trace, columns, _| {
            let context = Context { keys: [9; 32], server: 2 };
            let other = PermutationSecret::derive(&seed(77), &context, n);
            let before = columns.last().map_or(trace.first(), |column| &column.list);
            trace.column(2, &other, before, &seed(2)).unwrap()
        });
        // Rows exchanged, doubled, shifted; a row of the plaintext 1; the column before, as it was.
        false_by_2(&|_, _, column| Column { list: exchanged(&column.list, 1, 2), ..column });
        false_by_2(&|_, _, column| Column { list: column.list.select([0, 1, 2, 2]), ..column });
        false_by_2(&|_, _, column| Column { list: shifted(&column.list, 3), ..column });
        false_by_2(&|_, _, column| {
            let mut points = column.list.points().to_vec();
            points[0] = G1Affine::generator();
            points[1] = (ceremony.keys.keys[0] + G1Projective::from(G1Affine::generator())).to_affine();
            Column { list: List::computed(points, 2), ..column }
        });
        false_by_2(&|_, columns, column| Column { list: columns[0].list.clone(), ..column });
        // The column of another query by the same permutation.
        false_by_2(&|_, _, _| {
            let mix = ceremony.mix();
            let earlier = Query { number: 2, ..query.clone() };
            let trace = Trace::new(&mix, &earlier).unwrap();
            ceremony.columns(&trace)[1].clone()
        });
        // Re-encrypted under another K: that of a private query.
        false_by_2(&|_, columns, _| {
            let (mix, of_reader) = (ceremony.mix(), Identity::new([6; 32]));
            let reader = Some(of_reader.known_key(KeyUse::Asking(mix.digest)));
            let private = Query { querier: of_reader.author(), reader, ..query.clone() };
            let trace = Trace::new(&mix, &private).unwrap();
            let server = ceremony.server(2);
            let before = columns.last().map_or(trace.first(), |column| &column.list);
            trace.column(2, &server.permutation, before, &server.seed).unwrap()
        });
        // T and z of the first server.
        false_by_2(&|_, columns, column| Column { proof: columns[0].proof.clone(), ..column });
    }
}

#[test]
fn false_shares_of_targets_are_refused_and_their_author_is_named() {
    // Three targets, of eight rows, eight and one.
    let values: Vec<Vec<u8>> = (0..17u16).map(|number| number.to_be_bytes().to_vec()).collect();
    let ceremony = Ceremony::run(&values, 2, 3, 2);
    let mix = ceremony.mix();
    let all = vec![true; values.len()];
    let query = Query { inputs: all.clone(), outputs: all, ..everything(TraceDirection::In, Reveal::Each) };
    let trace = Trace::new(&mix, &query).unwrap();
    let columns = ceremony.columns(&trace);
    let honest = ceremony.shares(&trace, &columns, &[]);
    let verify = |shares: &[(u16, Decryption)]| {
        let shares: Vec<(u16, &Decryption)> = shares.iter().map(|(server, made)| (*server, made)).collect();
        trace.verify(&columns, &[], &shares)
    };
    assert!(verify(&honest).is_ok());
    let rows = honest[0].1.shares.rows();
    assert_eq!(rows, 3);
    for server in 0..2 {
        let refused = |change: &dyn Fn(&mut Decryption)| {
            let mut shares = honest.clone();
            change(&mut shares[server].1);
            let fault = verify(&shares).unwrap_err();
            assert_eq!((fault.kind, fault.author), (FaultKind::DecryptionProofFalse, Some(server + 1)));
        };
        // In the first row, in the last, in two that cancel.
        refused(&|made| made.shares = shifted(&made.shares, 0));
        refused(&|made| made.shares = shifted(&made.shares, rows - 1));
        refused(&|made| {
            let down = (G1Projective::from(made.shares.points()[1]) - G1Affine::generator()).to_affine();
            made.shares = with_point(&shifted(&made.shares, 0), 1, down);
        });
        refused(&|made| made.first = shifted(&made.first, 1));
        refused(&|made| made.responses[0] += Scalar::from(1));
        // Another server's.
        refused(&|made| *made = honest[1 - server].1.clone());
    }
    // Under the key of values.
    let sums = trace.sums(&columns).unwrap();
    let first = ceremony.server(1);
    let share = Secrets::new(vec![first.shares[1]]);
    let other_key = trace.shares(1, &share, &sums, &[], &first.seed).unwrap();
    let fault = verify(&[(1, other_key), honest[1].clone()]).unwrap_err();
    assert_eq!((fault.kind, fault.author), (FaultKind::DecryptionProofFalse, Some(1)));
    // One server twice, and too few.
    assert_eq!(verify(&[honest[0].clone(), honest[0].clone()]).unwrap_err().kind, FaultKind::WrongLength);
    assert_eq!(verify(&honest[..1]).unwrap_err().kind, FaultKind::WrongLength);
}

#[test]
fn zero_tests_by_0_on_one_component_or_left_out_are_refused() {
    let ceremony = small();
    let mix = ceremony.mix();
    let query = everything(TraceDirection::Out, Reveal::Any);
    let trace = Trace::new(&mix, &query).unwrap();
    let columns = ceremony.columns(&trace);
    let honest = ceremony.tests(&trace, &columns);
    // The value 1 twice.
    assert_eq!((honest.len(), honest[0].after.rows()), (3, 1));
    let verify = |tests: &[_]| {
        let shares = ceremony.shares(&trace, &columns, tests);
        let shares: Vec<(u16, &Decryption)> = shares.iter().map(|(server, made)| (*server, made)).collect();
        trace.verify(&columns, tests, &shares)
    };
    assert!(verify(&honest).is_ok());
    assert_eq!(verify(&honest[..2]).unwrap_err().kind, FaultKind::WrongLength);
    for server in 0..3 {
        for (place, point) in [(0, G1Affine::identity()), (0, G1Affine::generator()), (1, G1Affine::generator())] {
            let mut tests = honest.clone();
            tests[server].after = with_point(&tests[server].after, place, point);
            let fault = verify(&tests).unwrap_err();
            // The next server's test is of what this one should have left, and is judged after.
            assert_eq!((fault.kind, fault.author), (FaultKind::ZeroTestFalse, Some(server + 1)));
        }
    }
}

#[test]
fn copied_varied_and_malformed_inputs_are_out_and_the_list_is_as_without_them() {
    let values: Vec<Vec<u8>> = [10u16, 20, 30].iter().map(|number| number.to_be_bytes().to_vec()).collect();
    let (keys, _) = deal(2, 2, 1);
    let row = KeyRow::new(keys.value_keys(), values.len());
    let sent = send(&keys, &row, &values, 2);
    let judge = |digest: &[u8; 32], posted: &[(Sender, InputBytes)]| {
        let posted: Vec<(&Sender, &InputBytes)> = posted.iter().map(|(sender, input)| (sender, input)).collect();
        check_inputs(digest, 1, &posted)
    };
    let honest = judge(&keys.digest, &sent);
    assert_eq!((honest.valid.as_slice(), honest.faults.len()), ([0, 1, 2].as_slice(), 0));
    let refused = |sender: Sender, input: InputBytes, kind: FaultKind| {
        let mut posted = sent.clone();
        posted.push((sender, input));
        let found = judge(&keys.digest, &posted);
        assert_eq!(found.rows, honest.rows);
        assert_eq!(found.faults.iter().map(|fault| (fault.kind, fault.author)).collect::<Vec<_>>(), [(kind, Some(3))]);
    };
    let original = sent[0].1.clone();
    let add = |input: &InputBytes, place: usize, point: &G1Affine| {
        let mut bytes = input.0.clone();
        let mut encoded: [u8; 48] = bytes[48 * place..48 * (place + 1)].try_into().unwrap();
        encoded = (G1Projective::from(decode_opening(&encoded).unwrap()) + point).to_affine().to_compressed();
        bytes[48 * place..48 * (place + 1)].copy_from_slice(&encoded);
        InputBytes(bytes)
    };
    // Under another name, under another label, re-randomised, with another plaintext.
    refused(sender(9), original.clone(), FaultKind::InputProofFalse);
    refused(Sender { label: "elsewhere".into(), ..sender(0) }, original.clone(), FaultKind::InputProofFalse);
    let again = add(&add(&original, 0, &G1Affine::generator()), 1, &keys.keys[1]);
    refused(sender(0), again, FaultKind::InputProofFalse);
    refused(sender(0), add(&original, 1, &G1Affine::generator()), FaultKind::InputProofFalse);
    // The same post twice.
    refused(sender(0), original.clone(), FaultKind::InputRepeated);
    // Torsion in every place, infinity, bytes of no point, a scalar that is none, other lengths.
    for order in [3, 11] {
        for place in 0..3 {
            refused(sender(0), add(&original, place, &torsion(order)), FaultKind::NotInSubgroup);
        }
    }
    let with = |range: core::ops::Range<usize>, bytes: &[u8]| {
        let mut changed = original.0.clone();
        changed[range].copy_from_slice(bytes);
        InputBytes(changed)
    };
    refused(sender(0), with(0..48, &G1Affine::identity().to_compressed()), FaultKind::IdentityComponent);
    refused(sender(0), with(48..96, &[0xff; 48]), FaultKind::Malformed);
    refused(sender(0), with(144..176, &[0xff; 32]), FaultKind::Malformed);
    refused(sender(0), InputBytes(original.0[1..].to_vec()), FaultKind::WrongLength);
    // In another ceremony nothing of it is valid.
    assert_eq!(judge(&[8; 32], &sent).valid, []);
}

#[test]
fn torsion_infinity_and_other_bytes_are_refused_in_every_place_of_layers_and_columns() {
    let ceremony = small();
    let mix = ceremony.mix();
    let query = everything(TraceDirection::In, Reveal::Each);
    let trace = Trace::new(&mix, &query).unwrap();
    let column = &ceremony.columns(&trace)[0];
    let layer = &ceremony.layers[0].1;
    // Where the points of the bodies stand: lists, then scalars.
    let of_layer = [(0, 4, 1), (1, 4, 1), (2, 6, 1), (3, 10, 0), (3, 4, 2), (4, 3, 1), (5, 6, 0)];
    let of_column = [(0, 4, 2), (1, 3, 1), (2, 6, 0)];
    let check = |bytes: &[u8], parts: &[(usize, usize, usize)], decode: &dyn Fn(&[u8]) -> Result<(), Fault>| {
        assert_eq!(decode(bytes), Ok(()));
        assert_eq!(decode(&bytes[1..]).unwrap_err().kind, FaultKind::WrongLength);
        let mut start = 0;
        for (list, rows, width) in parts.iter().copied() {
            let size = if width == 0 { 32 } else { 96 };
            for number in 0..rows * width.max(1) {
                let range = start..start + size;
                start += size;
                let with = |part: &[u8]| {
                    let mut changed = bytes.to_vec();
                    changed[range.clone()].copy_from_slice(part);
                    decode(&changed).unwrap_err()
                };
                if width == 0 {
                    assert_eq!(with(&[0xff; 32]).kind, FaultKind::Malformed);
                    continue;
                }
                let place = Some(Place { list, row: number / width, column: number % width });
                for order in [3, 11] {
                    let point = (torsion(order) + G1Projective::from(G1Affine::generator())).to_affine();
                    let fault = with(&point.to_uncompressed());
                    assert_eq!((fault.kind, fault.author, fault.place), (FaultKind::NotInSubgroup, Some(1), place));
                }
                let fault = with(&G1Affine::identity().to_uncompressed());
                assert_eq!((fault.kind, fault.place), (FaultKind::IdentityComponent, place));
                assert_eq!(with(&[0x1f; 96]).kind, FaultKind::Malformed);
            }
        }
        assert_eq!(start, bytes.len());
    };
    check(&layer.encode(), &of_layer, &|bytes| Layer::decode(bytes, 4, 2, 1).map(drop));
    check(&column.encode(), &of_column, &|bytes| Column::decode(bytes, 4, 1).map(drop));
}

#[test]
fn a_dealer_whose_share_is_false_is_named() {
    let dealings: Vec<Dealing> = (1..=3).map(|d| Dealing::derive(&seed(d), &CEREMONY, d as u16, 2, 2)).collect();
    for liar in 0..3usize {
        let dealt: Vec<(u16, &[Vec<G1Affine>], Secrets)> = (0..3)
            .map(|d: usize| {
                let mut shares = dealings[d].shares(2).to_vec();
                shares[1] += Scalar::from(u64::from(d == liar));
                (d as u16 + 1, dealings[d].commitments.as_slice(), Secrets::new(shares))
            })
            .collect();
        let fault = receive(2, &dealt).unwrap_err();
        assert_eq!((fault.kind, fault.author), (FaultKind::DealingFalse, Some(liar + 1)));
    }
}
