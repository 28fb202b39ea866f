//! c-kzg, which knows nothing of us, computes the same commitments and accepts the same proofs.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::{Domain, scalar_to_bytes};
use aardvark_dictionary::{Key, Slot, Value};
use c_kzg::{Blob, Bytes32, Bytes48, KzgSettings, ethereum_kzg_settings};
use common::Sandbox;

const N: usize = 4096;

fn judge() -> &'static KzgSettings {
    ethereum_kzg_settings(0)
}

fn points(text: &serde_json::Value) -> [u8; 48] {
    let digits = text.as_str().unwrap().strip_prefix("0x").unwrap();
    let bytes: Vec<u8> = (0..96).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect();
    bytes.try_into().unwrap()
}

/// The dense array after the two blocks of the test, worked out by hand.
fn slots() -> Vec<Slot> {
    // Block 1 puts k0 .. k9 at positions 1 .. 10; block 2 updates k3 and deletes k5, into whose
    // place the last slot moves.
    let order = ["", "k0", "k1", "k2", "k3", "k4", "k9", "k6", "k7", "k8"];
    let slot = |key: &str| {
        let next = match key {
            "" => "k0".to_owned(),
            "k4" => "k6".to_owned(),
            "k9" => String::new(),
            other => format!("k{}", other[1..].parse::<u8>().unwrap() + 1),
        };
        let value = match key {
            "" => "".to_owned(),
            "k3" => "updated".to_owned(),
            other => format!("value of {other}"),
        };
        Slot { key: key.into(), value: Value::from(value.as_str()), next: Key::from(next.as_str()) }
    };
    order.map(slot).to_vec()
}

#[test]
fn commitments_and_proofs_of_the_command_are_those_of_c_kzg() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4096");
    let puts = (0..10).map(|number| format!("{{\"key\":\"k{number}\",\"value\":\"value of k{number}\"}}\n"));
    let changes = "{\"key\":\"k3\",\"value\":\"updated\"}\n{\"key\":\"k5\",\"value\":null}\n";
    sandbox.write("changes.jsonl", puts.collect::<String>() + changes);
    sandbox.ok("import d changes.jsonl --block-size 10");
    sandbox.ok("commitments d -o c.json");
    let commitment = points(&sandbox.json("c.json")["commitments"][0]);

    // The blob of EIP-4844 holds a polynomial's values on the domain in bit-reversed order.
    let slots = slots();
    let mut blob = [0; 32 * N];
    for (index, slot) in slots.iter().enumerate() {
        let place = index.reverse_bits() >> (usize::BITS - N.ilog2());
        blob[32 * place..32 * (place + 1)].copy_from_slice(&scalar_to_bytes(&slot.scalar()));
    }
    let theirs = judge().blob_to_kzg_commitment(&Blob::new(blob)).unwrap().to_bytes().into_inner();
    assert_eq!(commitment, theirs);

    let domain = Domain::new(N).unwrap();
    let holds = |position: usize, slot: &Slot, opening: [u8; 48]| {
        let point = Bytes32::new(scalar_to_bytes(&domain.powers()[position]));
        let value = Bytes32::new(scalar_to_bytes(&slot.scalar()));
        judge().verify_kzg_proof(&Bytes48::new(commitment), &point, &value, &Bytes48::new(opening)).unwrap()
    };
    for key in ["k0", "k3", "k5", "k9", "zzz"] {
        sandbox.ok(&format!("prove d {key} -o p.json"));
        let claim = sandbox.json("p.json")["claims"][0].clone();
        let position = usize::try_from(claim["position"].as_u64().unwrap()).unwrap();
        assert!(slots[position].covers(key.as_bytes()), "{key}");
        let opening = points(&claim["opening"]);
        assert!(holds(position, &slots[position], opening), "{key}");
        assert!(!holds(position, &slots[(position + 1) % slots.len()], opening), "{key}");
    }
}
