// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {PriceFeed} from "./PriceFeed.sol";

/// Stand-in for a Comet of Compound III: its read interface, and its arithmetic as in Comet.sol, with setters for many wallets;
/// its flows, as far as they change balances and say so, without the tokens that move.
contract Comet {
    struct AssetInfo {
        uint8 offset;
        address asset;
        address priceFeed;
        uint64 scale;
        uint64 borrowCollateralFactor;
        uint64 liquidateCollateralFactor;
        uint64 liquidationFactor;
        uint128 supplyCap;
    }

    struct TotalsBasic {
        uint64 baseSupplyIndex;
        uint64 baseBorrowIndex;
        uint64 trackingSupplyIndex;
        uint64 trackingBorrowIndex;
        uint104 totalSupplyBase;
        uint104 totalBorrowBase;
        uint40 lastAccrualTime;
        uint8 pauseFlags;
    }

    struct UserBasic {
        int104 principal;
        uint64 baseTrackingIndex;
        uint64 baseTrackingAccrued;
        uint16 assetsIn;
        uint8 reserved;
    }

    event SupplyCollateral(address indexed from, address indexed dst, address indexed asset, uint256 amount);

    event Supply(address indexed from, address indexed dst, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Withdraw(address indexed src, address indexed to, uint256 amount);
    event WithdrawCollateral(address indexed src, address indexed to, address indexed asset, uint256 amount);
    event TransferCollateral(address indexed from, address indexed to, address indexed asset, uint256 amount);
    event AbsorbDebt(address indexed absorber, address indexed borrower, uint256 basePaidOut, uint256 usdValue);
    event AbsorbCollateral(address indexed absorber, address indexed borrower, address indexed asset, uint256 collateralAbsorbed, uint256 usdValue);

    uint256 constant BASE_INDEX_SCALE = 1e15;
    address public immutable baseToken;
    address public immutable baseTokenPriceFeed;
    uint256 public immutable baseScale;
    AssetInfo[] assets;
    TotalsBasic totals;
    mapping(address => UserBasic) public userBasic;
    mapping(address => mapping(address => uint128)) collateralOf;
    mapping(address => uint128) collateralTotal;

    constructor(address baseToken_, address feed, uint256 scale) {
        baseToken = baseToken_;
        baseTokenPriceFeed = feed;
        baseScale = scale;
        totals.baseSupplyIndex = 1.0234e15;
        totals.baseBorrowIndex = 1.0456e15;
        totals.lastAccrualTime = uint40(block.timestamp);
    }

    function addAsset(address asset, address feed, uint64 scale, uint64 factor) external {
        assets.push(AssetInfo(uint8(assets.length), asset, feed, scale, factor - 0.05e18, factor, 0.95e18, type(uint128).max));
    }

    function setBase(address[] calldata users, int104[] calldata principals) external {
        accrue();
        for (uint256 i = 0; i < users.length; i++) {
            userBasic[users[i]].principal = principals[i];
            if (principals[i] > 0) totals.totalSupplyBase += uint104(principals[i]);
            else totals.totalBorrowBase += uint104(-principals[i]);
        }
    }

    function setCollateral(uint8 index, address[] calldata users, uint128[] calldata balances) external {
        for (uint256 i = 0; i < users.length; i++) {
            collateralTotal[assets[index].asset] = collateralTotal[assets[index].asset] + balances[i] - collateralOf[users[i]][assets[index].asset];
            collateralOf[users[i]][assets[index].asset] = balances[i];
            if (balances[i] > 0) userBasic[users[i]].assetsIn |= uint16(1 << index);
            emit SupplyCollateral(msg.sender, users[i], assets[index].asset, balances[i]);
        }
    }

    function supplyTo(address dst, address asset, uint256 amount) external {
        if (asset != baseToken) {
            moveCollateral(asset, address(0), dst, amount);
            emit SupplyCollateral(msg.sender, dst, asset, amount);
            return;
        }
        accrue();
        (, uint256 supplied) = addBase(dst, int256(amount));
        emit Supply(msg.sender, dst, amount);
        if (supplied > 0) emit Transfer(address(0), dst, (supplied * totals.baseSupplyIndex) / BASE_INDEX_SCALE);
    }

    function withdrawTo(address to, address asset, uint256 amount) external {
        if (asset != baseToken) {
            moveCollateral(asset, msg.sender, address(0), amount);
            emit WithdrawCollateral(msg.sender, to, asset, amount);
            return;
        }
        accrue();
        (uint256 withdrawn, ) = addBase(msg.sender, -int256(amount));
        emit Withdraw(msg.sender, to, amount);
        if (withdrawn > 0) emit Transfer(msg.sender, address(0), (withdrawn * totals.baseSupplyIndex) / BASE_INDEX_SCALE);
    }

    function transferAsset(address dst, address asset, uint256 amount) external {
        if (asset != baseToken) {
            moveCollateral(asset, msg.sender, dst, amount);
            emit TransferCollateral(msg.sender, dst, asset, amount);
            return;
        }
        accrue();
        (uint256 withdrawn, ) = addBase(msg.sender, -int256(amount));
        (, uint256 supplied) = addBase(dst, int256(amount));
        if (withdrawn > 0) emit Transfer(msg.sender, address(0), (withdrawn * totals.baseSupplyIndex) / BASE_INDEX_SCALE);
        if (supplied > 0) emit Transfer(address(0), dst, (supplied * totals.baseSupplyIndex) / BASE_INDEX_SCALE);
    }

    /// Takes all collateral of an account and pays its debt; what is left over is a supply of base.
    function absorb(address absorber, address account, uint256 leftOver) external {
        accrue();
        uint256 debt = borrowBalanceOf(account);
        for (uint256 i = 0; i < assets.length; i++) {
            uint256 seized = collateralOf[account][assets[i].asset];
            if (seized == 0) continue;
            moveCollateral(assets[i].asset, account, address(this), seized);
            emit AbsorbCollateral(absorber, account, assets[i].asset, seized, 1);
        }
        (, uint256 supplied) = addBase(account, int256(debt + leftOver));
        emit AbsorbDebt(absorber, account, debt + leftOver, 1);
        if (supplied > 0) emit Transfer(address(0), account, (supplied * totals.baseSupplyIndex) / BASE_INDEX_SCALE);
    }

    function moveCollateral(address asset, address from, address to, uint256 amount) internal {
        if (from != address(0)) collateralOf[from][asset] -= uint128(amount);
        else collateralTotal[asset] += uint128(amount);
        if (to != address(0)) collateralOf[to][asset] += uint128(amount);
        else collateralTotal[asset] -= uint128(amount);
    }

    /// Principals of base that were taken from and added to what the user supplies.
    function addBase(address user, int256 amount) internal returns (uint256 withdrawn, uint256 supplied) {
        int256 before = userBasic[user].principal;
        int256 balance = before < 0 ? -int256(borrowBalanceOf(user)) : int256(balanceOf(user));
        balance += amount;
        int256 next = balance >= 0
            ? (balance * int256(BASE_INDEX_SCALE)) / int256(uint256(totals.baseSupplyIndex))
            : -((-balance * int256(BASE_INDEX_SCALE) + int256(uint256(totals.baseBorrowIndex)) - 1) / int256(uint256(totals.baseBorrowIndex)));
        userBasic[user].principal = int104(next);
        (int256 had, int256 has) = (before > 0 ? before : int256(0), next > 0 ? next : int256(0));
        (int256 owed, int256 owes) = (before < 0 ? -before : int256(0), next < 0 ? -next : int256(0));
        totals.totalSupplyBase = uint104(uint256(int256(uint256(totals.totalSupplyBase)) + has - had));
        totals.totalBorrowBase = uint104(uint256(int256(uint256(totals.totalBorrowBase)) + owes - owed));
        if (has > had) supplied = uint256(has - had);
        else withdrawn = uint256(had - has);
    }

    function numAssets() external view returns (uint8) {
        return uint8(assets.length);
    }

    function getAssetInfo(uint8 i) external view returns (AssetInfo memory) {
        return assets[i];
    }

    function totalsBasic() external view returns (TotalsBasic memory) {
        return totals;
    }

    function totalsCollateral(address asset) external view returns (uint128 totalSupplyAsset, uint128 reserved) {
        return (collateralTotal[asset], 0);
    }

    function userCollateral(address user, address asset) external view returns (uint128 balance, uint128 reserved) {
        return (collateralOf[user][asset], 0);
    }

    function getPrice(address feed) public view returns (uint256) {
        return uint256(PriceFeed(feed).latestAnswer());
    }

    function getUtilization() public view returns (uint256) {
        uint256 supplied = (uint256(totals.totalSupplyBase) * totals.baseSupplyIndex) / BASE_INDEX_SCALE;
        uint256 borrowed = (uint256(totals.totalBorrowBase) * totals.baseBorrowIndex) / BASE_INDEX_SCALE;
        return supplied == 0 ? 0 : (borrowed * 1e18) / supplied;
    }

    function getSupplyRate(uint256 utilization) public pure returns (uint64) {
        return uint64((1030568239 * utilization) / 1e18);
    }

    function getBorrowRate(uint256 utilization) public pure returns (uint64) {
        return uint64(475646879 + (1109842719 * utilization) / 1e18);
    }

    function accruedIndices() internal view returns (uint256 supplyIndex, uint256 borrowIndex) {
        uint256 elapsed = block.timestamp - totals.lastAccrualTime;
        uint256 utilization = getUtilization();
        supplyIndex = totals.baseSupplyIndex;
        borrowIndex = totals.baseBorrowIndex;
        supplyIndex += (supplyIndex * (getSupplyRate(utilization) * elapsed)) / 1e18;
        borrowIndex += (borrowIndex * (getBorrowRate(utilization) * elapsed)) / 1e18;
    }

    function accrue() internal {
        (uint256 supplyIndex, uint256 borrowIndex) = accruedIndices();
        totals.baseSupplyIndex = uint64(supplyIndex);
        totals.baseBorrowIndex = uint64(borrowIndex);
        totals.lastAccrualTime = uint40(block.timestamp);
    }

    function borrowBalanceOf(address user) public view returns (uint256) {
        (, uint256 index) = accruedIndices();
        int104 principal = userBasic[user].principal;
        return principal < 0 ? (uint256(uint104(-principal)) * index) / BASE_INDEX_SCALE : 0;
    }

    function balanceOf(address user) public view returns (uint256) {
        (uint256 index, ) = accruedIndices();
        int104 principal = userBasic[user].principal;
        return principal > 0 ? (uint256(uint104(principal)) * index) / BASE_INDEX_SCALE : 0;
    }

    function accrueAccount(address) external {
        accrue();
    }

    /// As in Comet.sol, on the index of the last accrual.
    function isLiquidatable(address user) external view returns (bool) {
        int104 principal = userBasic[user].principal;
        if (principal >= 0) return false;
        (, uint256 weighted) = values(user);
        uint256 debt = (uint256(uint104(-principal)) * totals.baseBorrowIndex) / BASE_INDEX_SCALE;
        return (debt * getPrice(baseTokenPriceFeed)) / baseScale > weighted;
    }

    function values(address user) internal view returns (uint256 collateral, uint256 weighted) {
        for (uint256 i = 0; i < assets.length; i++) {
            if (userBasic[user].assetsIn & (1 << i) == 0) continue;
            AssetInfo memory info = assets[i];
            uint256 value = (collateralOf[user][info.asset] * getPrice(info.priceFeed)) / info.scale;
            collateral += value;
            weighted += (value * info.liquidateCollateralFactor) / 1e18;
        }
    }
}
