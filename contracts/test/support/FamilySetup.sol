// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {ExecutorBase} from "../../src/ExecutorBase.sol";
import {IExecutor, Policy} from "../../src/IExecutor.sol";
import {ExecutorSetup} from "./ExecutorSetup.sol";


/// The families beside Aave: a policy of theirs, and what a sale of theirs needs.
abstract contract FamilySetup is ExecutorSetup {
    ExecutorBase internal executor;

    function tested() internal view override returns (ExecutorBase) {
        return executor;
    }

    function setUpExecutor(ExecutorBase executor_) internal {
        executor = executor_;
        setUpKeeper();
    }

    function basePolicy(address market) internal view returns (Policy memory policy) {
        policy.market = market;
        policy.collateral = address(weth);
        policy.debt = address(usdc);
        policy.swapPort = address(port);
        policy.collateralFeed = address(wethFeed);
        policy.debtFeed = address(usdcFeed);
        policy.maxPriceAge = 1 hours;
        policy.expiresAt = uint64(block.timestamp + 30 days);
        policy.triggerHealthFactor = 1.3e18;
        policy.targetHealthFactor = 1.5e18;
        policy.minHealthFactorAfter = 1.2e18;
        policy.maxRepayPerRun = 15_000e6;
        policy.maxRepayPerDay = 20_000e6;
        policy.maxSlippageBps = 50;
        policy.strategies = 7;
    }

    function invalid(Policy memory policy, bytes32 field) internal {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.InvalidPolicy.selector, field));
        executor.setPolicy(policy);
    }

    /// The sale that reaches a health factor of `target` from `collateral` and `debt` dollars, at the 30 bps of
    /// the swap pool. See docs/model.md.
    function saleFor(uint256 collateral, uint256 debt, uint256 thresholdBps, uint256 target)
        internal
        pure
        returns (uint256 sold, uint256 repaid)
    {
        uint256 short = (target * debt * 1e6) / WAD - (collateral * 1e6 * thresholdBps) / 10_000;
        uint256 slope = (target * 9_970) / 10_000 - (WAD * thresholdBps) / 10_000;
        uint256 value = (short * WAD) / slope;
        sold = (value * 1e12) / 3_000;
        repaid = (value * 9_970) / 10_000;
    }

    function leftNothing(address spender) internal view {
        eq(weth.balanceOf(address(executor)), 0, "collateral left");
        eq(usdc.balanceOf(address(executor)), 0, "debt left");
        eq(usdc.allowance(address(executor), spender), 0, "allowance of debt left");
        eq(weth.allowance(address(executor), spender), 0, "allowance of collateral left");
    }
}
