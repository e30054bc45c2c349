// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Outcome, Policy, Strategy} from "../../src/IExecutor.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// What a run does on a genuine Aave v3.0 market.
contract AaveStrategiesTest is AaveSetup {
    function test_repay_debt_takes_from_the_wallet_and_repays() public {
        bytes32 id = setPolicy(alice, repayOnly(defaultPolicy()));
        allowDebt(alice, 4_000e6);
        uint256 owed = executor.debtOf(id);
        Outcome memory outcome = execute(repayRun(id, 3_500e6));
        measure("Aave v3", "repay_debt");
        eq(outcome.repaid, 3_500e6, "repaid");
        eq(usdc.balanceOf(alice), 20_000e6 + 500e6, "wallet");
        near(executor.debtOf(id), owed - 3_500e6, 1, "debt");
        eq(outcome.healthFactorAfter, healthFactor(alice), "factor after");
        near(outcome.healthFactorAfter, 1.5e18, 1e14, "target");
        leftNothing();
    }

    /// The position must bear the withdrawal that comes first, so not every target is within reach.
    function test_sell_collateral_sells_and_repays() public {
        bytes32 id = _policyFor(1.3e18);
        (uint256 sold, uint256 repaid) = saleFor(alice, 1.3e18, SPREAD_BPS);
        allowCollateral(alice, sold);
        uint256 wallet = usdc.balanceOf(alice);
        Outcome memory outcome = execute(runOf(id, Strategy.SELL_COLLATERAL, repaid + 10e6, sold));
        measure("Aave v3", "sell_collateral");
        near(outcome.sold, sold, 1, "sold");
        near(outcome.repaid, repaid, 2, "repaid");
        near(outcome.healthFactorAfter, 1.3e18, 1e14, "target");
        eq(usdc.balanceOf(alice), wallet + outcome.returnedDebt, "wallet");
        leftNothing();
    }

    function test_flash_loan_unwind_reaches_the_target() public {
        bytes32 id = setPolicy();
        (uint256 sold, uint256 repaid) = saleFor(alice, 1.5e18, SPREAD_BPS + 9);
        allowCollateral(alice, sold);
        uint256 wallet = usdc.balanceOf(alice);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - 1e6, sold));
        measure("Aave v3", "flash_loan_unwind");
        eq(outcome.repaid, repaid - 1e6, "repaid");
        near(outcome.flashFee, executor.flashFee(id, repaid - 1e6), 1, "fee");
        near(outcome.healthFactorAfter, 1.5e18, 1e15, "target");
        eq(usdc.balanceOf(alice), wallet + outcome.returnedDebt, "wallet");
        yes(outcome.returnedDebt > 0, "the margin comes back");
        leftNothing();
    }

    function testFuzz_flash_loan_unwind_reaches_any_target(uint256 targetSeed, uint256 owedSeed) public {
        vm.prank(alice);
        pool.borrow(address(usdc), between(owedSeed, 1e6, 3_900e6), VARIABLE, 0, alice);
        uint96 target = uint96(between(targetSeed, 1.26e18, 1.6e18));
        bytes32 id = _policyFor(target);
        (uint256 sold, uint256 repaid) = saleFor(alice, target, SPREAD_BPS + 9);
        allowCollateral(alice, sold);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - 1e4, sold));
        near(outcome.healthFactorAfter, target, target / 1_000, "target within 0.1 %");
        leftNothing();
    }

    /// Interest has made the units of aTokens and debts uneven: nothing stays behind for what is rounded.
    function testFuzz_nothing_is_left_after_years_of_interest(uint256 waitSeed, uint256 amountSeed) public {
        // Nine tenths of the WETH are borrowed, so that what is supplied of it grows by a third in a year.
        address carol = address(0xca201);
        supplyFor(usdc, 60_000_000e6, carol);
        vm.prank(carol);
        pool.borrow(address(weth), 9_000e18, VARIABLE, 0, carol);
        vm.warp(block.timestamp + between(waitSeed, 1, 2 * 365 days));
        wethFeed.set(3_000e8);
        usdcFeed.set(1e8);
        wethFeed.set(int256((3_000e8 * 1.2e18) / healthFactor(alice)));
        Policy memory policy = defaultPolicy();
        policy.minHealthFactorAfter = 1.01e18;
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (type(uint128).max, type(uint128).max);
        bytes32 id = setPolicy(alice, policy);
        allowCollateral(alice, type(uint256).max);
        uint256 amount = between(amountSeed, 1_000e6, 4_000e6);
        uint256 sold = executor.maxSell(id, amount + executor.flashFee(id, amount)) - 1e9;
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, amount, sold));
        near(outcome.sold, sold, 1, "sold");
        eq(outcome.repaid, amount, "repaid");
        leftNothing();
    }

    function testFuzz_repay_debt_of_any_amount(uint256 seed) public {
        bytes32 id = setPolicy(alice, repayOnly(defaultPolicy()));
        uint256 amount = between(seed, 1_000e6, 4_300e6);
        allowDebt(alice, amount);
        uint256 owed = executor.debtOf(id);
        eq(execute(repayRun(id, amount)).repaid, amount, "repaid");
        near(executor.debtOf(id), owed - amount, 1, "debt");
        leftNothing();
    }

    function _policyFor(uint96 target) private returns (bytes32) {
        Policy memory policy = defaultPolicy();
        policy.targetHealthFactor = target;
        policy.minHealthFactorAfter = target - 0.01e18;
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (type(uint128).max, type(uint128).max);
        return setPolicy(alice, policy);
    }
}
