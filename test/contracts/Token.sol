// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A fixture and no stand-in: the tests need any ERC-20. A token of which everybody has enough: every transfer succeeds. What
/// markets hold of it is their own bookkeeping, but where their totals are read from balances: those are set.
contract Token {
    string public symbol;
    uint8 public immutable decimals;

    mapping(address => uint256) public balanceOf;

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    function hold(address holder, uint256 amount) external {
        balanceOf[holder] += amount;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return true;
    }

    function transferFrom(address, address, uint256) external pure returns (bool) {
        return true;
    }
}
