// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A fixture and no stand-in: the tests set prices in dollars. The read interface of Aave's oracle: prices in dollars with 8
/// decimals, and a revert-free zero for what it does not know.
contract UsdOracle {
    uint256 public constant BASE_CURRENCY_UNIT = 1e8;
    mapping(address => uint256) public getAssetPrice;

    function setPrice(address asset, uint256 price) external {
        getAssetPrice[asset] = price;
    }
}
