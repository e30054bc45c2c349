// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A fixture and no stand-in: the tests set prices. Prices for the core pool of Venus: both the oracle of its thresholds and
/// the bounded one of its borrowing limits.
contract VenusCoreOracle {
    mapping(address => uint256) public getUnderlyingPrice;

    function setPrice(address token, uint256 price) external {
        getUnderlyingPrice[token] = price;
    }

    function getBoundedPricesView(address token) external view returns (uint256, uint256) {
        return (getUnderlyingPrice[token], getUnderlyingPrice[token]);
    }

    function updateProtectionState(address) external {}

    function updatePrice(address) external {}
}
