// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Fixtures for tests of when lists of markets are read: the read interfaces and logs of contracts that list markets, with setters.

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

/// Configurator of Compound III.
contract CometConfigurator {
    event CometDeployed(address indexed cometProxy, address indexed newComet);

    function deploy(address cometProxy) external {
        emit CometDeployed(cometProxy, address(this));
    }
}

/// A comet, as far as it names its base token.
contract CometProxy {
    address public baseToken = address(1);
}
