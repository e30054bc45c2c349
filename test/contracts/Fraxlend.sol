// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Stand-in for a Fraxlend pair: totals and their interest, VaultAccountingLibrary and the solvency of FraxlendPairCore, a
/// fixed rate in place of its model, setters for many wallets; flows that change balances by as many shares as assets and say what
/// a pair says.
abstract contract FraxlendPair {
    struct VaultAccount {
        uint128 amount;
        uint128 shares;
    }

    event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    event BorrowAsset(address indexed _borrower, address indexed _receiver, uint256 _borrowAmount, uint256 _sharesAdded);
    event RepayAsset(address indexed payer, address indexed borrower, uint256 amountToRepay, uint256 shares);
    event AddCollateral(address indexed sender, address indexed borrower, uint256 collateralAmount);
    event RemoveCollateral(address indexed _sender, uint256 _collateralAmount, address indexed _receiver, address indexed _borrower);

    address public immutable asset;
    address public immutable collateralContract;
    uint256 public maxLTV = 75_000;
    uint256 public constant cleanLiquidationFee = 10_000;
    uint256 constant ratePerSecond = 1.7e9;
    uint256 constant fee = 10_000;
    uint256 rate;
    uint256 lastTimestamp = block.timestamp;
    VaultAccount public totalBorrow;
    VaultAccount public totalAsset;
    uint256 public totalCollateral;
    mapping(address => uint256) userCollateralBalance;
    mapping(address => uint256) userBorrowShares;
    mapping(address => uint256) balanceOf;

    constructor(address asset_, address collateral_, uint256 exchangeRate, uint128 lent) {
        asset = asset_;
        collateralContract = collateral_;
        rate = exchangeRate;
        totalAsset = VaultAccount(lent + lent / 9, lent);
    }

    function setRate(uint256 exchangeRate) external {
        rate = exchangeRate;
    }

    function setMaxLtv(uint256 maxLtv) external {
        maxLTV = maxLtv;
    }

    /// _isSolvent of FraxlendPairCore.sol (fraxlend 3314bd6).
    function isSolvent(address user) public returns (bool) {
        accrue();
        uint256 debt = toAmount(userBorrowShares[user]);
        if (maxLTV == 0 || debt == 0) return true;
        if (userCollateralBalance[user] == 0) return false;
        return (((debt * liquidationRate()) / 1e18) * 1e5) / userCollateralBalance[user] <= maxLTV;
    }

    function set(address[] calldata users, uint256[] calldata collaterals, uint128[] calldata shares, uint256[] calldata lent) external {
        accrue();
        for (uint256 i = 0; i < users.length; i++) {
            userCollateralBalance[users[i]] = collaterals[i];
            totalCollateral += collaterals[i];
            userBorrowShares[users[i]] = shares[i];
            balanceOf[users[i]] = lent[i];
            totalBorrow.shares += shares[i];
            totalBorrow.amount += shares[i] + shares[i] / 7;
        }
    }

    function deposit(uint256 assets, address receiver) external {
        balanceOf[receiver] += assets;
        emit Deposit(msg.sender, receiver, assets, assets / 2);
    }

    function withdraw(uint256 assets, address receiver, address owner) external {
        balanceOf[owner] -= assets;
        emit Withdraw(msg.sender, receiver, owner, assets, assets / 2);
    }

    function addCollateral(uint256 amount, address borrower) public {
        userCollateralBalance[borrower] += amount;
        totalCollateral += amount;
        emit AddCollateral(msg.sender, borrower, amount);
    }

    function borrowAsset(uint256 amount, uint256 collateral, address receiver) external {
        if (collateral > 0) addCollateral(collateral, msg.sender);
        userBorrowShares[msg.sender] += amount;
        totalBorrow.shares += uint128(amount);
        totalBorrow.amount += uint128(amount);
        emit BorrowAsset(msg.sender, receiver, amount, amount / 2);
    }

    function repayAsset(uint256 amount, address borrower) public {
        userBorrowShares[borrower] -= amount;
        totalBorrow.shares -= uint128(amount);
        totalBorrow.amount -= uint128(amount);
        emit RepayAsset(msg.sender, borrower, amount, amount / 2);
    }

    function takeCollateral(uint256 amount, address receiver, address borrower) internal {
        userCollateralBalance[borrower] -= amount;
        totalCollateral -= amount;
        emit RemoveCollateral(msg.sender, amount, receiver, borrower);
    }

    function removeCollateral(uint256 amount, address receiver) external {
        takeCollateral(amount, receiver, msg.sender);
    }

    function sayLiquidated(address borrower, uint256 collateral, uint256 amount) internal virtual;

    function liquidate(uint256 amount, uint256 collateral, address borrower) external {
        sayLiquidated(borrower, collateral, amount);
        repayAsset(amount, borrower);
        takeCollateral(collateral, msg.sender, borrower);
    }

    function getUserSnapshot(address user) external view returns (uint256 assetShares, uint256 borrowShares, uint256 collateral) {
        return (balanceOf[user], userBorrowShares[user], userCollateralBalance[user]);
    }

    function interest() internal view returns (uint256 earned, uint256 feesAmount, uint256 feesShare) {
        earned = (uint256(totalBorrow.amount) * ratePerSecond * (block.timestamp - lastTimestamp)) / 1e18;
        feesAmount = (earned * fee) / 1e5;
        feesShare = (feesAmount * totalAsset.shares) / (totalAsset.amount + earned - feesAmount);
    }

    function accrue() internal returns (uint256 earned) {
        uint256 feesShare;
        (earned, , feesShare) = interest();
        totalBorrow.amount += uint128(earned);
        totalAsset.amount += uint128(earned);
        totalAsset.shares += uint128(feesShare);
        lastTimestamp = block.timestamp;
    }

    function toAmount(uint256 shares) internal view returns (uint256 amount) {
        if (totalBorrow.shares == 0) return shares;
        amount = (shares * totalBorrow.amount) / totalBorrow.shares;
        if ((amount * totalBorrow.shares) / totalBorrow.amount < shares) amount++;
    }

    function liquidationRate() internal view virtual returns (uint256) {
        return rate;
    }
}

