// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// The common functions of the Comptrollers of Compound v2, its forks and Venus.
interface IComptroller {
    /// Venus and others return more words. The first one is always this.
    function markets(address vToken) external view returns (bool isListed);
    function getAssetsIn(address account) external view returns (address[] memory);
    /// By the liquidation thresholds. 18 decimals, in the currency of the oracle.
    function getAccountLiquidity(address account)
        external
        view
        returns (uint256 errorCode, uint256 liquidity, uint256 shortfall);
    function oracle() external view returns (ICompoundOracle);
}

interface ICompoundOracle {
    /// Price of the smallest unit of the underlying token, times 1e36.
    function getUnderlyingPrice(address vToken) external view returns (uint256);
}

interface IVToken {
    function underlying() external view returns (address);
    function accrueInterest() external returns (uint256);
    function exchangeRateStored() external view returns (uint256);
    function borrowBalanceStored(address account) external view returns (uint256);
    function repayBorrowBehalf(address borrower, uint256 amount) external returns (uint256 errorCode);
    function redeem(uint256 tokens) external returns (uint256 errorCode);
}
