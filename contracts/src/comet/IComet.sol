// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

struct CometAsset {
    uint8 offset;
    address asset;
    address priceFeed;
    uint64 scale;
    uint64 borrowCollateralFactor;
    uint64 liquidateCollateralFactor;
    uint64 liquidationFactor;
    uint128 supplyCap;
}

interface IComet {
    function baseToken() external view returns (address);
    function baseTokenPriceFeed() external view returns (address);
    function baseScale() external view returns (uint256);
    function numAssets() external view returns (uint8);
    function getAssetInfo(uint8 index) external view returns (CometAsset memory);
    function getAssetInfoByAddress(address asset) external view returns (CometAsset memory);
    function getPrice(address priceFeed) external view returns (uint256);
    function borrowBalanceOf(address account) external view returns (uint256);
    function userCollateral(address account, address asset) external view returns (uint128 balance, uint128 reserved);
    function supplyTo(address dst, address asset, uint256 amount) external;
    function withdrawFrom(address src, address to, address asset, uint256 amount) external;
}
