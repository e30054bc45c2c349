// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Policy, Strategy} from "../IExecutor.sol";
import {ExecutorBase} from "../ExecutorBase.sol";
import {
    IMorphoBlue,
    IMorphoIrm,
    IMorphoOracle,
    MorphoMarket,
    MorphoMarketParams,
    MorphoPosition
} from "./IMorphoBlue.sol";
import {MorphoFlashLoan} from "./MorphoFlashLoan.sol";

/// Morpho Blue. Users approve their loan tokens for repayments from the wallet (an ERC-20 allowance). For sales they
/// must authorise this contract on Morpho (setAuthorization), which Morpho cannot limit to an amount, a market or a
/// use. Only the code of this contract limits it: the only call that uses it is in _withdraw, which moves collateral of
/// the policy's market from the policy's owner to this contract within a run.
contract MorphoBlueExecutor is MorphoFlashLoan {
    uint256 private constant WAD = 1e18;
    uint256 private constant PRICE_SCALE = 1e36;
    uint256 private constant VIRTUAL_SHARES = 1e6;
    uint256 private constant VIRTUAL_ASSETS = 1;

    constructor(address owner_, address[] memory morphos, address sequencerFeed)
        ExecutorBase(owner_, morphos, sequencerFeed)
    {}

    function _lender(address market) internal pure override returns (address) {
        return market;
    }

    /// By assets, never all of the shares: a run that leaves no debt ends above its target and is rejected.
    function _repay(Policy memory policy, address account, uint256 amount) internal override {
        IMorphoBlue morpho = IMorphoBlue(policy.market);
        _allow(policy.debt, policy.market, amount);
        // The balances measure it instead.
        // slither-disable-next-line unused-return
        morpho.repay(morpho.idToMarketParams(policy.marketId), amount, 0, account, "");
        _disallow(policy.debt, policy.market);
    }

    function _withdraw(Policy memory policy, address account, uint256 amount) internal override {
        IMorphoBlue morpho = IMorphoBlue(policy.market);
        morpho.withdrawCollateral(morpho.idToMarketParams(policy.marketId), amount, account, address(this));
    }

    function _accrue(Policy memory policy) internal override {
        IMorphoBlue morpho = IMorphoBlue(policy.market);
        morpho.accrueInterest(morpho.idToMarketParams(policy.marketId));
    }

    function _healthFactor(Policy memory policy, address account) internal view override returns (uint256) {
        uint256 debt = _debtBalance(policy, account);
        if (debt == 0) return type(uint256).max;
        IMorphoBlue morpho = IMorphoBlue(policy.market);
        uint256 collateral = morpho.position(policy.marketId, account).collateral;
        uint256 worth = Math.mulDiv(collateral, _marketPrice(policy), PRICE_SCALE);
        return Math.mulDiv(worth, morpho.idToMarketParams(policy.marketId).lltv, debt);
    }

    /// Like Morpho's MorphoBalancesLib: with the interest since the last accrual of the market.
    function _debtBalance(Policy memory policy, address account) internal view override returns (uint256) {
        IMorphoBlue morpho = IMorphoBlue(policy.market);
        MorphoMarket memory market = morpho.market(policy.marketId);
        uint256 assets = market.totalBorrowAssets;
        uint256 elapsed = block.timestamp - market.lastUpdate;
        if (elapsed != 0 && assets != 0) {
            MorphoMarketParams memory params = morpho.idToMarketParams(policy.marketId);
            if (params.irm != address(0)) {
                uint256 rate = IMorphoIrm(params.irm).borrowRateView(params, market);
                assets += (assets * _compounded(rate, elapsed)) / WAD;
            }
        }
        MorphoPosition memory position = morpho.position(policy.marketId, account);
        return Math.mulDiv(
            position.borrowShares,
            assets + VIRTUAL_ASSETS,
            market.totalBorrowShares + VIRTUAL_SHARES,
            Math.Rounding.Ceil
        );
    }

    function _marketPrice(Policy memory policy) internal view override returns (uint256) {
        address oracle = IMorphoBlue(policy.market).idToMarketParams(policy.marketId).oracle;
        return IMorphoOracle(oracle).price();
    }

    function _checkMarket(Policy memory policy) internal view override {
        if (policy.collateralMarket != address(0)) revert InvalidPolicy("collateralMarket");
        if (policy.debtMarket != address(0)) revert InvalidPolicy("debtMarket");
        MorphoMarketParams memory params = IMorphoBlue(policy.market).idToMarketParams(policy.marketId);
        if (params.loanToken == address(0)) revert InvalidPolicy("marketId");
        if (params.loanToken != policy.debt) revert InvalidPolicy("debt");
        if (policy.collateral != address(0) && params.collateralToken != policy.collateral) {
            revert InvalidPolicy("collateral");
        }
    }

    /// Morpho's code cannot change.
    function _revision(address) internal pure override returns (uint256) {
        return 0;
    }

    function _supports(Strategy) internal pure override returns (bool) {
        return true;
    }

    /// exp(rate * elapsed) - 1 to the third term, as Morpho's wTaylorCompounded.
    function _compounded(uint256 rate, uint256 elapsed) private pure returns (uint256) {
        uint256 first = rate * elapsed;
        uint256 second = Math.mulDiv(first, first, 2 * WAD);
        return first + second + Math.mulDiv(second, first, 3 * WAD);
    }
}
