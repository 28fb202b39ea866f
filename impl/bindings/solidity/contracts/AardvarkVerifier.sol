// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.26;

import {Aardvark, Claim, KnownRoot, KnownVector, RootTie} from "./Aardvark.sol";

/// @title The library as a contract, for callers that do not want its code in theirs
contract AardvarkVerifier {
    /// @notice See `Aardvark.verifyUnderRoot`.
    function verifyUnderRoot(
        KnownRoot calldata known,
        uint64 version,
        bytes calldata key,
        Claim calldata claim,
        RootTie calldata tie
    ) external view returns (bool present, bytes memory value) {
        return Aardvark.verifyUnderRoot(known, version, key, claim, tie);
    }

    /// @notice See `Aardvark.verifyUnderCommitment`.
    function verifyUnderCommitment(
        KnownVector calldata known,
        bytes calldata key,
        Claim calldata claim,
        bytes calldata commitment
    ) external view returns (bool present, bytes memory value) {
        return Aardvark.verifyUnderCommitment(known, key, claim, commitment);
    }
}
