// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IExecutor, Outcome, Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// The limits of a policy, each at its edge.
contract AaveLimitsTest is AaveSetup {
    function setUp() public override {
        super.setUp();
        allowDebt(alice, 1_000_000e6);
        allowCollateral(alice, type(uint256).max);
    }

    function test_run_limit_at_its_edge() public {
        Policy memory policy = defaultPolicy();
        policy.maxRepayPerRun = 3_000e6;
        bytes32 id = setPolicy(alice, policy);
        refused(repayRun(id, 3_000e6 + 1), IExecutor.RepayAboveRunLimit.selector);
        execute(repayRun(id, 3_000e6));
    }

    function test_run_limit_holds_for_sales_and_flash_loans() public {
        Policy memory policy = defaultPolicy();
        policy.maxRepayPerRun = 1_000e6;
        bytes32 id = setPolicy(alice, policy);
        refused(runOf(id, Strategy.SELL_COLLATERAL, 1_000e6 + 1, 1e17), IExecutor.RepayAboveRunLimit.selector);
        refused(runOf(id, Strategy.FLASH_LOAN_UNWIND, 1_000e6 + 1, 1e17), IExecutor.RepayAboveRunLimit.selector);
    }

    function test_day_limit_two_runs_in_a_block() public {
        bytes32 id = _often(1_000e6);
        execute(repayRun(id, 600e6));
        eq(executor.remainingToday(id), 400e6, "remaining");
        refused(repayRun(id, 400e6 + 1), IExecutor.RepayAboveDayLimit.selector);
        execute(repayRun(id, 400e6));
        eq(executor.remainingToday(id), 0, "nothing remains");
        refused(repayRun(id, 1), IExecutor.RepayAboveDayLimit.selector);
    }

    /// Around midnight, and at any other hour: never more than the limit within 24 hours.
    function test_day_limit_at_its_border() public {
        bytes32 id = _often(1_000e6);
        vm.warp((NOW / 1 days + 1) * 1 days - 1);
        _refresh();
        execute(repayRun(id, 1_000e6));
        vm.warp(block.timestamp + 1);
        _refresh();
        refused(repayRun(id, 1), IExecutor.RepayAboveDayLimit.selector);
        vm.warp(block.timestamp + 1 days - 2);
        _refresh();
        refused(repayRun(id, 1), IExecutor.RepayAboveDayLimit.selector);
        vm.warp(block.timestamp + 4 hours);
        _refresh();
        eq(executor.remainingToday(id), 1_000e6, "all of it is back");
        execute(repayRun(id, 1_000e6));
    }

    /// However runs lie, what was repaid within any 24 hours is at most the limit.
    function testFuzz_day_limit_in_any_24_hours(uint256[12] calldata waits, uint256[12] calldata amounts) public {
        bytes32 id = _often(1_000e6);
        uint256[12] memory times;
        uint256[12] memory repaid;
        uint256 happened;
        for (uint256 i = 0; i < 12; ++i) {
            vm.warp(block.timestamp + between(waits[i], 0, 9 hours));
            _refresh();
            uint256 amount = between(amounts[i], 1e6, 600e6);
            times[i] = block.timestamp;
            if (amount > executor.remainingToday(id) || healthFactor(alice) >= 1.45e18) continue;
            execute(repayRun(id, amount));
            repaid[i] = amount;
            ++happened;
            uint256 sum;
            for (uint256 j = 0; j <= i; ++j) {
                if (times[j] + 1 days > times[i]) sum += repaid[j];
            }
            yes(sum <= 1_000e6, "within 24 hours");
        }
        yes(happened > 1, "runs happened");
    }

    function test_two_policies_on_one_allowance_share_the_day() public {
        bytes32 id = _often(1_000e6);
        Policy memory second = repayOnly(defaultPolicy());
        (second.maxRepayPerRun, second.maxRepayPerDay) = (1_000e6, 1_000e6);
        second.minHealthFactorAfter = 1.01e18;
        second.triggerHealthFactor = second.targetHealthFactor;
        bytes32 other = setPolicy(alice, second);
        yes(other != id, "two policies");
        execute(repayRun(id, 700e6));
        eq(executor.remainingToday(other), 300e6, "remaining");
        refused(repayRun(other, 300e6 + 1), IExecutor.RepayAboveDayLimit.selector);
        execute(repayRun(other, 300e6));
        refused(repayRun(id, 1), IExecutor.RepayAboveDayLimit.selector);
    }

    /// Writing the policy anew does not give the day anew to a keeper who waits for it.
    function test_day_limit_stays_with_a_new_version() public {
        bytes32 id = _often(1_000e6);
        execute(repayRun(id, 1_000e6));
        _often(1_000e6);
        refused(repayRun(id, 1), IExecutor.RepayAboveDayLimit.selector);
    }

    function test_trigger_at_its_edge() public {
        Policy memory policy = defaultPolicy();
        policy.triggerHealthFactor = uint96(healthFactor(alice));
        bytes32 id = setPolicy(alice, policy);
        refused(repayRun(id, 3_000e6), IExecutor.HealthFactorAboveTrigger.selector);
        policy.triggerHealthFactor += 1;
        setPolicy(alice, policy);
        execute(repayRun(id, 3_000e6));
    }

    function test_one_wei_griefing_is_refused() public {
        bytes32 id = setPolicy();
        refused(repayRun(id, 1), IExecutor.HealthFactorBelowMinimum.selector);
        // A wei of collateral is not given away for nothing: the least that it may bring is rounded up.
        refused(runOf(id, Strategy.SELL_COLLATERAL, 1, 1), IExecutor.SwapFailed.selector);
        refused(repayRun(id, 0), IExecutor.NothingToRepay.selector);
        // A one-shot policy can therefore not be used up for nothing.
        Policy memory policy = defaultPolicy();
        (policy.oneShot, policy.minHealthFactorAfter) = (true, policy.triggerHealthFactor - 1);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.InvalidPolicy.selector, bytes32("minHealthFactorAfter")));
        executor.setPolicy(policy);
    }

    function test_minimum_health_factor_after_at_its_edge() public {
        bytes32 id = setPolicy();
        uint256 saved = vm.snapshotState();
        uint256 reached = execute(repayRun(id, 2_000e6)).healthFactorAfter;
        vm.revertToState(saved);
        Policy memory policy = defaultPolicy();
        policy.minHealthFactorAfter = uint96(reached) + 1;
        setPolicy(alice, policy);
        refused(repayRun(id, 2_000e6), IExecutor.HealthFactorBelowMinimum.selector);
        policy.minHealthFactorAfter = uint96(reached);
        setPolicy(alice, policy);
        execute(repayRun(id, 2_000e6));
    }

    function test_over_repay_is_refused() public {
        bytes32 id = setPolicy();
        // 24,750 weighted: 15,714.29 owed is 5 % above the target of 1.5.
        refused(repayRun(id, 4_290e6), IExecutor.HealthFactorAboveTarget.selector);
        yes(execute(repayRun(id, 4_280e6)).healthFactorAfter > 1.57e18, "near the edge");
    }

    /// More than is owed is never taken, borrowed or sold for.
    function test_repay_above_the_debt_takes_the_debt() public {
        // Bob owes 100 USDC beside 10,000 of another debt, so that all of the first can go.
        address carol = address(0xca201);
        supplyFor(weth, 1e18, carol);
        vm.startPrank(carol);
        pool.borrow(address(usdc), 400e6, VARIABLE, 0, carol);
        pool.borrow(address(weth), 0.55e18, VARIABLE, 0, carol);
        vm.stopPrank();
        Policy memory policy = repayOnly(defaultPolicy());
        bytes32 id = setPolicy(carol, policy);
        allowDebt(carol, 10_000e6);
        Outcome memory outcome = execute(repayRun(id, 5_000e6));
        eq(outcome.repaid, 400e6, "repaid");
        eq(debtTokenOf(address(usdc)).balanceOf(carol), 0, "debt");
        eq(usdc.balanceOf(carol), 10_000e6, "wallet");
        eq(executor.remainingToday(id), 20_000e6 - 400e6, "the day counts what was repaid");
        refused(repayRun(id, 5_000e6), IExecutor.NothingToRepay.selector);
        leftNothing();
    }

    function test_dust_debt_is_left_alone() public {
        address carol = address(0xca201);
        supplyFor(weth, 1e18, carol);
        vm.prank(carol);
        pool.borrow(address(usdc), 1, VARIABLE, 0, carol);
        Policy memory policy = defaultPolicy();
        bytes32 id = setPolicy(carol, policy);
        allowDebt(carol, 10e6);
        refused(repayRun(id, 1), IExecutor.HealthFactorAboveTrigger.selector);
    }

    function test_sale_above_its_need_is_refused() public {
        bytes32 id = setPolicy();
        uint256 most = executor.maxSell(id, 2_000e6);
        refused(runOf(id, Strategy.SELL_COLLATERAL, 2_000e6, most + 1), IExecutor.SellAboveLimit.selector);
        uint256 fee = executor.flashFee(id, 5_000e6);
        most = executor.maxSell(id, 5_000e6 + fee);
        refused(runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, most + 1e12), IExecutor.SellAboveLimit.selector);
        execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, most));
    }

    /// A threshold of 95 % and a sale that loses 9.9 %: what is sold was worth more to the position than its proceeds.
    function test_a_sale_that_eats_the_gain_is_refused() public {
        configurator.configureReserveAsCollateral(address(weth), 9_000, 9_500, 10_100);
        wethFeed.set(2_200e8);
        Policy memory policy = defaultPolicy();
        policy.minHealthFactorAfter = 1.01e18;
        policy.maxSlippageBps = 1_000;
        bytes32 id = setPolicy(alice, policy);
        port.setSpread(990);
        refused(runOf(id, Strategy.SELL_COLLATERAL, 1_000e6, 0.4e18), IExecutor.HealthFactorNotBetter.selector);
        port.setSpread(300);
        execute(runOf(id, Strategy.SELL_COLLATERAL, 1_000e6, 0.4e18));
    }

    function test_day_counts_what_was_repaid() public {
        bytes32 id = _often(10_000e6);
        uint256 sold = 0.5e18;
        Outcome memory outcome = execute(runOf(id, Strategy.SELL_COLLATERAL, 1_510e6, sold));
        eq(outcome.repaid, 1_495.5e6, "repaid");
        eq(executor.remainingToday(id), 10_000e6 - outcome.repaid, "remaining");
    }

    /// A policy that lets many small runs happen.
    function _often(uint128 perDay) private returns (bytes32) {
        Policy memory policy = defaultPolicy();
        policy.minHealthFactorAfter = 1.01e18;
        (policy.triggerHealthFactor, policy.targetHealthFactor) = (1.5e18, 1.5e18);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (perDay, perDay);
        return setPolicy(alice, policy);
    }

    function _refresh() private {
        wethFeed.set(3_000e8);
        usdcFeed.set(1e8);
    }
}
