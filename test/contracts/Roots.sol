// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Fixtures for tests of when lists of markets are read, no proof of what they list: the read interface of a contract that lists
/// markets, with setters. test/listings has the lists of genuine contracts.

/// ControllerFactory.vy of curve-stablecoin.
contract MintFactory {
    address[] public controllers;
    address[] public amms;

    function n_collaterals() external view returns (uint256) {
        return controllers.length;
    }

    function add_market(address controller, address amm) external {
        controllers.push(controller);
        amms.push(amm);
    }
}
