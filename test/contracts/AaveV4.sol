// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Stand-in for a spoke of Aave v4, and in one contract with it its hub and its oracle: account data as in
/// Spoke._processUserAccountData, shares as in SharesMath, the index as in AssetLogic; setters for many wallets, and flows that
/// change shares by as many as assets and say what a spoke says.
contract AaveV4Spoke {
    uint256 constant RAY = 1e27;
    struct Reserve {
        address underlying;
        address hub;
        uint16 assetId;
        uint8 decimals;
        uint24 collateralRisk;
        uint8 flags;
        uint32 dynamicConfigKey;
    }
    struct DynamicReserveConfig {
        uint16 collateralFactor;
        uint32 maxLiquidationBonus;
        uint16 liquidationFee;
    }
    struct UserPosition {
        uint120 drawnShares;
        uint120 premiumShares;
        int200 premiumOffsetRay;
        uint120 suppliedShares;
        uint32 dynamicConfigKey;
    }
    struct UserAccountData {
        uint256 riskPremium;
        uint256 avgCollateralFactor;
        uint256 healthFactor;
        uint256 totalCollateralValue;
        uint256 totalDebtValueRay;
        uint256 activeCollateralCount;
        uint256 borrowCount;
    }

    struct PremiumDelta {
        int256 sharesDelta;
        int256 offsetRayDelta;
        uint256 restoredPremiumRay;
    }

    event Supply(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 suppliedShares, uint256 suppliedAmount);
    event Withdraw(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 withdrawnShares, uint256 withdrawnAmount);
    event Borrow(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 drawnShares, uint256 drawnAmount);
    event Repay(
        uint256 indexed reserveId,
        address indexed caller,
        address indexed user,
        uint256 drawnShares,
        uint256 totalAmountRepaid,
        PremiumDelta premiumDelta
    );
    event LiquidationCall(
        uint256 indexed collateralReserveId,
        uint256 indexed debtReserveId,
        address indexed user,
        address liquidator,
        bool receiveShares,
        uint256 debtAmountRestored,
        uint256 drawnSharesLiquidated,
        PremiumDelta premiumDelta,
        uint256 collateralAmountRemoved,
        uint256 collateralSharesLiquidated,
        uint256 collateralSharesToLiquidator
    );
    event SetUserPositionManager(address indexed user, address indexed positionManager, bool approve);

    uint256 immutable start = block.timestamp;
    Reserve[] reserves;
    mapping(uint256 => uint256) public getReservePrice;
    mapping(uint256 => mapping(uint32 => DynamicReserveConfig)) public configs;
    mapping(uint256 => mapping(address => UserPosition)) positions;
    mapping(uint256 => mapping(address => bool)) isCollateral;
    mapping(uint256 => address[]) users;

    function addReserve(address underlying, uint8 decimals, uint256 price, uint16 oldFactor, uint16 factor) external {
        uint256 id = reserves.length;
        reserves.push(Reserve(underlying, address(this), uint16(id), decimals, 0, 0, 1));
        getReservePrice[id] = price;
        configs[id][0] = DynamicReserveConfig(oldFactor, 10_500, 100);
        configs[id][1] = DynamicReserveConfig(factor, 10_500, 100);
    }

    function set(uint256 id, uint32 key, bool asCollateral, address[] calldata owners, uint120[] calldata supplied, uint120[] calldata drawn) external {
        for (uint256 i = 0; i < owners.length; i++) {
            uint120 premium = drawn[i] / 9;
            int200 offset = int200(int256(premium * RAY)) - int200(int256(uint256(drawn[i]) * 1e24));
            positions[id][owners[i]] = UserPosition(drawn[i], premium, offset, supplied[i], key);
            isCollateral[id][owners[i]] = asCollateral;
            users[id].push(owners[i]);
        }
    }

    function supply(uint256 id, uint256 amount, address onBehalfOf) external {
        positions[id][onBehalfOf].suppliedShares += uint120(amount);
        emit Supply(id, msg.sender, onBehalfOf, amount / 2, amount);
    }

    function withdraw(uint256 id, uint256 amount, address onBehalfOf) external {
        positions[id][onBehalfOf].suppliedShares -= uint120(amount);
        emit Withdraw(id, msg.sender, onBehalfOf, amount / 2, amount);
    }

    function borrow(uint256 id, uint256 amount, address onBehalfOf) external {
        positions[id][onBehalfOf].drawnShares += uint120(amount);
        emit Borrow(id, msg.sender, onBehalfOf, amount / 2, amount);
    }

    function repay(uint256 id, uint256 amount, address onBehalfOf) external {
        positions[id][onBehalfOf].drawnShares -= uint120(amount);
        emit Repay(id, msg.sender, onBehalfOf, amount / 2, amount, PremiumDelta(-7, -8, 9));
    }

    function liquidationCall(uint256 collateralId, uint256 debtId, address user, uint256 debtToCover, bool receiveShares) external {
        positions[debtId][user].drawnShares -= uint120(debtToCover);
        positions[collateralId][user].suppliedShares -= uint120(debtToCover);
        PremiumDelta memory premium = PremiumDelta(-7, -8, 9);
        emit LiquidationCall(collateralId, debtId, user, msg.sender, receiveShares, debtToCover, 3, premium, debtToCover, 5, 6);
    }

    function setUserPositionManager(address positionManager, bool approve) external {
        emit SetUserPositionManager(msg.sender, positionManager, approve);
    }

    function ORACLE() external view returns (address) {
        return address(this);
    }

    function getReserveCount() external view returns (uint256) {
        return reserves.length;
    }

    function getReserve(uint256 id) external view returns (Reserve memory) {
        return reserves[id];
    }

    function getDynamicReserveConfig(uint256 id, uint32 key) external view returns (DynamicReserveConfig memory) {
        return configs[id][key];
    }

    function getUserReserveStatus(uint256 id, address user) external view returns (bool, bool) {
        return (isCollateral[id][user], positions[id][user].drawnShares > 0);
    }

    function getUserPosition(uint256 id, address user) external view returns (UserPosition memory) {
        return positions[id][user];
    }

    function getAssetDrawnIndex(uint256 assetId) public view returns (uint256) {
        uint256 linear = RAY + ((0.03e27 + assetId * 0.011e27) * (block.timestamp - start)) / 365 days;
        return (1.0123e27 * linear + RAY - 1) / RAY;
    }

    /// previewRemoveByShares of the hub, with its virtual shares and assets.
    function getUserSuppliedAssets(uint256 id, address user) public view returns (uint256) {
        uint256 shares = 1e33;
        uint256 assets = (shares * getAssetDrawnIndex(id)) / RAY;
        return (positions[id][user].suppliedShares * (assets + 1e6)) / (shares + 1e6);
    }

    function getReserveSuppliedAssets(uint256 id) external view returns (uint256 total) {
        for (uint256 i = 0; i < users[id].length; i++) total += getUserSuppliedAssets(id, users[id][i]);
    }

    function getReserveTotalDebt(uint256 id) external view returns (uint256 total) {
        uint256 index = getAssetDrawnIndex(id);
        for (uint256 i = 0; i < users[id].length; i++) {
            UserPosition memory own = positions[id][users[id][i]];
            uint256 premium = uint256(int256(own.premiumShares * index) - own.premiumOffsetRay);
            total += (own.drawnShares * index + RAY - 1) / RAY + (premium + RAY - 1) / RAY;
        }
    }

    function getUserAccountData(address user) public view returns (UserAccountData memory data) {
        for (uint256 id = 0; id < reserves.length; id++) {
            UserPosition memory own = positions[id][user];
            uint256 unitValue = getReservePrice[id] * 10 ** (18 - reserves[id].decimals);
            uint256 factor = configs[id][own.dynamicConfigKey].collateralFactor;
            if (isCollateral[id][user] && factor > 0 && own.suppliedShares > 0) {
                uint256 value = getUserSuppliedAssets(id, user) * unitValue;
                data.totalCollateralValue += value;
                data.avgCollateralFactor += factor * value;
                data.activeCollateralCount++;
            }
            if (own.drawnShares > 0) {
                uint256 index = getAssetDrawnIndex(id);
                uint256 premium = uint256(int256(own.premiumShares * index) - own.premiumOffsetRay);
                data.totalDebtValueRay += (own.drawnShares * index + premium) * unitValue;
                data.borrowCount++;
            }
        }
        data.healthFactor = data.totalDebtValueRay == 0
            ? type(uint256).max
            : timesRayOver(data.avgCollateralFactor * 1e14, data.totalDebtValueRay);
    }

    /// a · RAY / b rounded down, in steps that do not overflow (Math.mulDiv in the spoke).
    function timesRayOver(uint256 a, uint256 b) internal pure returns (uint256 result) {
        result = a / b;
        for (uint256 i = 0; i < 3; i++) {
            a = (a % b) * 1e9;
            result = result * 1e9 + a / b;
        }
    }
}
