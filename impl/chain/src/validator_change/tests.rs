use std::collections::BTreeSet;

use super::*;
use crate::council::CouncilJson;

const DICTIONARY: DictionaryId = DictionaryId([1; 32]);

fn member(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn council() -> Council {
    let keys: BTreeSet<_> = [1, 2, 3].map(|seed| member(seed).verifying_key().to_bytes()).into();
    Council::new(2, keys).unwrap()
}

fn powers(listed: &[(u8, u64)]) -> BTreeMap<[u8; 32], u64> {
    listed.iter().map(|(key, power)| ([*key; 32], *power)).collect()
}

fn signed(follows: u64, updates: &[(u8, u64)], seeds: &[u8]) -> SignedChange {
    let change = ValidatorChange { follows, updates: powers(updates) };
    let mut signatures: Vec<_> =
        seeds.iter().map(|seed| change.sign(&DICTIONARY, &council(), &member(*seed))).collect();
    signatures.sort_by_key(|signature| signature.public_key);
    SignedChange { change, signatures }
}

fn first() -> ValidatorSet {
    ValidatorSet::first(powers(&[(7, 10), (8, 10)])).unwrap()
}

#[test]
fn a_change_of_enough_members_is_made_once_and_for_the_set_that_it_names() {
    let change = signed(0, &[(7, 0), (8, 11), (9, 5)], &[1, 3]);
    let after = first().after(&council(), &change, 20).unwrap();
    assert_eq!((after.last_change(), after.powers()), (20, &powers(&[(8, 11), (9, 5)])));
    assert_eq!(first().updates_to(&after), powers(&[(7, 0), (8, 11), (9, 5)]));
    assert_eq!(after.after(&council(), &change, 21), Err(TxCode::ChangeStale));
    assert_eq!(first().after(&council(), &signed(1, &[(9, 5)], &[1, 3]), 20), Err(TxCode::ChangeStale));
}

#[test]
fn only_members_and_only_enough_of_them_change_validators() {
    let after = |seeds: &[u8]| first().after(&council(), &signed(0, &[(9, 5)], seeds), 20).map(|_| ());
    assert_eq!(after(&[]), Err(TxCode::SignerMissing));
    assert_eq!(after(&[2]), Err(TxCode::SignerMissing));
    assert_eq!(after(&[1, 2, 4]), Err(TxCode::SignerSuperfluous));
    assert_eq!(after(&[1, 2, 3]), Ok(()));
}

#[test]
fn signatures_are_of_this_change_this_council_and_this_dictionary() {
    let change = signed(0, &[(9, 5)], &[1, 2]);
    assert!(change.is_signed(&DICTIONARY, &council()));
    assert!(!change.is_signed(&DictionaryId([2; 32]), &council()));
    assert!(!change.is_signed(&DICTIONARY, &Council::new(1, council().members().clone()).unwrap()));
    for changed in [
        ValidatorChange { follows: 1, updates: powers(&[(9, 5)]) },
        ValidatorChange { follows: 0, updates: powers(&[(9, 6)]) },
    ] {
        assert!(!SignedChange { change: changed, ..change.clone() }.is_signed(&DICTIONARY, &council()));
    }
}

#[test]
fn no_set_is_empty_too_large_or_too_powerful() {
    let after = |updates: &[(u8, u64)]| first().after(&council(), &signed(0, updates, &[1, 2]), 20);
    assert_eq!(after(&[]), Err(TxCode::Malformed));
    assert_eq!(after(&[(7, 0), (8, 0)]), Err(TxCode::SetForbidden));
    assert_eq!(after(&[(9, 0)]), Err(TxCode::ValidatorUnknown));
    assert!(after(&[(9, MOST_VOTING_POWER - 20)]).is_ok());
    for power in [MOST_VOTING_POWER - 19, u64::MAX] {
        assert_eq!(after(&[(9, power)]), Err(TxCode::SetForbidden), "{power}");
    }
    let many: Vec<_> = (9..=106).map(|key| (key, 1)).collect();
    assert!(after(&many).is_ok());
    assert_eq!(after(&[many, vec![(107, 1)]].concat()), Err(TxCode::SetForbidden));
    for listed in [vec![], vec![(7, 0)], vec![(7, MOST_VOTING_POWER + 1)]] {
        assert_eq!(ValidatorSet::first(powers(&listed)), Err(TxCode::SetForbidden));
    }
}

#[test]
fn evidence_removes_validators_but_never_all() {
    let without = |guilty: &[u8]| first().without(|key| guilty.contains(&key[0]), 9);
    assert_eq!(without(&[7, 5]), ValidatorSet { last_change: 9, powers: powers(&[(8, 10)]) });
    assert_eq!(without(&[7, 8]), first());
    assert_eq!(without(&[5]), first());
}

#[test]
fn bytes_are_canonical_and_others_are_refused() {
    let change = signed(3, &[(7, 0), (9, 5)], &[1, 2]);
    let bytes = change.encode();
    assert_eq!(SignedChange::decode(&bytes), Ok(change));
    for cut in 0..bytes.len() {
        SignedChange::decode(&bytes[..cut]).unwrap_err();
    }
    SignedChange::decode(&[bytes.clone(), vec![0]].concat()).unwrap_err();
    // The first key's first byte: the keys no longer ascend.
    let mut swapped = bytes.clone();
    swapped[1 + 8 + 2] = 10;
    SignedChange::decode(&swapped).unwrap_err();
    // More validators than a change may have, and than there are bytes for.
    let mut stated = bytes;
    stated[9..11].copy_from_slice(&201_u16.to_be_bytes());
    assert!(matches!(SignedChange::decode(&stated), Err(DecodeError::TooMany { limit: 200, .. })));
    stated[9..11].copy_from_slice(&200_u16.to_be_bytes());
    assert!(matches!(SignedChange::decode(&stated), Err(DecodeError::Order { .. } | DecodeError::Truncated { .. })));

    let set = first().after(&council(), &signed(0, &[(9, 5)], &[1, 2]), 4).unwrap();
    let bytes = [set.encode(), vec![1, 2]].concat();
    let mut reader = Reader::new(&bytes);
    assert_eq!(ValidatorSet::read(&mut reader), Ok(set.clone()));
    assert_eq!(reader.offset(), bytes.len() - 2);
    let none = [0; 10];
    ValidatorSet::read(&mut Reader::new(&none)).unwrap_err();
}

#[test]
fn a_list_begins_with_a_change_only_where_there_is_a_council() {
    let (council, change) = (council(), signed(0, &[(9, 5)], &[1, 2]).encode());
    let listed = [change.clone(), vec![3, 0]];
    assert_eq!(split_change(Some(&council), &listed), (Some(&change), &listed[1..]));
    assert_eq!(split_change(None, &listed), (None, listed.as_slice()));
    assert_eq!(split_change(Some(&council), &listed[1..]), (None, &listed[1..]));
    assert_eq!(split_change::<Vec<u8>>(Some(&council), &[]), (None, [].as_slice()));
}

#[test]
fn an_app_hash_begins_with_the_root_and_covers_council_and_set() {
    let (council, set) = (council(), first());
    let whole = app_hash([5; 32], Some((&council, &set)));
    assert_eq!((whole.len(), root_of_app_hash(&whole)), (64, Some([5; 32])));
    assert_eq!(root_of_app_hash(&app_hash([5; 32], None)), Some([5; 32]));
    for length in [0, 31, 33, 63, 65] {
        assert_eq!(root_of_app_hash(&vec![5; length]), None);
    }
    let other = ValidatorSet { last_change: 1, ..set.clone() };
    assert_ne!(whole, app_hash([5; 32], Some((&council, &other))));
    let other = Council::new(1, council.members().clone()).unwrap();
    assert_ne!(whole, app_hash([5; 32], Some((&other, &set))));
}

#[test]
fn a_council_has_different_members_and_a_threshold_that_they_can_meet() {
    let keys = |count: u8| (0..count).map(|seed| [seed; 32]).collect::<BTreeSet<_>>();
    for (threshold, members, is_one) in [(1, 1, true), (3, 3, true), (0, 3, false), (4, 3, false), (1, 0, false)] {
        assert_eq!(Council::new(threshold, keys(members)).is_ok(), is_one, "{threshold} of {members}");
    }
    let key = format!("0x{}", "07".repeat(32));
    let read = |keys: &[&str]| {
        let json: CouncilJson = serde_json::from_value(serde_json::json!({ "threshold": 1, "keys": keys })).unwrap();
        Council::try_from(json)
    };
    let one = read(&[&key]).unwrap();
    assert_eq!(one, Council::new(1, [[7; 32]].into()).unwrap());
    assert_eq!(serde_json::to_value(CouncilJson::from(&one)).unwrap()["keys"], serde_json::json!([key]));
    assert!(read(&[&key, &key]).is_err());
}
