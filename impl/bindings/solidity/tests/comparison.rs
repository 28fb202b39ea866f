//! What paths in other authenticated maps cost on chain, a lower bound each: hashing and calldata.

use harness::abi::{Value, call};
use harness::chain::{Called, Chain, Outcome};
use revm::primitives::keccak256;
use sha2::{Digest, Sha256};

/// The path of a key of a Jellyfish Merkle tree of 2^depth keys, and its root.
fn jmt(depth: usize) -> Vec<u8> {
    let (key, value) = ([0x5a; 32], b"member 42");
    let digest = |parts: &[&[u8]]| -> [u8; 32] { Sha256::digest(parts.concat()).into() };
    let siblings: Vec<[u8; 32]> = (0..depth).map(|i| digest(&[&i.to_be_bytes()])).collect();
    let mut node = digest(&[b"JMT::LeafNode", &key, &digest(&[value])]);
    for (i, sibling) in siblings.iter().enumerate() {
        let bit = depth - 1 - i;
        let right = key[bit / 8] >> (7 - bit % 8) & 1 == 1;
        let (a, b) = if right { (sibling, &node) } else { (&node, sibling) };
        node = digest(&[b"JMT::IntrnalNode", a, b]);
    }
    let siblings = Value::Array(siblings.into_iter().map(Value::Word).collect());
    let arguments = vec![Value::Word(node), Value::Word(key), Value::Bytes(value.to_vec()), siblings];
    call("jmt(bytes32,bytes32,bytes,bytes32[])", arguments)
}

/// The path of a key of Ethereum's trie, through so many full branches.
fn mpt(branches: usize) -> Vec<u8> {
    let key = [0x5a; 32];
    let leaf = [&[0xe9][..], &[0x20; 30], b"member 42"].concat();
    let mut node = keccak256(&leaf);
    let mut path = Vec::new();
    for level in (0..branches).rev() {
        let nibble = usize::from(if level % 2 == 0 { key[level / 2] >> 4 } else { key[level / 2] & 15 });
        let mut branch = vec![0xf9, 0x02, 0x11];
        for child in 0..16 {
            let other = keccak256([level, child].map(usize::to_be_bytes).concat());
            branch.push(0xa0);
            branch.extend(if child == nibble { node } else { other });
        }
        branch.push(0x80);
        node = keccak256(&branch);
        path.insert(0, Value::Bytes(branch));
    }
    let arguments = vec![Value::Word(node.0), Value::Word(key), Value::Array(path), Value::Bytes(leaf)];
    call("mpt(bytes32,bytes32,bytes[],bytes)", arguments)
}

#[test]
fn paths_of_other_maps_are_measured_beside_ours() {
    let mut chain = Chain::new();
    let paths = chain.deploy("Paths", &[]);
    let yes = Outcome::Returned([&[0; 31][..], &[1]].concat());
    for (name, data) in [
        ("10^3 keys, jmt, 10 siblings", jmt(10)),
        ("10^6 keys, jmt, 20 siblings", jmt(20)),
        ("10^3 keys, MPT, 3 branches", mpt(3)),
        ("10^6 keys, MPT, 5 branches", mpt(5)),
    ] {
        let Called { outcome, executed, calldata } = chain.call(paths, &data);
        assert_eq!(outcome, yes, "{name}");
        println!("{name}: {executed} gas executing, {calldata} for calldata");
    }
}
