// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Vm} from "./Vm.sol";

/// Assertions that say what was found; forge takes a revert for a failure.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    /// Forge looks for it to know that a contract is a test of the kind that it knows.
    bool public constant IS_TEST = true;

    error NotEqual(string what, uint256 actual, uint256 expected);
    error NotEqualBytes(string what, bytes32 actual, bytes32 expected);
    error NotTrue(string what);
    error TooFar(string what, uint256 actual, uint256 expected, uint256 within);

    function eq(uint256 actual, uint256 expected, string memory what) internal pure {
        if (actual != expected) revert NotEqual(what, actual, expected);
    }

    function eq(address actual, address expected, string memory what) internal pure {
        eq(uint256(uint160(actual)), uint256(uint160(expected)), what);
    }

    function eq(bytes32 actual, bytes32 expected, string memory what) internal pure {
        if (actual != expected) revert NotEqualBytes(what, actual, expected);
    }

    function yes(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    function near(uint256 actual, uint256 expected, uint256 within, string memory what) internal pure {
        uint256 off = actual > expected ? actual - expected : expected - actual;
        if (off > within) revert TooFar(what, actual, expected, within);
    }

    /// Writes down the gas of the last call; tools/contracts/test.cjs prints it.
    function measure(string memory family, string memory strategy) internal {
        vm.snapshotGasLastCall(family, strategy);
    }

    /// `value` brought into [low, high], as evenly as it was drawn.
    function between(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        return low + (value % (high - low + 1));
    }
}
