// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Policy, Strategy} from "../IExecutor.sol";
import {ExecutorBase} from "../ExecutorBase.sol";
import {MorphoFlashLoan} from "../morpho/MorphoFlashLoan.sol";
import {Prices} from "../Prices.sol";
import {CometAsset, IComet} from "./IComet.sol";

/// Compound III. To repay from the wallet users allow this contract their base tokens (an ERC-20 allowance). To sell they
/// must allow it on the Comet (allow), which cannot be limited and would do for borrowing as well: what bounds it is
/// this contract alone, in which the one call that uses it is the one in _withdraw: the policy's collateral, which is
/// never the base, of the policy's owner, to here, within a run.
contract CometExecutor is MorphoFlashLoan {
    uint256 private constant WAD = 1e18;

    /// Morpho Blue, for its flash loans; zero where a chain has none.
    address public immutable FLASH_LENDER;

    constructor(address owner_, address[] memory comets, address sequencerFeed, address flashLender)
        ExecutorBase(owner_, comets, sequencerFeed)
    {
        // Zero stands for a chain that has none.
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

    /// A Comet counts interest up to this block in what it answers.
    function _accrue(Policy memory) internal override {}

    /// Of liquidation (isLiquidatable): each collateral by its liquidateCollateralFactor.
    function _healthFactor(Policy memory policy, address account) internal view override returns (uint256) {
        IComet comet = IComet(policy.market);
        uint256 owed = comet.borrowBalanceOf(account);
        if (owed == 0) return type(uint256).max;
        uint256 weighted = 0;
        uint8 count = comet.numAssets();
        for (uint8 i = 0; i < count; ++i) {
            CometAsset memory info = comet.getAssetInfo(i);
            // The rest of what it answers is not wanted.
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
        // Reverts for what it does not list, the base included.
        if (IComet(policy.market).getAssetInfoByAddress(policy.collateral).asset != policy.collateral) {
            revert InvalidPolicy("collateral");
        }
    }

    /// A Comet does not tell of which version it is.
    function _revision(address) internal pure override returns (uint256) {
        return 0;
    }

    function _supports(Strategy strategy) internal view override returns (bool) {
        return strategy != Strategy.FLASH_LOAN_UNWIND || FLASH_LENDER != address(0);
    }
}
