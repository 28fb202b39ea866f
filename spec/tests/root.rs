//! The tree over commitments against RFC 6962's own definition and published roots, paths by RFC
//! 9162, and what the state root covers.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::hash::sha256;
use aardvark_spec::block::root::{HashedPrevious, HashedRecord, HashedState, sorted_replay_set, state_root};
use aardvark_spec::block::state::ReplayEntry;
use aardvark_spec::commitment::commitment_tree::{commitment_path, commitment_root, root_of_path};
use aardvark_spec::convert::{byte_vec, to_vec};
use aardvark_spec::dictionary::slot::lone_sentinel;
use aardvark_spec::dictionary::writes::Write;
use hacspec_lib::Seq;

fn bytes(text: &[u8]) -> ByteString {
    ByteString::from_native_slice(text)
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// RFC 6962, section 2.1, word for word: split at the largest power of two below n.
fn merkle_tree_hash(leaves: &[Vec<u8>]) -> Vec<u8> {
    let hash = |parts: &[&[u8]]| byte_vec(&sha256(&bytes(&parts.concat())));
    match leaves {
        [leaf] => hash(&[&[0], leaf]),
        _ => {
            let split = leaves.len().next_power_of_two() / 2;
            let (left, right) = leaves.split_at(split);
            hash(&[&[1], &merkle_tree_hash(left), &merkle_tree_hash(right)])
        }
    }
}

fn leaves(number: usize) -> Vec<Vec<u8>> {
    (0..number).map(|i| (i as u64).to_be_bytes().repeat(6)).collect()
}

fn sequence(leaves: &[Vec<u8>]) -> Seq<ByteString> {
    Seq::from_vec(leaves.iter().map(|leaf| bytes(leaf)).collect())
}

#[test]
fn roots_are_those_of_the_certificate_transparency_test_vectors() {
    let inputs =
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(unhex);
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    for (number, root) in (1..).zip(roots) {
        assert_eq!(byte_vec(&commitment_root(&sequence(&inputs[..number]))), unhex(root));
    }
}

#[test]
fn roots_are_those_of_the_recursive_definition() {
    for number in 1..=33 {
        assert_eq!(
            byte_vec(&commitment_root(&sequence(&leaves(number)))),
            merkle_tree_hash(&leaves(number)),
            "{number}"
        );
    }
}

#[test]
fn every_path_leads_to_the_root_and_no_other_leaf_index_width_or_length_does() {
    for number in 1..=9 {
        let all = sequence(&leaves(number));
        let root = Some(byte_vec(&commitment_root(&all)));
        for index in 0..number {
            let path = commitment_path(&all, index);
            let end = |width, index, leaf: &ByteString, path: &Seq<ByteString>| {
                root_of_path(width, index, leaf, path).map(|end| byte_vec(&end))
            };
            assert_eq!(end(number, index, &all[index], &path), root);
            assert_ne!(end(number, index, &bytes(b"another"), &path), root);
            assert_eq!(end(number, number, &all[index], &path), None);
            assert_eq!(end(number, index, &all[index], &path.clone().push_owned(bytes(&[0; 32]))), None);
            for other in (0..number).filter(|other| *other != index) {
                assert_ne!(end(number, other, &all[index], &path), root);
            }
            if path.len() > 0 {
                assert_eq!(end(number, index, &all[index], &path.slice(1, path.len() - 1)), None);
                let mut bent = to_vec(&path);
                bent[0] = bytes(&[7; 32]);
                assert_ne!(end(number, index, &all[index], &Seq::from_vec(bent)), root);
            }
        }
    }
}

fn entry(id: u8, last_valid: usize) -> ReplayEntry {
    ReplayEntry { replay_id: bytes(&[id; 32]), replay_last_valid: last_valid }
}

fn a_state() -> HashedState {
    let write = Write { write_position: 0, write_content: Some(lone_sentinel()) };
    let gone = Write { write_position: 1, write_content: None };
    let previous = |vector, commitment: Option<u8>| HashedPrevious {
        hashed_previous_vector: vector,
        hashed_previous_commitment: commitment.map(|byte| bytes(&[byte; 48])),
    };
    HashedState {
        hashed_dictionary: bytes(&[1; 32]),
        hashed_version: 7,
        hashed_size: 1,
        hashed_tail_start: 0,
        hashed_commitments: Seq::from_vec(vec![bytes(&[2; 48])]),
        hashed_tail: Seq::from_vec(vec![lone_sentinel()]),
        hashed_replay_set: Seq::from_vec(vec![entry(3, 8)]),
        hashed_window: Seq::from_vec(vec![HashedRecord {
            hashed_record_version: 7,
            hashed_record_size: 2,
            hashed_record_writes: Seq::from_vec(vec![write, gone]),
            hashed_record_commitments: Seq::from_vec(vec![previous(0, Some(4)), previous(1, None)]),
        }]),
    }
}

/// A state with one thing in its record changed.
fn with_record(change: impl Fn(&mut HashedRecord)) -> HashedState {
    let state = a_state();
    let mut record = to_vec(&state.hashed_window).remove(0);
    change(&mut record);
    HashedState { hashed_window: Seq::from_vec(vec![record]), ..state }
}

#[test]
fn whatever_changes_in_a_state_changes_its_root() {
    let other_slot = aardvark_spec::dictionary::slot::with_value(&lone_sentinel(), &bytes(b"1"));
    let forged = HashedPrevious { hashed_previous_vector: 0, hashed_previous_commitment: Some(bytes(&[5; 48])) };
    let changed = [
        a_state(),
        HashedState { hashed_dictionary: bytes(&[9; 32]), ..a_state() },
        HashedState { hashed_version: 8, ..a_state() },
        HashedState { hashed_size: 2, ..a_state() },
        HashedState { hashed_tail_start: 4, ..a_state() },
        HashedState { hashed_commitments: Seq::from_vec(vec![bytes(&[9; 48])]), ..a_state() },
        HashedState { hashed_tail: Seq::from_vec(vec![other_slot.clone()]), ..a_state() },
        HashedState { hashed_tail: Seq::new(0), ..a_state() },
        HashedState { hashed_replay_set: Seq::from_vec(vec![entry(4, 8)]), ..a_state() },
        HashedState { hashed_replay_set: Seq::from_vec(vec![entry(3, 9)]), ..a_state() },
        HashedState { hashed_window: Seq::new(0), ..a_state() },
        with_record(|record| record.hashed_record_version = 6),
        with_record(|record| record.hashed_record_size = 3),
        with_record(|record| record.hashed_record_writes = record.hashed_record_writes.slice(0, 1)),
        with_record(|record| {
            let write = Write { write_position: 0, write_content: Some(other_slot.clone()) };
            record.hashed_record_writes = Seq::from_vec(vec![write, to_vec(&record.hashed_record_writes).remove(1)]);
        }),
        with_record(|record| {
            record.hashed_record_commitments =
                Seq::from_vec(vec![forged.clone(), to_vec(&record.hashed_record_commitments).remove(1)]);
        }),
        with_record(|record| record.hashed_record_commitments = record.hashed_record_commitments.slice(0, 1)),
    ];
    let roots: std::collections::BTreeSet<_> = changed.iter().map(|state| byte_vec(&state_root(state))).collect();
    assert_eq!(roots.len(), changed.len());
}

#[test]
fn the_order_in_which_transactions_arrived_is_not_hashed() {
    let entries = [entry(3, 8), entry(1, 9), entry(2, 8)];
    let sorted = |order: [usize; 3]| {
        to_vec(&sorted_replay_set(&Seq::from_vec(order.iter().map(|i| entries[*i].clone()).collect())))
    };
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(sorted(order), [entries[2].clone(), entries[0].clone(), entries[1].clone()]);
    }
}
