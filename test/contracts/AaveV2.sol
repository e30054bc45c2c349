// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Stand-in for a market of Aave v2: the read interface, and the arithmetic of GenericLogic, MathUtils and WadRayMath of
// aave/protocol-v2, with setters for many wallets; flows that say what pool and tokens say, and keep no balance.

library V2Math {
    uint256 constant RAY = 1e27;
    uint256 constant YEAR = 365 days;

    function rayMul(uint256 a, uint256 b) internal pure returns (uint256) {
        return (a * b + RAY / 2) / RAY;
    }

    function percentMul(uint256 value, uint256 percentage) internal pure returns (uint256) {
        return (value * percentage + 5000) / 10000;
    }

    function wadDiv(uint256 a, uint256 b) internal pure returns (uint256) {
        return (a * 1e18 + b / 2) / b;
    }

    function compounded(uint256 rate, uint256 elapsed) internal pure returns (uint256) {
        if (elapsed == 0) return RAY;
        uint256 minusOne = elapsed - 1;
        uint256 minusTwo = elapsed > 2 ? elapsed - 2 : 0;
        uint256 perSecond = rate / YEAR;
        uint256 powerTwo = rayMul(perSecond, perSecond);
        uint256 powerThree = rayMul(powerTwo, perSecond);
        return RAY + perSecond * elapsed + (elapsed * minusOne * powerTwo) / 2 + (elapsed * minusOne * minusTwo * powerThree) / 6;
    }

    function linear(uint256 rate, uint256 elapsed) internal pure returns (uint256) {
        return (rate * elapsed) / YEAR + RAY;
    }
}

contract AaveV2Token {
    AaveV2Market immutable market;
    address immutable asset;
    bool immutable isDebt;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event BalanceTransfer(address indexed from, address indexed to, uint256 value, uint256 index);

    uint256 scaledTotal;
    mapping(address => uint256) public scaledBalanceOf;

    constructor(AaveV2Market market_, address asset_, bool isDebt_) {
        market = market_;
        asset = asset_;
        isDebt = isDebt_;
    }

    function set(address[] calldata users, uint256[] calldata balances) external {
        for (uint256 i = 0; i < users.length; i++) {
            scaledBalanceOf[users[i]] = balances[i];
            scaledTotal += balances[i];
        }
    }

    function say(address from, address to, uint256 value) public {
        emit Transfer(from, to, value);
        if (from != address(0) && to != address(0)) emit BalanceTransfer(from, to, value, 1e27);
    }

    function transfer(address to, uint256 value) external {
        say(msg.sender, to, value);
    }

    function totalSupply() external view returns (uint256) {
        return V2Math.rayMul(scaledTotal, isDebt ? market.debtIndex(asset) : market.supplyIndex(asset));
    }
}

contract AaveV2StableDebt {
    mapping(address => uint256) public principalBalanceOf;
    mapping(address => uint256) public getUserStableRate;
    mapping(address => uint40) public getUserLastUpdated;
    uint256 principal;
    address[] holders;

    function set(address[] calldata users, uint256[] calldata balances) external {
        for (uint256 i = 0; i < users.length; i++) {
            if (balances[i] == 0) continue;
            principalBalanceOf[users[i]] = balances[i];
            getUserStableRate[users[i]] = 0.0812345678912345678912345e27 + i;
            getUserLastUpdated[users[i]] = uint40(block.timestamp);
            principal += balances[i];
            holders.push(users[i]);
        }
    }

    function getTotalSupplyAndAvgRate() external view returns (uint256, uint256) {
        return (principal, 0);
    }

    /// What all owe; the protocol itself compounds the principal at an average rate.
    function totalSupply() external view returns (uint256 total) {
        for (uint256 i = 0; i < holders.length; i++) total += balanceOf(holders[i]);
    }

    function balanceOf(address user) public view returns (uint256) {
        uint256 own = principalBalanceOf[user];
        if (own == 0) return 0;
        uint256 elapsed = block.timestamp - getUserLastUpdated[user];
        return V2Math.rayMul(own, V2Math.compounded(getUserStableRate[user], elapsed));
    }
}

