// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Stand-ins for Compound v2: the read interface and the arithmetic of CToken and Comptroller, with setters for many wallets. Interest accrues by a fixed rate a second, as accrueInterest does with its model's.

contract CompoundToken {
    address immutable asset;
    uint256 public totalSupply;
    uint256 public totalCash;
    uint256 public totalBorrows;
    uint256 public totalReserves;
    uint256 public borrowIndex = 1e18;
    uint256 public accrualTimestamp = block.timestamp;
    uint256 public immutable rate;
    uint256 public constant reserveFactor = 0.15e18;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) principal;
    mapping(address => uint256) interestIndex;

    constructor(address underlying_, uint256 ratePerSecond, uint256 cash, uint256 supply) {
        asset = underlying_;
        rate = ratePerSecond;
        totalCash = cash;
        totalSupply = supply;
    }

    /// The market of the chain's own coin has none.
    function underlying() external view returns (address) {
        require(asset != address(0), "no underlying");
        return asset;
    }

    function set(address[] calldata users, uint256[] calldata tokens, uint256[] calldata borrows) external {
        accrueInterest();
        for (uint256 i = 0; i < users.length; i++) {
            balanceOf[users[i]] = tokens[i];
            totalSupply += tokens[i];
            principal[users[i]] = borrows[i];
            interestIndex[users[i]] = borrowIndex;
            totalBorrows += borrows[i];
        }
    }

    function accrueInterest() public {
        uint256 factor = rate * (block.timestamp - accrualTimestamp);
        uint256 interest = (factor * totalBorrows) / 1e18;
        totalBorrows += interest;
        totalReserves += (reserveFactor * interest) / 1e18;
        borrowIndex += (factor * borrowIndex) / 1e18;
        accrualTimestamp = block.timestamp;
    }

    function exchangeRateStored() public view returns (uint256) {
        return ((totalCash + totalBorrows - totalReserves) * 1e18) / totalSupply;
    }

    function borrowBalanceStored(address user) public view returns (uint256) {
        return principal[user] == 0 ? 0 : (principal[user] * borrowIndex) / interestIndex[user];
    }

    function exchangeRateCurrent() external returns (uint256) {
        accrueInterest();
        return exchangeRateStored();
    }

    function totalBorrowsCurrent() external returns (uint256) {
        accrueInterest();
        return totalBorrows;
    }

    function borrowBalanceCurrent(address user) external returns (uint256) {
        accrueInterest();
        return borrowBalanceStored(user);
    }
}

contract CompoundOracle {
    mapping(address => uint256) public getUnderlyingPrice;

    function setPrice(address token, uint256 price) external {
        getUnderlyingPrice[token] = price;
    }
}

/// Comptroller of Compound v2: lists of markets, and the order of getHypotheticalAccountLiquidityInternal.
contract CompoundComptroller {
    struct Market {
        bool isListed;
        uint256 collateralFactorMantissa;
    }

    CompoundOracle public oracle;
    uint256 public constant liquidationIncentiveMantissa = 1.08e18;
    CompoundToken[] allMarkets;
    mapping(address => Market) public markets;
    mapping(address => address[]) assetsIn;

    constructor(CompoundOracle oracle_) {
        oracle = oracle_;
    }

    function list(CompoundToken token, uint256 factor) external {
        allMarkets.push(token);
        markets[address(token)] = Market(true, factor);
    }

    function enter(address token, address[] calldata users) external {
        for (uint256 i = 0; i < users.length; i++) assetsIn[users[i]].push(token);
    }

    function getAllMarkets() external view returns (CompoundToken[] memory) {
        return allMarkets;
    }

    function getAssetsIn(address user) external view returns (address[] memory) {
        return assetsIn[user];
    }

    function figures(address user) external returns (uint256 collateral, uint256 debt, uint256 healthFactor) {
        uint256 weighted;
        for (uint256 i = 0; i < assetsIn[user].length; i++) {
            CompoundToken token = CompoundToken(assetsIn[user][i]);
            uint256 rate = token.exchangeRateCurrent();
            uint256 price = oracle.getUnderlyingPrice(address(token));
            weighted += (weightedPrice(token, rate, price) * token.balanceOf(user)) / 1e18;
            collateral += (((rate * price) / 1e18) * token.balanceOf(user)) / 1e18;
            debt += (price * token.borrowBalanceCurrent(user)) / 1e18;
        }
        healthFactor = debt == 0 ? type(uint256).max : (weighted * 1e18) / debt;
    }

    /// On stored balances, as comptrollers take them.
    function getAccountLiquidity(address user) external view returns (uint256 errorCode, uint256 liquidity, uint256 shortfall) {
        uint256 weighted;
        uint256 debt;
        for (uint256 i = 0; i < assetsIn[user].length; i++) {
            CompoundToken token = CompoundToken(assetsIn[user][i]);
            uint256 price = oracle.getUnderlyingPrice(address(token));
            if (price == 0) return (13, 0, 0);
            weighted += (weightedPrice(token, token.exchangeRateStored(), price) * token.balanceOf(user)) / 1e18;
            debt += (price * token.borrowBalanceStored(user)) / 1e18;
        }
        if (weighted > debt) liquidity = weighted - debt;
        else shortfall = debt - weighted;
    }

    /// What one token of a market counts for, in the protocol's own order of truncation.
    function weightedPrice(CompoundToken token, uint256 rate, uint256 price) internal view returns (uint256) {
        return (((markets[address(token)].collateralFactorMantissa * rate) / 1e18) * price) / 1e18;
    }
}
