// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// What the Comptrollers of Compound v2, its forks and Venus have in common.
interface IComptroller {
    /// Venus and others answer more words, of which the first is always this.
    function markets(address vToken) external view returns (bool isListed);
    function getAssetsIn(address account) external view returns (address[] memory);
    /// By the thresholds of liquidation; 18 decimals, in the currency of the oracle.
    function getAccountLiquidity(address account)
        external
        view
        returns (uint256 errorCode, uint256 liquidity, uint256 shortfall);
    function oracle() external view returns (ICompoundOracle);
}

interface ICompoundOracle {
    /// Of the smallest unit of the underlying token, times 1e36.
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