/// Addresses provider, lending pool and oracle in one. The oracle counts in ether, and does not say so: as on mainnet.
contract AaveV2Market {
    struct ReserveData {
        uint256 configuration;
        uint128 liquidityIndex;
        uint128 variableBorrowIndex;
        uint128 currentLiquidityRate;
        uint128 currentVariableBorrowRate;
        uint128 currentStableBorrowRate;
        uint40 lastUpdateTimestamp;
        address aTokenAddress;
        address stableDebtTokenAddress;
        address variableDebtTokenAddress;
        address interestRateStrategyAddress;
        uint8 id;
    }

    address[] reserves;
    mapping(address => ReserveData) data;
    mapping(address => uint256) public getAssetPrice;
    mapping(address => uint256) public getUserConfiguration;

    event Deposit(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referral);
    event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount);
    event Borrow(
        address indexed reserve,
        address user,
        address indexed onBehalfOf,
        uint256 amount,
        uint256 borrowRateMode,
        uint256 borrowRate,
        uint16 indexed referral
    );
    event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount);
    event LiquidationCall(
        address indexed collateralAsset,
        address indexed debtAsset,
        address indexed user,
        uint256 debtToCover,
        uint256 liquidatedCollateralAmount,
        address liquidator,
        bool receiveAToken
    );

    function tokenOf(address asset) internal view returns (AaveV2Token) {
        return AaveV2Token(data[asset].aTokenAddress);
    }

    function deposit(address asset, uint256 amount, address onBehalfOf, uint16 referral) external {
        tokenOf(asset).say(address(0), onBehalfOf, amount);
        emit Deposit(asset, msg.sender, onBehalfOf, amount, referral);
    }

    function withdraw(address asset, uint256 amount, address to) external {
        tokenOf(asset).say(msg.sender, address(0), amount);
        emit Withdraw(asset, msg.sender, to, amount);
    }

    function borrow(address asset, uint256 amount, uint256 mode, uint16 referral, address onBehalfOf) external {
        emit Borrow(asset, msg.sender, onBehalfOf, amount, mode, 5e25, referral);
    }

    function repay(address asset, uint256 amount, uint256, address onBehalfOf) external {
        emit Repay(asset, onBehalfOf, msg.sender, amount);
    }

    function liquidationCall(address collateral, address debt, address user, uint256 debtToCover, bool receiveAToken) external {
        tokenOf(collateral).say(user, receiveAToken ? msg.sender : address(0), debtToCover / 3);
        emit LiquidationCall(collateral, debt, user, debtToCover, debtToCover / 3, msg.sender, receiveAToken);
    }

    function getLendingPool() external view returns (address) {
        return address(this);
    }

    function getPriceOracle() external view returns (address) {
        return address(this);
    }

    function getSourceOfAsset(address) external view returns (address) {
        return address(this);
    }

    function getReservesList() external view returns (address[] memory) {
        return reserves;
    }

    function getReserveData(address asset) external view returns (ReserveData memory) {
        return data[asset];
    }

    function list(address asset, uint256 threshold, uint256 decimals, uint256 price) external {
        uint8 id = uint8(reserves.length);
        data[asset] = ReserveData(
            (threshold - 300) | (threshold << 16) | (10500 << 32) | (decimals << 48) | (1 << 56),
            uint128(1.0234e27 + id),
            uint128(1.0567e27 + id),
            uint128(0.0212345678e27),
            uint128(0.0512345678e27 + id),
            uint128(0.08e27),
            uint40(block.timestamp),
            address(new AaveV2Token(this, asset, false)),
            address(new AaveV2StableDebt()),
            address(new AaveV2Token(this, asset, true)),
            address(0),
            id
        );
        getAssetPrice[asset] = price;
        reserves.push(asset);
    }

    function configure(address[] calldata users, uint256[] calldata words) external {
        for (uint256 i = 0; i < users.length; i++) getUserConfiguration[users[i]] = words[i];
    }

    function getUserAccountData(
        address user
    ) public view returns (uint256 collateral, uint256 debt, uint256 available, uint256 threshold, uint256 ltv, uint256 health) {
        uint256 word = getUserConfiguration[user];
        for (uint256 i = 0; i < reserves.length; i++) {
            if ((word >> (2 * i)) & 3 == 0) continue;
            uint256 reserveThreshold = (data[reserves[i]].configuration >> 16) & 0xffff;
            (uint256 supplyValue, uint256 debtValue) = valuesOf(reserves[i], user);
            if (reserveThreshold != 0 && (word >> (2 * i + 1)) & 1 == 1) {
                collateral += supplyValue;
                threshold += supplyValue * reserveThreshold;
            }
            if ((word >> (2 * i)) & 1 == 1) debt += debtValue;
        }
        threshold = collateral > 0 ? threshold / collateral : 0;
        health = debt == 0 ? type(uint256).max : V2Math.wadDiv(V2Math.percentMul(collateral, threshold), debt);
        return (collateral, debt, available, threshold, ltv, health);
    }

    function valuesOf(address asset, address user) internal view returns (uint256, uint256) {
        ReserveData storage reserve = data[asset];
        uint256 unit = 10 ** ((reserve.configuration >> 48) & 0xff);
        uint256 price = getAssetPrice[asset];
        return ((supplied(asset, user) * price) / unit, (price * borrowed(asset, user)) / unit);
    }

    function figures(address user) external view returns (uint256 collateral, uint256 debt, uint256 healthFactor) {
        (collateral, debt, , , , healthFactor) = getUserAccountData(user);
    }

    function supplyIndex(address asset) public view returns (uint256) {
        ReserveData storage reserve = data[asset];
        uint256 elapsed = block.timestamp - reserve.lastUpdateTimestamp;
        if (elapsed == 0) return reserve.liquidityIndex;
        return V2Math.rayMul(V2Math.linear(reserve.currentLiquidityRate, elapsed), reserve.liquidityIndex);
    }

    function debtIndex(address asset) public view returns (uint256) {
        ReserveData storage reserve = data[asset];
        uint256 elapsed = block.timestamp - reserve.lastUpdateTimestamp;
        if (elapsed == 0) return reserve.variableBorrowIndex;
        return V2Math.rayMul(V2Math.compounded(reserve.currentVariableBorrowRate, elapsed), reserve.variableBorrowIndex);
    }

    function supplied(address asset, address user) internal view returns (uint256) {
        return V2Math.rayMul(AaveV2Token(data[asset].aTokenAddress).scaledBalanceOf(user), supplyIndex(asset));
    }

    function borrowed(address asset, address user) internal view returns (uint256) {
        ReserveData storage reserve = data[asset];
        uint256 own = AaveV2Token(reserve.variableDebtTokenAddress).scaledBalanceOf(user);
        return V2Math.rayMul(own, debtIndex(asset)) + AaveV2StableDebt(reserve.stableDebtTokenAddress).balanceOf(user);
    }
}
