// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {PriceFeed} from "./PriceFeed.sol";
import {Token} from "./Token.sol";

/// Stand-in for a controller and the AMM of a crvUSD mint market or of LlamaLend: the read interface, health as in Controller._health. What
/// the bands of a loan would give on the way down (get_x_down) is a set share of its value here. Setters for many loans.
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

/// Stand-in for a controller of the second LlamaLend (curve_stablecoin/controller.vy): flows that change a loan and say what a
/// controller says. Who acts for another needs a permission, and its events name who calls.
contract LlammaSecondMarket is LlammaMarket {
    event Borrow(address indexed caller, address indexed user, uint256 collateral_increase, uint256 loan_increase);
    event Repay(address indexed caller, address indexed user, uint256 collateral_decrease, uint256 loan_decrease);
    event RemoveCollateral(address indexed caller, address indexed user, uint256 collateral_decrease);
    event Liquidate(address indexed liquidator, address indexed user, uint256 collateral_received, uint256 stablecoin_received, uint256 debt);
    event Approval(address indexed owner, address indexed spender, bool allow);

    mapping(address => mapping(address => bool)) public approval;

    constructor(Token borrowed_, Token collateral_, PriceFeed oracle_) LlammaMarket(borrowed_, collateral_, oracle_) {}

    modifier actingFor(address user) {
        require(msg.sender == user || approval[user][msg.sender], "no approval");
        _;
    }

    function approve(address spender, bool allow) external {
        approval[msg.sender][spender] = allow;
        emit Approval(msg.sender, spender, allow);
    }

    function borrow_more(uint256 collateral_, uint256 debt) external {
        borrow_more(collateral_, debt, msg.sender);
    }

    function borrow_more(uint256 collateral_, uint256 debt, address user) public actingFor(user) {
        xy[user][1] += collateral_;
        initialDebt[user] += debt;
        emit Borrow(msg.sender, user, collateral_, debt);
    }

    function add_collateral(uint256 collateral_, address user) external {
        borrow_more(collateral_, 0, user);
    }

    function remove_collateral(uint256 collateral_) external {
        remove_collateral(collateral_, msg.sender);
    }

    function remove_collateral(uint256 collateral_, address user) public actingFor(user) {
        xy[user][1] -= collateral_;
        emit RemoveCollateral(msg.sender, user, collateral_);
    }

    /// All of the debt gives back the collateral.
    function repay(uint256 debt, address user) external actingFor(user) {
        bool isAll = debt >= initialDebt[user];
        if (isAll) debt = initialDebt[user];
        initialDebt[user] -= debt;
        emit Repay(msg.sender, user, isAll ? xy[user][1] : 0, debt);
        if (isAll) delete xy[user];
    }

    function liquidate(address user, uint256) external {
        uint256 debt = initialDebt[user];
        emit Repay(msg.sender, user, xy[user][1], debt);
        emit Liquidate(msg.sender, user, xy[user][1], xy[user][0], debt);
        delete xy[user];
        delete initialDebt[user];
    }
}

/// Stand-in for a LlamaLend vault. A fifth of what is lent lies idle.
contract LlammaVault {
    LlammaMarket immutable controller;

    constructor(LlammaMarket controller_) {
        controller = controller_;
    }

    function totalAssets() external view returns (uint256) {
        return (controller.total_debt() * 5) / 4;
    }
}

/// Stand-in for the second factory of LlamaLend, which says itself where a market is.
contract LlammaFactoryV2 {
    event NewVault(
        uint256 indexed id,
        address indexed collateral_token,
        address indexed borrowed_token,
        address vault,
        address controller,
        address amm,
        address price_oracle,
        address monetary_policy
    );

    struct Market {
        address vault;
        address controller;
        address amm;
        address collateral_token;
        address borrowed_token;
        address price_oracle;
        address monetary_policy;
    }

    Market[] public markets;

    function create(LlammaMarket market) external {
        address vault = address(new LlammaVault(market));
        address made = address(market);
        address collateral = address(market.collateral());
        address borrowed = address(market.borrowed());
        emit NewVault(markets.length, collateral, borrowed, vault, made, made, address(0), address(0));
        markets.push(Market(vault, made, made, collateral, borrowed, address(0), address(0)));
    }

    function market_count() external view returns (uint256) {
        return markets.length;
    }
}
