// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {PriceFeed} from "./PriceFeed.sol";
import {Token} from "./Token.sol";

/// Fixture for tests of listed markets, no proof of a reader: a controller and the AMM of a crvUSD mint market, with the read
/// interface and health as in Controller._health. What the bands of a loan would give on the way down (get_x_down) is a set
/// share of its value here. Setters for many loans.
contract LlammaMarket {
    Token public immutable borrowed;
    Token public immutable collateral;
    PriceFeed immutable oracle;
    uint256 immutable precision;
    uint256 immutable start = block.timestamp;
    uint256 constant rate = 1.5e9;
    mapping(address => uint256) initialDebt;
    mapping(address => uint256[2]) xy;
    address[] users_;
    mapping(address => uint256) public liquidation_discounts;

    constructor(Token borrowed_, Token collateral_, PriceFeed oracle_) {
        borrowed = borrowed_;
        collateral = collateral_;
        oracle = oracle_;
        precision = 10 ** (collateral_.decimals() + 18 - borrowed_.decimals());
    }

    function set(address[] calldata users, uint256[] calldata converted, uint256[] calldata collaterals, uint256[] calldata debts) external {
        for (uint256 i = 0; i < users.length; i++) {
            xy[users[i]] = [converted[i], collaterals[i]];
            users_.push(users[i]);
            borrowed.hold(address(this), converted[i]);
            collateral.hold(address(this), collaterals[i]);
            initialDebt[users[i]] = debts[i];
            liquidation_discounts[users[i]] = 0.06e18 + i * 1e13;
        }
    }

    function coins(uint256 i) external view returns (address) {
        return i == 0 ? address(borrowed) : address(collateral);
    }

    function price_oracle() public view returns (uint256) {
        return uint256(oracle.latestAnswer());
    }

    function loan_exists(address user) external view returns (bool) {
        return initialDebt[user] > 0;
    }

    function debtOf(address user) public view returns (uint256) {
        return (initialDebt[user] * (1e18 + rate * (block.timestamp - start))) / 1e18;
    }

    function total_debt() public view returns (uint256 total) {
        for (uint256 i = 0; i < users_.length; i++) total += debtOf(users_[i]);
    }

    function user_state(address user) external view returns (uint256[4] memory) {
        return [xy[user][1], xy[user][0], debtOf(user), 10];
    }

    function get_x_down(address user) public view returns (uint256) {
        return xy[user][0] + (((xy[user][1] * price_oracle()) / precision) * 96) / 100;
    }

    function health(address user, bool full) public view returns (int256 result) {
        int256 debt = int256(debtOf(user));
        require(debt > 0, "Loan doesn't exist");
        result = 1e18 - int256(liquidation_discounts[user]);
        result = (int256(get_x_down(user)) * result) / debt - 1e18;
        if (full && xy[user][0] == 0) result += (int256(xy[user][1] * (price_oracle() / 50)) / int256(precision)) / debt;
    }
}
