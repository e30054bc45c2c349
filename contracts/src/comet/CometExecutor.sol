// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Policy, Strategy} from "../IExecutor.sol";
import {ExecutorBase} from "../ExecutorBase.sol";
import {MorphoFlashLoan} from "../morpho/MorphoFlashLoan.sol";
import {Prices} from "../Prices.sol";
import {CometAsset, IComet} from "./IComet.sol";

/// Compound III. Users approve their base tokens for repayments from the wallet (an ERC-20 allowance). For sales they
/// must allow this contract on the Comet (allow). That permission has no limit and includes borrowing. Only the code of
/// this contract limits it: the only call that uses it is in _withdraw, which moves the policy's collateral, never the
/// base, from the policy's owner to this contract within a run.
contract CometExecutor is MorphoFlashLoan {
    uint256 private constant WAD = 1e18;

    /// Morpho Blue, for its flash loans. Zero for a chain without it.
    address public immutable FLASH_LENDER;

    constructor(address owner_, address[] memory comets, address sequencerFeed, address flashLender)
        ExecutorBase(owner_, comets, sequencerFeed)
    {
        // Zero means a chain without it.
        // slither-disable-next-line missing-zero-check
        FLASH_LENDER = flashLender;
    }

    function _lender(address) internal view override returns (address) {
        return FLASH_LENDER;
    }

    function _repay(Policy memory policy, address account, uint256 amount) internal override {
        _allow(policy.debt, policy.market, amount);
        IComet(policy.market).supplyTo(account, policy.debt, amount);
        _disallow(policy.debt, policy.market);
    }

    function _withdraw(Policy memory policy, address account, uint256 amount) internal override {
        IComet(policy.market).withdrawFrom(account, address(this), policy.collateral, amount);
    }

    /// A Comet includes interest up to this block in its results.
    function _accrue(Policy memory) internal override {}

    /// The liquidation ratio (isLiquidatable): each collateral by its liquidateCollateralFactor.
    function _healthFactor(Policy memory policy, address account) internal view override returns (uint256) {
        IComet comet = IComet(policy.market);
        uint256 owed = comet.borrowBalanceOf(account);
        if (owed == 0) return type(uint256).max;
        uint256 weighted = 0;
        uint8 count = comet.numAssets();
        for (uint8 i = 0; i < count; ++i) {
            CometAsset memory info = comet.getAssetInfo(i);
            // The other return values are not needed.
            // slither-disable-next-line unused-return
            (uint128 balance,) = comet.userCollateral(account, info.asset);
            if (balance == 0) continue;
            uint256 worth = Math.mulDiv(balance, comet.getPrice(info.priceFeed), info.scale);
            weighted += Math.mulDiv(worth, info.liquidateCollateralFactor, WAD);
        }
        uint256 debt = Math.mulDiv(owed, comet.getPrice(comet.baseTokenPriceFeed()), comet.baseScale());
        return Math.mulDiv(weighted, WAD, debt);
    }

    function _debtBalance(Policy memory policy, address account) internal view override returns (uint256) {
        return IComet(policy.market).borrowBalanceOf(account);
    }

    function _marketPrice(Policy memory policy) internal view override returns (uint256) {
        IComet comet = IComet(policy.market);
        uint256 collateral = comet.getPrice(comet.getAssetInfoByAddress(policy.collateral).priceFeed);
        uint256 base = comet.getPrice(comet.baseTokenPriceFeed());
        if (base == 0) revert BadPrice(policy.market);
        return Prices.ratio(policy.collateral, policy.debt, collateral, base);
    }

    function _checkMarket(Policy memory policy) internal view override {
        if (policy.marketId != 0) revert InvalidPolicy("marketId");
        if (policy.collateralMarket != address(0)) revert InvalidPolicy("collateralMarket");
        if (policy.debtMarket != address(0)) revert InvalidPolicy("debtMarket");
        if (IComet(policy.market).baseToken() != policy.debt) revert InvalidPolicy("debt");
        if (policy.collateral == address(0)) return;
        // Reverts for an unlisted asset, the base included.
        if (IComet(policy.market).getAssetInfoByAddress(policy.collateral).asset != policy.collateral) {
            revert InvalidPolicy("collateral");
        }
    }

    /// A Comet does not state its version.
    function _revision(address) internal pure override returns (uint256) {
        return 0;
    }

    function _supports(Strategy strategy) internal view override returns (bool) {
        return strategy != Strategy.FLASH_LOAN_UNWIND || FLASH_LENDER != address(0);
    }
}
