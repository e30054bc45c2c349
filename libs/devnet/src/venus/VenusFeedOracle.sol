// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IFeed {
    function latestAnswer() external view returns (int256);
}

/// What a Venus pool asks for its prices, answered by the devnet's feeds.
contract VenusFeedOracle {
    address immutable owner = msg.sender;
    mapping(address => IFeed) feeds;
    mapping(address => uint256) scales;

    /// @param scale 10 ** (36 - decimals of the underlying token - decimals of the feed)
    function setFeed(address vToken, IFeed feed, uint256 scale) external {
        require(msg.sender == owner, "only the owner");
        feeds[vToken] = feed;
        scales[vToken] = scale;
    }

    /// Dollars of the smallest unit of the underlying token, times 1e36.
    function getUnderlyingPrice(address vToken) external view returns (uint256) {
        return uint256(feeds[vToken].latestAnswer()) * scales[vToken];
    }

    /// The pool asks for it before it reads a price; the feeds are always up to date.
    function updatePrice(address vToken) external {}
}
