// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

struct MorphoMarketParams {
    address loanToken;
    address collateralToken;
    address oracle;
    address irm;
    uint256 lltv;
}

struct MorphoMarket {
    uint128 totalSupplyAssets;
    uint128 totalSupplyShares;
    uint128 totalBorrowAssets;
    uint128 totalBorrowShares;
    uint128 lastUpdate;
    uint128 fee;
}

struct MorphoPosition {
    uint256 supplyShares;
    uint128 borrowShares;
    uint128 collateral;
}

interface IMorphoBlue {
    function idToMarketParams(bytes32 id) external view returns (MorphoMarketParams memory);
    function market(bytes32 id) external view returns (MorphoMarket memory);
    function position(bytes32 id, address user) external view returns (MorphoPosition memory);
    function accrueInterest(MorphoMarketParams calldata params) external;
    function repay(
        MorphoMarketParams calldata params,
        uint256 assets,
        uint256 shares,
        address onBehalf,
        bytes calldata data
    ) external returns (uint256 assetsRepaid, uint256 sharesRepaid);
    function withdrawCollateral(MorphoMarketParams calldata params, uint256 assets, address onBehalf, address receiver)
        external;
    function flashLoan(address token, uint256 assets, bytes calldata data) external;
}

interface IMorphoIrm {
    function borrowRateView(MorphoMarketParams calldata params, MorphoMarket calldata market)
        external
        view
        returns (uint256);
}

interface IMorphoOracle {
    /// Units of the loan token for one unit of collateral, times 1e36.
    function price() external view returns (uint256);
}
