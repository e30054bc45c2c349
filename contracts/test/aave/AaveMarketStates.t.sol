// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {AaveV3Executor} from "../../src/aave/AaveV3Executor.sol";
import {IExecutor, Outcome, Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {TestToken} from "../support/TestToken.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// What the market's governance may do: modes, freezes, pauses, premiums, upgrades.
contract AaveMarketStatesTest is AaveSetup {
    bytes32 internal id;

    function setUp() public override {
        super.setUp();
        allowCollateral(alice, type(uint256).max);
        allowDebt(alice, 1_000_000e6);
        id = setPolicy();
    }

    function test_e_mode_counts_by_its_own_threshold() public {
        configurator.setEModeCategory(1, 9_000, 9_300, 10_100, address(0), "both");
        configurator.setAssetEModeCategory(address(weth), 1);
        configurator.setAssetEModeCategory(address(usdc), 1);
        vm.prank(alice);
        pool.setUserEMode(1);
        // 30,000 x 93 % / 20,000 = 1.395: above the trigger.
        refused(repayRun(id, 3_000e6), IExecutor.HealthFactorAboveTrigger.selector);
        wethFeed.set(2_600e8);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 6_000e6, 2.32e18));
        near(outcome.healthFactorBefore, 1.209e18, 1e13, "before");
        eq(outcome.healthFactorAfter, healthFactor(alice), "after");
        leftNothing();
    }

    function test_isolated_collateral() public {
        TestToken token = new TestToken("ISO", 18);
        configurator.setBorrowableInIsolation(address(usdc), true);
        list(address(token), 18, 8_000, THRESHOLD_BPS, wethFeed);
        configurator.setDebtCeiling(address(token), 1_000_000_00);
        address carol = address(0xca201);
        supplyFor(token, 10e18, carol);
        vm.startPrank(carol);
        pool.setUserUseReserveAsCollateral(address(token), true);
        pool.borrow(address(usdc), 20_000e6, VARIABLE, 0, carol);
        aTokenOf(address(token)).approve(address(executor), type(uint256).max);
        vm.stopPrank();
        port.setFeed(address(token), port.feeds(address(weth)));
        Policy memory policy = defaultPolicy();
        policy.collateral = address(token);
        bytes32 isolated = setPolicy(carol, policy);
        Outcome memory outcome = execute(runOf(isolated, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18));
        eq(outcome.repaid, 5_000e6, "repaid");
        eq(aTokenOf(address(token)).balanceOf(address(executor)), 0, "aTokens left");
    }

    function test_frozen_reserves_can_be_left() public {
        configurator.setReserveFreeze(address(usdc), true);
        configurator.setReserveFreeze(address(weth), true);
        execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18));
        leftNothing();
    }

    function test_paused_reserve_leaves_all_as_it_was() public {
        uint256 wallet = usdc.balanceOf(alice);
        Run memory repayment = repayRun(id, 3_000e6);
        configurator.setReservePause(address(usdc), true);
        vm.prank(keeper);
        vm.expectRevert(bytes("29"));
        executor.execute(repayment);
        configurator.setReservePause(address(usdc), false);
        configurator.setReservePause(address(weth), true);
        Run memory unwinding = runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18);
        vm.prank(keeper);
        vm.expectRevert(bytes("29"));
        executor.execute(unwinding);
        eq(usdc.balanceOf(alice), wallet, "wallet");
        eq(executor.stateOf(id).runs, 0, "runs");
        configurator.setReservePause(address(weth), false);
        execute(repayment);
    }

    function test_flash_premium_changed_is_refused() public {
        configurator.updateFlashloanPremiumTotal(10);
        refused(runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18), IExecutor.FlashFeeAboveLimit.selector);
        configurator.updateFlashloanPremiumTotal(9);
        eq(execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18)).flashFee, 4.5e6, "fee");
    }

    function test_flash_loans_without_a_premium() public {
        configurator.updateFlashloanPremiumTotal(0);
        eq(execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18)).flashFee, 0, "fee");
    }

    function test_upgraded_market_is_refused_where_pinned() public {
        Policy memory policy = defaultPolicy();
        policy.pinMarketRevision = true;
        setPolicy(alice, policy);
        bytes memory data = abi.encodeWithSignature("POOL_REVISION()");
        eq(executor.stateOf(id).marketRevision, pool.POOL_REVISION(), "revision");
        vm.mockCall(address(pool), data, abi.encode(uint256(2)));
        refused(repayRun(id, 3_000e6), IExecutor.MarketUpgraded.selector);
        // Its user has looked at the new one and writes the policy again.
        setPolicy(alice, policy);
        execute(repayRun(id, 3_000e6));
    }

    function test_upgraded_market_runs_where_not_pinned() public {
        vm.mockCall(address(pool), abi.encodeWithSignature("POOL_REVISION()"), abi.encode(uint256(2)));
        execute(repayRun(id, 3_000e6));
    }

    function test_market_that_is_not_the_executors_cannot_be_named() public {
        Policy memory policy = defaultPolicy();
        policy.market = address(port);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.InvalidPolicy.selector, bytes32("market")));
        executor.setPolicy(policy);
        yes(executor.isMarket(address(pool)) && !executor.isMarket(address(port)), "markets");
    }

    function test_several_markets_on_one_executor() public {
        address[] memory markets = new address[](2);
        (markets[0], markets[1]) = (address(0xf0f0), address(pool));
        AaveV3Executor both = new AaveV3Executor(admin, markets, address(0));
        yes(both.isMarket(address(0xf0f0)) && both.isMarket(address(pool)), "both");
    }

    function test_debt_at_a_rate_that_is_not_listed() public {
        Policy memory policy = defaultPolicy();
        policy.debt = address(new TestToken("NONE", 18));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.InvalidPolicy.selector, bytes32("debt")));
        executor.setPolicy(policy);
        policy = defaultPolicy();
        policy.collateral = address(new TestToken("NONE", 18));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.InvalidPolicy.selector, bytes32("collateral")));
        executor.setPolicy(policy);
    }
}
