// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Policy, Strategy} from "../IExecutor.sol";
import {ExecutorBase} from "../ExecutorBase.sol";
import {FlashCallback} from "../FlashCallback.sol";
import {Prices} from "../Prices.sol";
import {AaveReserve, IAaveOracle, IAavePool} from "./IAaveV3.sol";

/// Aave v3 and its forks. Users approve their aTokens of the collateral (for sales) and their tokens of the debt (for
/// repayments from the wallet), each as an ERC-20 allowance of any amount. Only debt at the variable rate.
contract AaveV3Executor is FlashCallback {
    using SafeERC20 for IERC20;

    uint256 private constant VARIABLE_RATE = 2;
    uint256 private constant PREMIUM_UNIT = 10_000;

    constructor(address owner_, address[] memory pools, address sequencerFeed)
        ExecutorBase(owner_, pools, sequencerFeed)
    {}

    /// The pool calls this after it has sent the loan. See IFlashLoanSimpleReceiver.
    function executeOperation(address asset, uint256 amount, uint256 premium, address initiator, bytes calldata params)
        external
        returns (bool)
    {
        if (initiator != address(this)) revert UnexpectedCallback();
        Job memory job = _calledBack(params, amount, premium);
        // The pool collects both by itself after this has returned.
        _allow(asset, job.policy.market, amount + premium);
        return true;
    }

    function _flash(Job memory job) internal override returns (Moved memory) {
        Policy memory policy = job.policy;
        bytes memory data = abi.encode(job);
        _expect(policy.market, data);
        IAavePool(policy.market).flashLoanSimple(address(this), policy.debt, job.amount, data, 0);
        _disallow(policy.debt, policy.market);
        return _afterCallback(job);
    }

    function _repay(Policy memory policy, address account, uint256 amount) internal override {
        _allow(policy.debt, policy.market, amount);
        // The caller measures the repaid amount itself.
        // slither-disable-next-line unused-return
        IAavePool(policy.market).repay(policy.debt, amount, VARIABLE_RATE, account);
        _disallow(policy.debt, policy.market);
    }

    /// aTokens grow: a transfer may arrive with a unit more or less than requested. The received amount is withdrawn.
    function _withdraw(Policy memory policy, address account, uint256 amount) internal override {
        IERC20 aToken = IERC20(_reserve(policy.market, policy.collateral).aToken);
        uint256 before = aToken.balanceOf(address(this));
        aToken.safeTransferFrom(account, address(this), amount);
        uint256 received = aToken.balanceOf(address(this)) - before;
        // The balances measure it instead.
        // slither-disable-next-line unused-return
        IAavePool(policy.market).withdraw(policy.collateral, received, address(this));
    }

    /// The pool includes interest up to this block in all its results.
    function _accrue(Policy memory) internal override {}

    function _healthFactor(Policy memory policy, address account) internal view override returns (uint256 factor) {
        // The other return values are not needed.
        // slither-disable-next-line unused-return
        (,,,,, factor) = IAavePool(policy.market).getUserAccountData(account);
    }

    function _debtBalance(Policy memory policy, address account) internal view override returns (uint256) {
        return IERC20(_reserve(policy.market, policy.debt).variableDebtToken).balanceOf(account);
    }

    function _marketPrice(Policy memory policy) internal view override returns (uint256) {
        IAaveOracle oracle = IAavePool(policy.market).ADDRESSES_PROVIDER().getPriceOracle();
        uint256 collateral = oracle.getAssetPrice(policy.collateral);
        uint256 debt = oracle.getAssetPrice(policy.debt);
        if (debt == 0) revert BadPrice(address(oracle));
        return Prices.ratio(policy.collateral, policy.debt, collateral, debt);
    }

    function _flashFee(Policy memory policy, uint256 amount) internal view override returns (uint256) {
        uint256 premium = IAavePool(policy.market).FLASHLOAN_PREMIUM_TOTAL();
        return Math.mulDiv(amount, premium, PREMIUM_UNIT, Math.Rounding.Ceil);
    }

    function _checkMarket(Policy memory policy) internal view override {
        if (policy.marketId != 0) revert InvalidPolicy("marketId");
        if (policy.collateralMarket != address(0)) revert InvalidPolicy("collateralMarket");
        if (policy.debtMarket != address(0)) revert InvalidPolicy("debtMarket");
        if (_reserve(policy.market, policy.debt).variableDebtToken == address(0)) revert InvalidPolicy("debt");
        if (policy.collateral != address(0) && _reserve(policy.market, policy.collateral).aToken == address(0)) {
            revert InvalidPolicy("collateral");
        }
    }

    function _revision(address market) internal view override returns (uint256) {
        return IAavePool(market).POOL_REVISION();
    }

    function _supports(Strategy) internal pure override returns (bool) {
        return true;
    }

    function _reserve(address market, address asset) private view returns (AaveReserve memory) {
        return IAavePool(market).getReserveData(asset);
    }
}