/// The first version: one rate, no preview of the interest.
contract FraxlendPairV1 is FraxlendPair {
    constructor(address asset_, address collateral_, uint256 exchangeRate, uint128 lent) FraxlendPair(asset_, collateral_, exchangeRate, lent) {}

    event Liquidate(
        address indexed _borrower,
        uint256 _collateralForLiquidator,
        uint256 _sharesToLiquidate,
        uint256 _amountLiquidatorToRepay,
        uint256 _sharesToAdjust,
        uint256 _amountToAdjust
    );

    function sayLiquidated(address borrower, uint256 collateral, uint256 amount) internal override {
        emit Liquidate(borrower, collateral, amount / 2, amount, 0, 0);
    }

    /// FraxlendPairCore.sol of fraxlend 6a69b17.
    function addInterest() external returns (uint256 earned, uint256 feesAmount, uint256 feesShare, uint64 newRate) {
        (earned, feesAmount, feesShare) = interest();
        accrue();
        newRate = uint64(ratePerSecond);
    }

    function updateExchangeRate() external view returns (uint256) {
        return rate;
    }

    /// Without the interest since the last addInterest.
    function toBorrowAmount(uint256 shares, bool) external view returns (uint256) {
        return toAmount(shares);
    }
}

/// Later versions: two rates of which liquidations take the lower, and a preview.
contract FraxlendPairV2 is FraxlendPair {
    struct CurrentRateInfo {
        uint32 lastBlock;
        uint32 feeToProtocolRate;
        uint64 lastTimestamp;
        uint64 ratePerSec;
        uint64 fullUtilizationRate;
    }

    constructor(address asset_, address collateral_, uint256 exchangeRate, uint128 lent) FraxlendPair(asset_, collateral_, exchangeRate, lent) {}

    event Liquidate(
        address indexed _borrower,
        uint256 _collateralForLiquidator,
        uint256 _sharesToLiquidate,
        uint256 _amountLiquidatorToRepay,
        uint256 _feesAmount,
        uint256 _sharesToAdjust,
        uint256 _amountToAdjust
    );

    function sayLiquidated(address borrower, uint256 collateral, uint256 amount) internal override {
        emit Liquidate(borrower, collateral, amount / 2, amount, 1, 0, 0);
    }

    function liquidationRate() internal view override returns (uint256) {
        return rate - rate / 50;
    }

    function toBorrowAmount(uint256 shares, bool, bool) external returns (uint256) {
        accrue();
        return toAmount(shares);
    }

    function updateExchangeRate() external view returns (bool, uint256, uint256) {
        return (true, liquidationRate(), rate);
    }

    function previewAddInterest()
        external
        view
        returns (uint256 earned, uint256 feesAmount, uint256 feesShare, CurrentRateInfo memory info, VaultAccount memory lent, VaultAccount memory borrowed)
    {
        (earned, feesAmount, feesShare) = interest();
        lent = VaultAccount(totalAsset.amount + uint128(earned), totalAsset.shares + uint128(feesShare));
        borrowed = VaultAccount(totalBorrow.amount + uint128(earned), totalBorrow.shares);
    }
}

/// Stand-in for the FraxlendPairRegistry.
contract FraxlendRegistry {
    event AddPair(address pairAddress);

    address[] pairs;

    function addPair(address pair) external {
        pairs.push(pair);
        emit AddPair(pair);
    }

    function getAllPairAddresses() external view returns (address[] memory) {
        return pairs;
    }
}
