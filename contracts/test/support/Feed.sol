// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// A Chainlink aggregator that says what it is told to.
contract Feed {
    uint8 public immutable decimals;
    int256 public latestAnswer;
    uint256 public startedAt;
    uint256 public updatedAt;

    constructor(uint8 decimals_, int256 answer) {
        decimals = decimals_;
        set(answer);
    }

    function set(int256 answer) public {
        setAt(answer, block.timestamp);
    }

    function setAt(int256 answer, uint256 timestamp) public {
        latestAnswer = answer;
        startedAt = timestamp;
        updatedAt = timestamp;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, latestAnswer, startedAt, updatedAt, 1);
    }
}
