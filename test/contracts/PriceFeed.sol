// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A fixture and no stand-in: the tests set prices. The Chainlink aggregator interface as far as protocols use it. Anybody may
/// set the answer: for local chains only.
contract PriceFeed {
    int256 public latestAnswer;
    uint8 public immutable decimals;

    constructor(int256 answer, uint8 decimals_) {
        latestAnswer = answer;
        decimals = decimals_;
    }

    function setAnswer(int256 answer) external {
        latestAnswer = answer;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, latestAnswer, block.timestamp, block.timestamp, 1);
    }
}
