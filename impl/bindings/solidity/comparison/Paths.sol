// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.26;

/// @title What hashing along a path costs in other authenticated maps, to compare with
/// @dev Hashes only, without the parsing and the checks that a verifier needs besides: lower bounds.
contract Paths {
    /// A Jellyfish Merkle tree on SHA-256 (the crate jmt): leaf, and internal nodes of two children.
    function jmt(bytes32 root, bytes32 keyHash, bytes calldata value, bytes32[] calldata siblings)
        external
        view
        returns (bool)
    {
        bytes32 digest = sha256(abi.encodePacked("JMT::LeafNode", keyHash, sha256(value)));
        uint256 depth = siblings.length;
        for (uint256 i = 0; i < siblings.length; i++) {
            bool right = uint256(keyHash) >> (256 - depth + i) & 1 == 1;
            (bytes32 a, bytes32 b) = right ? (siblings[i], digest) : (digest, siblings[i]);
            assembly ("memory-safe") {
                let free := mload(0x40)
                mstore(free, "JMT::IntrnalNode")
                mstore(add(free, 16), a)
                mstore(add(free, 48), b)
                pop(staticcall(gas(), 0x02, free, 80, 0, 32))
                digest := mload(0)
            }
        }
        return digest == root;
    }

    /// Ethereum's Merkle-Patricia trie: branches with all 16 children (3 bytes, 33 for each, 1), a leaf.
    function mpt(bytes32 root, bytes32 keyHash, bytes[] calldata branches, bytes calldata leaf)
        external
        pure
        returns (bool)
    {
        for (uint256 i = 0; i < branches.length; i++) {
            if (keccak256(branches[i]) != root) return false;
            uint256 nibble = uint256(keyHash) >> (252 - 4 * i) & 15;
            uint256 child = 4 + 33 * nibble;
            root = bytes32(branches[i][child:child + 32]);
        }
        return keccak256(leaf) == root;
    }
}
