// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.26;

/// A key, its value, and the next larger live key.
struct Slot {
    bytes key;
    bytes value;
    bytes next;
}

/// That a slot stands at a position, and the opening of its vector's commitment there.
struct Claim {
    uint64 position;
    Slot slot;
    bytes opening;
}

/// The commitment of a vector, and its path to the root over the commitments.
struct TiedVector {
    uint64 number;
    bytes commitment;
    bytes32[] path;
}

/// What a state root is over besides the dictionary and the version.
struct RootTie {
    uint64 size;
    uint64 tail_start;
    bytes32 commitment_root;
    bytes32 tail_digest;
    bytes32 replay_digest;
    bytes32 window_digest;
    TiedVector[] vectors;
}

/// A state root that is trusted, with its dictionary and the dictionary's vector size N.
struct KnownRoot {
    bytes32 digest;
    bytes32 dictionary;
    uint32 vector_size;
}

/// The commitment of one vector that is trusted: its versioned hash (EIP-4844), the vector's
/// number, and the number of slots and the N of its dictionary at that version.
struct KnownVector {
    bytes32 versioned_hash;
    uint64 number;
    uint64 size;
    uint32 vector_size;
}

/// @title Verifies what a dictionary says of one key: its value, or that it is absent
/// @notice The structs have the fields of the JSON proofs (docs/format.md), by the same names.
/// What does not hold reverts, so that no caller can take it for an answer; the errors have the
/// names of the specification's reasons, in its order of checks.
/// @dev Calls the precompiles of SHA-256, of modular powers and of KZG point evaluations (EIP-4844),
/// and nothing else; has no state. The work is bounded by the lengths that are checked first.
library Aardvark {
    /// The key has not 1 to 255 bytes.
    error QuestionIllegal();
    /// N is not a power of two from 1 to 4096.
    error VectorSizeIllegal();
    /// The slot's key, next key or value is longer than any may be.
    error AnswerSlotTooLong();
    /// The tied vector is not the claim's, or not alone.
    error TiedVectorsMismatched();
    /// The commitment has not 48 bytes.
    error CommitmentMalformed();
    /// The commitment is not the one that is trusted.
    error CommitmentFalse();
    /// The parts do not hash to the root.
    error RootFalse();
    /// The path does not tie the commitment to the root.
    error PathFalse();
    /// The claimed position is not in use.
    error AnswerPositionOutOfRange();
    /// The opening has not 48 bytes.
    error AnswerOpeningMalformed();
    /// The opening does not prove the claim, or its bytes or the commitment's are no point.
    error AnswerOpeningFalse();
    /// The slot does not cover the key.
    error ChainNotCovering();
    /// There is too little gas left to tell a true opening from a false one.
    error GasTooLow();
    /// This chain lacks a precompile.
    error PrecompileMissing();

    /// The order of the scalar field of BLS12-381.
    uint256 private constant R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001;
    /// A primitive 4096-th root of unity: 7^((R-1)/4096).
    uint256 private constant ROOT_4096 = 0x564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306;
    /// What the point evaluation costs. One that fails burns all that it is given.
    uint256 private constant EVALUATION_GAS = 50_000;
    /// With so much left, EVALUATION_GAS is given in full (EIP-150).
    uint256 private constant GAS_FOR_EVALUATION = 52_000;

    /// @notice What stands under `key` in the version of the dictionary with the root `known`.
    /// @param version The proof's version, which the root binds.
    function verifyUnderRoot(
        KnownRoot memory known,
        uint64 version,
        bytes memory key,
        Claim calldata claim,
        RootTie calldata tie
    ) internal view returns (bool present, bytes memory value) {
        checkForm(known.vector_size, key, claim);
        if (tie.vectors.length != 1) revert TiedVectorsMismatched();
        TiedVector calldata tied = tie.vectors[0];
        if (tied.number != claim.position / known.vector_size) revert TiedVectorsMismatched();
        if (tied.commitment.length != 48) revert CommitmentMalformed();
        if (stateRoot(known.dictionary, version, tie) != known.digest) revert RootFalse();
        // How many leaves there are follows from the size, which the root binds.
        uint256 leaves = (uint256(tie.size) + known.vector_size - 1) / known.vector_size;
        checkPath(tie.commitment_root, leaves, tied);
        checkOpening(known.vector_size, tie.size, claim, tied.commitment, versionedHash(tied.commitment));
        return answer(key, claim.slot);
    }

    /// @notice What stands under `key` in a version of which one vector's commitment is `known`.
    function verifyUnderCommitment(
        KnownVector memory known,
        bytes memory key,
        Claim calldata claim,
        bytes calldata commitment
    ) internal view returns (bool present, bytes memory value) {
        checkForm(known.vector_size, key, claim);
        if (commitment.length != 48) revert CommitmentMalformed();
        if (versionedHash(commitment) != known.versioned_hash) revert CommitmentFalse();
        if (known.number != claim.position / known.vector_size) revert TiedVectorsMismatched();
        checkOpening(known.vector_size, known.size, claim, commitment, known.versioned_hash);
        return answer(key, claim.slot);
    }

    /// @notice By what a commitment is known to EIP-4844.
    function versionedHash(bytes calldata commitment) internal pure returns (bytes32) {
        return bytes32((uint256(sha256(commitment)) & (type(uint256).max >> 8)) | (1 << 248));
    }

    /// Lengths bound all work and all memory, so they come first.
    function checkForm(uint32 vectorSize, bytes memory key, Claim calldata claim) private pure {
        if (vectorSize == 0 || vectorSize > 4096 || vectorSize & (vectorSize - 1) != 0) revert VectorSizeIllegal();
        if (key.length == 0 || key.length > 255) revert QuestionIllegal();
        Slot calldata slot = claim.slot;
        if (slot.key.length > 255 || slot.next.length > 255 || slot.value.length > 1024) revert AnswerSlotTooLong();
    }

    /// H("AARDVARK-V1-STATE", ..): the root over the parts.
    function stateRoot(bytes32 dictionary, uint64 version, RootTie calldata tie) private pure returns (bytes32) {
        bytes memory numbers = abi.encodePacked(version, tie.size, tie.tail_start);
        bytes memory digests =
            abi.encodePacked(tie.commitment_root, tie.tail_digest, tie.replay_digest, tie.window_digest);
        return sha256(abi.encodePacked(uint8(17), "AARDVARK-V1-STATE", dictionary, numbers, digests));
    }

    /// RFC 9162, section 2.1.3.2: the path has the siblings from below, as many as there are.
    function checkPath(bytes32 root, uint256 leaves, TiedVector calldata tied) private view {
        uint256 index = tied.number;
        if (index >= leaves) revert PathFalse();
        bytes32[] calldata path = tied.path;
        bytes32 digest = sha256(abi.encodePacked(uint8(0), tied.commitment));
        uint256 used = 0;
        for (; leaves > 1; (index, leaves) = (index / 2, (leaves + 1) / 2)) {
            // The last of an odd number goes up as it is.
            if (index % 2 == 0 && index + 1 == leaves) continue;
            if (used == path.length) revert PathFalse();
            bytes32 sibling = path[used++];
            (bytes32 left, bytes32 right) = index % 2 == 0 ? (digest, sibling) : (sibling, digest);
            digest = nodeDigest(left, right);
        }
        if (used != path.length || digest != root) revert PathFalse();
    }

    /// SHA-256(0x01 || left || right), in memory that is free again.
    function nodeDigest(bytes32 left, bytes32 right) private view returns (bytes32 digest) {
        bool done;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore8(free, 1)
            mstore(add(free, 1), left)
            mstore(add(free, 33), right)
            done := staticcall(gas(), 0x02, free, 65, 0, 32)
            done := and(done, eq(returndatasize(), 32))
            digest := mload(0)
        }
        if (!done) revert PrecompileMissing();
    }

    /// Position and opening: the vector under the commitment has the slot's scalar at its index.
    function checkOpening(
        uint32 vectorSize,
        uint64 size,
        Claim calldata claim,
        bytes calldata commitment,
        bytes32 versioned
    ) private view {
        if (claim.position >= size) revert AnswerPositionOutOfRange();
        if (claim.opening.length != 48) revert AnswerOpeningMalformed();
        uint256 point = power((claim.position % vectorSize) * (4096 / vectorSize));
        bytes memory input = abi.encodePacked(versioned, point, scalar(claim.slot), commitment, claim.opening);
        if (gasleft() < GAS_FOR_EVALUATION) revert GasTooLow();
        (bool holds, bytes memory output) = address(0x0a).staticcall{gas: EVALUATION_GAS}(input);
        if (!holds) revert AnswerOpeningFalse();
        // A chain without the precompile answers with nothing, and would so take every opening.
        if (keccak256(output) != keccak256(abi.encode(4096, R))) revert PrecompileMissing();
    }

    /// A power of the root of unity.
    function power(uint256 exponent) private view returns (uint256) {
        (bool done, bytes memory output) = address(0x05).staticcall(abi.encode(32, 32, 32, ROOT_4096, exponent, R));
        if (!done || output.length != 32) revert PrecompileMissing();
        return abi.decode(output, (uint256));
    }

    /// hash_to_field of RFC 9380 with expand_message_xmd and SHA-256: 48 bytes modulo R.
    function scalar(Slot calldata slot) private pure returns (uint256) {
        bytes memory tag = "AARDVARK-V1-SLOT\x10";
        bytes memory encoded = abi.encodePacked(uint16(slot.key.length), slot.key, uint16(slot.next.length), slot.next);
        // 64 zeros, the message, the length wanted, 0, the tag and its length
        bytes32 b0 = sha256(abi.encodePacked(new bytes(64), encoded, slot.value, hex"003000", tag));
        bytes32 b1 = sha256(abi.encodePacked(b0, uint8(1), tag));
        bytes32 b2 = sha256(abi.encodePacked(b0 ^ b1, uint8(2), tag));
        return addmod(mulmod(uint256(b1), 1 << 128, R), uint256(b2) >> 128, R);
    }

    /// What a slot that stands in the dictionary says of a key that it covers: the key lies in the
    /// cyclic interval [slot.key, slot.next).
    function answer(bytes memory key, Slot calldata slot) private pure returns (bool present, bytes memory value) {
        (bytes memory from, bytes memory to) = (slot.key, slot.next);
        (bool first, bool last) = (!less(key, from), less(key, to));
        if (less(from, to) ? !(first && last) : !(first || last)) revert ChainNotCovering();
        present = keccak256(key) == keccak256(from);
        if (present) value = slot.value;
    }

    /// Whether a byte string comes before another one.
    function less(bytes memory a, bytes memory b) private pure returns (bool) {
        uint256 shared = a.length < b.length ? a.length : b.length;
        for (uint256 i = 0; i < shared; i += 32) {
            (uint256 left, uint256 right) = (word(a, i), word(b, i));
            if (left != right) return left < right;
        }
        return a.length < b.length;
    }

    /// The 32 bytes at a place below the length, with zeros for those behind the end: where a string
    /// ends first and the words are the same, lengths decide.
    function word(bytes memory text, uint256 i) private pure returns (uint256 found) {
        assembly ("memory-safe") {
            found := mload(add(add(text, 32), i))
        }
        uint256 there = text.length - i;
        if (there < 32) found &= type(uint256).max << (8 * (32 - there));
    }
}
