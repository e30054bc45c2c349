// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {DevnetSwapPool} from "../../devnet/DevnetSwapPool.sol";
import {ExecutorBase} from "../../src/ExecutorBase.sol";
import {IExecutor, Outcome, Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {IPriceFeed} from "../../src/Prices.sol";
import {Genuine} from "../genuine/Genuine.sol";
import {Feed} from "./Feed.sol";
import {TestToken} from "./TestToken.sol";

/// What the tests of the families beside Aave have in common: WETH of 3,000 dollars against USDC, a swap pool, and users
/// with a policy.
abstract contract FamilySetup is Genuine {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant WAD = 1e18;

    address internal admin = address(0xad);
    address internal keeper = address(0xbee);
    address internal alice = address(0xa11ce);
    address internal bob = address(0xb0b);

    TestToken internal weth;
    TestToken internal usdc;
    Feed internal wethFeed;
    Feed internal usdcFeed;
    DevnetSwapPool internal port;
    ExecutorBase internal executor;

    function setUpTokens() internal {
        vm.warp(NOW);
        weth = new TestToken("WETH", 18);
        usdc = new TestToken("USDC", 6);
        wethFeed = new Feed(8, 3_000e8);
        usdcFeed = new Feed(8, 1e8);
        port = new DevnetSwapPool(30);
        port.setFeed(address(weth), IPriceFeed(address(wethFeed)));
        port.setFeed(address(usdc), IPriceFeed(address(usdcFeed)));
        usdc.mint(address(port), 100_000_000e6);
    }

    function setUpExecutor(ExecutorBase executor_) internal {
        executor = executor_;
        vm.label(address(executor), "executor");
        vm.prank(admin);
        executor.setKeeper(keeper, true);
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

    function setPolicy(address account, Policy memory policy) internal returns (bytes32 id) {
        vm.prank(account);
        (id,) = executor.setPolicy(policy);
    }

    function invalid(Policy memory policy, bytes32 field) internal {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.InvalidPolicy.selector, field));
        executor.setPolicy(policy);
    }

    function allowDebt(address account, uint256 amount) internal {
        usdc.mint(account, amount);
        vm.prank(account);
        usdc.approve(address(executor), amount);
    }

    function runOf(bytes32 id, Strategy strategy, uint256 repayAmount, uint256 sellAmount)
        internal
        view
        returns (Run memory)
    {
        return Run({
            policyId: id,
            policyHash: executor.stateOf(id).policyHash,
            nonce: executor.stateOf(id).runs,
            strategy: strategy,
            repayAmount: repayAmount,
            sellAmount: sellAmount,
            deadline: uint64(block.timestamp + 5 minutes),
            route: ""
        });
    }

    function execute(Run memory run) internal returns (Outcome memory) {
        vm.prank(keeper);
        return executor.execute(run);
    }

    function refused(Run memory run, bytes4 selector) internal {
        vm.prank(keeper);
        vm.expectPartialRevert(selector);
        executor.execute(run);
    }

    /// The sale that reaches a health factor of `target` from `collateral` and `debt` dollars (risk-model.md,
    /// deleverage), at the 30 bps that the swap pool keeps.
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
