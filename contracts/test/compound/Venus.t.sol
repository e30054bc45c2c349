// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {CompoundV2Executor} from "../../src/compound/CompoundV2Executor.sol";
import {IExecutor, Outcome, Policy, Strategy} from "../../src/IExecutor.sol";
import {VenusSetup} from "../genuine/VenusSetup.sol";

/// Runs on a genuine isolated pool of Venus: Alice owes 20,000 USDC on 10 WETH at 80 %, a health factor of 1.2.
contract VenusTest is VenusSetup {
    bytes32 internal id;

    function setUp() public {
        setUpTokens();
        deployMorpho();
        deployVenus();
        borrowOnVenus(alice, 20_000e6);
        setUpExecutor(_deploy(address(morpho)));
        id = setPolicy(alice, _policy());
        vm.prank(alice);
        vWeth.approve(address(executor), type(uint256).max);
        allowDebt(alice, 100_000e6);
    }

    function test_repay_debt() public {
        Outcome memory outcome = execute(runOf(id, Strategy.REPAY_DEBT, 4_000e6, 0));
        measure("Venus isolated", "repay_debt");
        eq(outcome.repaid, 4_000e6, "repaid");
        near(outcome.healthFactorBefore, 1.2e18, 1e12, "before");
        near(outcome.healthFactorAfter, 1.5e18, 1e15, "after");
        leftNothing(address(vUsdc));
    }

    function test_sell_collateral() public {
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_000, 1.25e18);
        Outcome memory outcome = execute(runOf(id, Strategy.SELL_COLLATERAL, repaid + 10e6, sold));
        measure("Venus isolated", "sell_collateral");
        // Whole vTokens are taken, so a little less than was asked for.
        near(outcome.sold, sold, 1e10, "sold");
        yes(outcome.sold <= sold, "never more");
        near(outcome.healthFactorAfter, 1.25e18, 1e13, "after");
        leftNothing(address(vUsdc));
        eq(vWeth.balanceOf(address(executor)), 0, "vTokens left");
    }

    function test_flash_loan_unwind() public {
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_000, 1.5e18);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - 1e3, sold));
        measure("Venus isolated", "flash_loan_unwind");
        eq(outcome.repaid, repaid - 1e3, "repaid");
        near(outcome.healthFactorAfter, 1.5e18, 1e13, "after");
        leftNothing(address(vUsdc));
        leftNothing(address(morpho));
        eq(vWeth.balanceOf(address(executor)), 0, "vTokens left");
    }

    function testFuzz_flash_loan_unwind_reaches_any_target(uint256 seed) public {
        uint256 target = between(seed, 1.3e18, 1.6e18);
        Policy memory policy = _policy();
        policy.targetHealthFactor = uint96(target);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (20_000e6, 20_000e6);
        setPolicy(alice, policy);
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_000, target);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - 1e3, sold));
        near(outcome.healthFactorAfter, target, target / 1_000, "within 0.1 %");
    }

    /// Time passes: a run counts the interest before it looks.
    function test_run_accrues_first() public {
        vm.warp(NOW + 30 days);
        wethFeed.set(3_000e8);
        usdcFeed.set(1e8);
        uint256 stale = executor.healthFactorOf(id);
        Policy memory policy = _policy();
        policy.expiresAt = uint64(block.timestamp + 1 days);
        setPolicy(alice, policy);
        yes(execute(runOf(id, Strategy.REPAY_DEBT, 4_000e6, 0)).healthFactorBefore < stale, "lower than it was");
    }

    function test_limited_allowance_of_vtokens_limits_the_sale() public {
        vm.prank(alice);
        vWeth.approve(address(executor), 1e8);
        vm.prank(keeper);
        (bool done,) = address(executor)
            .call(abi.encodeCall(executor.execute, (runOf(id, Strategy.SELL_COLLATERAL, 1_600e6, 0.5e18))));
        yes(!done, "refused");
    }

    function test_without_a_lender_there_is_no_unwinding() public {
        CompoundV2Executor bare = _deploy(address(0));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.StrategyUnsupported.selector, Strategy.FLASH_LOAN_UNWIND));
        bare.setPolicy(_policy());
        Policy memory policy = _policy();
        policy.strategies = 3;
        vm.prank(alice);
        bare.setPolicy(policy);
    }

    function test_error_code_is_a_refusal() public {
        vm.mockCall(
            address(vUsdc), abi.encodeWithSignature("repayBorrowBehalf(address,uint256)"), abi.encode(uint256(9))
        );
        refused(runOf(id, Strategy.REPAY_DEBT, 4_000e6, 0), IExecutor.MarketCallFailed.selector);
    }

    function test_what_is_not_the_markets_cannot_be_written() public {
        Policy memory policy = _policy();
        policy.marketId = bytes32(uint256(1));
        invalid(policy, "marketId");
        policy = _policy();
        policy.debtMarket = address(vWeth);
        invalid(policy, "debtMarket");
        policy = _policy();
        policy.debtMarket = address(weth);
        invalid(policy, "debtMarket");
        policy = _policy();
        policy.collateralMarket = address(vUsdc);
        invalid(policy, "collateralMarket");
    }

    function test_position_without_collateral_has_a_factor_of_zero() public {
        wethFeed.set(1);
        near(executor.healthFactorOf(id), 0, 1e9, "next to nothing");
    }

    function _deploy(address lender) private returns (CompoundV2Executor) {
        address[] memory markets = new address[](1);
        markets[0] = address(comptroller);
        return new CompoundV2Executor(admin, markets, address(0), lender);
    }

    function _policy() private view returns (Policy memory policy) {
        policy = basePolicy(address(comptroller));
        (policy.collateralMarket, policy.debtMarket) = (address(vWeth), address(vUsdc));
    }
}
