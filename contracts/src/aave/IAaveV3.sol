// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// The result of getReserveData in every version of Aave v3 (later ones call it ReserveDataLegacy).
struct AaveReserve {
    uint256 configuration;
    uint128 liquidityIndex;
    uint128 currentLiquidityRate;
    uint128 variableBorrowIndex;
    uint128 currentVariableBorrowRate;
    uint128 currentStableBorrowRate;
    uint40 lastUpdateTimestamp;
    uint16 id;
    address aToken;
    address stableDebtToken;
    address variableDebtToken;
    address interestRateStrategy;
    uint128 accruedToTreasury;
    uint128 unbacked;
    uint128 isolationModeTotalDebt;
}

interface IAavePool {
    function getReserveData(address asset) external view returns (AaveReserve memory);
    function getUserAccountData(address user)
        external
        view
        returns (
            uint256 totalCollateralBase,
            uint256 totalDebtBase,
            uint256 availableBorrowsBase,
            uint256 currentLiquidationThreshold,
            uint256 ltv,
            uint256 healthFactor
        );
    function ADDRESSES_PROVIDER() external view returns (IAaveAddressesProvider);
    function FLASHLOAN_PREMIUM_TOTAL() external view returns (uint128);
    function POOL_REVISION() external view returns (uint256);
    function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)
        external
        returns (uint256);
    function withdraw(address asset, uint256 amount, address to) external returns (uint256);
    function flashLoanSimple(address receiver, address asset, uint256 amount, bytes calldata params, uint16 referral)
        external;
}

interface IAaveAddressesProvider {
    function getPriceOracle() external view returns (IAaveOracle);
}

interface IAaveOracle {
    function getAssetPrice(address asset) external view returns (uint256);
}
