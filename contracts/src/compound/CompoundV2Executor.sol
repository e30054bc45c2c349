// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Policy, Strategy} from "../IExecutor.sol";
import {ExecutorBase} from "../ExecutorBase.sol";
import {MorphoFlashLoan} from "../morpho/MorphoFlashLoan.sol";
import {Prices} from "../Prices.sol";
import {ICompoundOracle, IComptroller, IVToken} from "./ICompoundV2.sol";

/// Compound v2, its forks, and Venus. Users approve their vTokens of the collateral (for sales) and their tokens of the
/// debt (for repayments from the wallet), each as an ERC-20 allowance of any amount. Markets of a chain's own coin
/// (cETH, vBNB) have no underlying token and are not supported.
contract CompoundV2Executor is MorphoFlashLoan {
    uint256 private constant WAD = 1e18;

    /// Morpho Blue, for its flash loans. Zero for a chain without it.
    address public immutable FLASH_LENDER;

    constructor(address owner_, address[] memory comptrollers, address sequencerFeed, address flashLender)
        ExecutorBase(owner_, comptrollers, sequencerFeed)
    {
        // Zero means a chain without it.
        // slither-disable-next-line missing-zero-check
        FLASH_LENDER = flashLender;
    }

    function _lender(address) internal view override returns (address) {
        return FLASH_LENDER;
    }

    function _repay(Policy memory policy, address account, uint256 amount) internal override {
        _allow(policy.debt, policy.debtMarket, amount);
        _succeeded(IVToken(policy.debtMarket).repayBorrowBehalf(account, amount));
        _disallow(policy.debt, policy.debtMarket);
    }

    function _withdraw(Policy memory policy, address account, uint256 amount) internal override {
        IVToken vToken = IVToken(policy.collateralMarket);
        uint256 tokens = Math.mulDiv(amount, WAD, vToken.exchangeRateStored());
        _pull(address(vToken), account, tokens);
        _succeeded(vToken.redeem(tokens));
    }

    function _accrue(Policy memory policy) internal override {
        _succeeded(IVToken(policy.debtMarket).accrueInterest());
        if (policy.collateralMarket != address(0)) _succeeded(IVToken(policy.collateralMarket).accrueInterest());
    }

    /// The Comptroller returns the excess or shortfall of the weighted collateral. The debts are summed here.
    function _healthFactor(Policy memory policy, address account) internal view override returns (uint256) {
        IComptroller comptroller = IComptroller(policy.market);
        ICompoundOracle oracle = comptroller.oracle();
        address[] memory entered = comptroller.getAssetsIn(account);
        uint256 debt = 0;
        for (uint256 i = 0; i < entered.length; ++i) {
            uint256 owed = IVToken(entered[i]).borrowBalanceStored(account);
            if (owed != 0) debt += Math.mulDiv(owed, oracle.getUnderlyingPrice(entered[i]), WAD);
        }
        if (debt == 0) return type(uint256).max;
        (uint256 errorCode, uint256 liquidity, uint256 shortfall) = comptroller.getAccountLiquidity(account);
        _succeeded(errorCode);
        // The two sums may differ by the rounding if there is no collateral.
        if (shortfall >= debt) return 0;
        return Math.mulDiv(debt + liquidity - shortfall, WAD, debt);
    }

    function _debtBalance(Policy memory policy, address account) internal view override returns (uint256) {
        return IVToken(policy.debtMarket).borrowBalanceStored(account);
    }

    function _marketPrice(Policy memory policy) internal view override returns (uint256) {
        ICompoundOracle oracle = IComptroller(policy.market).oracle();
        uint256 debt = oracle.getUnderlyingPrice(policy.debtMarket);
        if (debt == 0) revert BadPrice(address(oracle));
        return Math.mulDiv(oracle.getUnderlyingPrice(policy.collateralMarket), Prices.SCALE, debt);
    }

    function _checkMarket(Policy memory policy) internal view override {
        if (policy.marketId != 0) revert InvalidPolicy("marketId");
        if (!_isMarketOf(policy.market, policy.debtMarket, policy.debt)) revert InvalidPolicy("debtMarket");
        bool fits = policy.collateral == address(0)
            ? policy.collateralMarket == address(0)
            : _isMarketOf(policy.market, policy.collateralMarket, policy.collateral);
        if (!fits) revert InvalidPolicy("collateralMarket");
    }

    /// Not all Comptrollers state their version.
    function _revision(address) internal pure override returns (uint256) {
        return 0;
    }

    function _supports(Strategy strategy) internal view override returns (bool) {
        return strategy != Strategy.FLASH_LOAN_UNWIND || FLASH_LENDER != address(0);
    }

    function _isMarketOf(address comptroller, address vToken, address token) private view returns (bool) {
        return IComptroller(comptroller).markets(vToken) && IVToken(vToken).underlying() == token;
    }

    /// These markets return an error code instead of reverting.
    function _succeeded(uint256 errorCode) private pure {
        if (errorCode != 0) revert MarketCallFailed(errorCode);
    }
}
