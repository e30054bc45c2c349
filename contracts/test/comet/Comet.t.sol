// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {CometExecutor} from "../../src/comet/CometExecutor.sol";
import {IExecutor, Outcome, Policy, Strategy} from "../../src/IExecutor.sol";
import {MorphoSetup} from "../genuine/MorphoSetup.sol";
import {HostilePort} from "../support/HostilePort.sol";
import {TestComet} from "../support/TestComet.sol";
import {TestToken} from "../support/TestToken.sol";

/// Runs on a stand-in of a Comet, with flash loans of the genuine Morpho Blue: Alice owes 20,000 USDC on 10 WETH that
/// count 85 % for liquidation and 80 % for borrowing, a health factor of 1.275.
contract CometTest is MorphoSetup {
    TestComet internal comet;
    bytes32 internal id;

    function setUp() public {
        setUpTokens();
        deployMorpho();
        comet = new TestComet(usdc, address(usdcFeed));
        TestToken other = new TestToken("WBTC", 8);
        comet.list(address(other), address(wethFeed), 1e8, 0.7e18, 0.75e18);
        comet.list(address(weth), address(wethFeed), 1e18, 0.8e18, 0.85e18);
        usdc.mint(address(comet), 10_000_000e6);
        _open(alice);
        setUpExecutor(_deploy(address(morpho)));
        id = setPolicy(alice, _policy());
        vm.prank(alice);
        comet.allow(address(executor), true);
        allowDebt(alice, 100_000e6);
    }

    function test_repay_debt() public {
        Outcome memory outcome = execute(runOf(id, Strategy.REPAY_DEBT, 3_000e6, 0));
        measure("Comet (stand-in)", "repay_debt");
        eq(outcome.repaid, 3_000e6, "repaid");
        eq(outcome.healthFactorBefore, 1.275e18, "before");
        eq(outcome.healthFactorAfter, 1.5e18, "after");
        leftNothing(address(comet));
    }

    function test_repay_needs_no_permission() public {
        vm.prank(alice);
        comet.allow(address(executor), false);
        execute(runOf(id, Strategy.REPAY_DEBT, 3_000e6, 0));
    }

    function test_sell_collateral() public {
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_500, 1.32e18);
        Outcome memory outcome = execute(runOf(id, Strategy.SELL_COLLATERAL, repaid + 10e6, sold));
        measure("Comet (stand-in)", "sell_collateral");
        eq(outcome.sold, sold, "sold");
        near(outcome.healthFactorAfter, 1.32e18, 1e13, "after");
        leftNothing(address(comet));
    }

    function testFuzz_flash_loan_unwind_reaches_any_target(uint256 seed) public {
        uint256 target = between(seed, 1.3e18, 1.65e18);
        Policy memory policy = _policy();
        policy.targetHealthFactor = uint96(target);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (20_000e6, 20_000e6);
        setPolicy(alice, policy);
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_500, target);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - 1, sold));
        near(outcome.healthFactorAfter, target, target / 1_000, "within 0.1 %");
        leftNothing(address(comet));
        leftNothing(address(morpho));
    }

    /// The permission would do for borrowing and for all collateral. A stolen key reaches neither.
    function test_permission_is_bounded_by_the_code() public {
        _open(bob);
        vm.prank(bob);
        comet.allow(address(executor), true);
        HostilePort hostile = new HostilePort();
        usdc.mint(address(hostile), 1_000_000e6);
        Policy memory policy = _policy();
        policy.swapPort = address(hostile);
        setPolicy(alice, policy);
        hostile.payMinimum(0);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 4_900e6, executor.maxSell(id, 4_900e6)));
        eq(comet.borrowBalanceOf(alice), 20_000e6 - outcome.repaid, "less is owed, nothing was borrowed");
        eq(comet.borrowBalanceOf(bob), 20_000e6, "another's debt");
        (uint128 collateral,) = comet.userCollateral(bob, address(weth));
        eq(collateral, 10e18, "another's collateral");
    }

    function test_base_cannot_be_named_as_collateral() public {
        Policy memory policy = _policy();
        policy.collateral = address(usdc);
        invalid(policy, "debt");
        policy = _policy();
        policy.debt = address(weth);
        policy.collateral = address(usdc);
        invalid(policy, "debt");
        policy = _policy();
        policy.collateral = address(new TestToken("NONE", 18));
        vm.prank(alice);
        vm.expectRevert(TestComet.BadAsset.selector);
        executor.setPolicy(policy);
    }

    function test_fields_of_other_families_are_empty() public {
        Policy memory policy = _policy();
        policy.marketId = bytes32(uint256(1));
        invalid(policy, "marketId");
        policy = _policy();
        policy.collateralMarket = address(1);
        invalid(policy, "collateralMarket");
        policy = _policy();
        policy.debtMarket = address(1);
        invalid(policy, "debtMarket");
    }

    function test_without_a_lender_there_is_no_unwinding() public {
        CometExecutor bare = _deploy(address(0));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.StrategyUnsupported.selector, Strategy.FLASH_LOAN_UNWIND));
        bare.setPolicy(_policy());
    }

    function _open(address account) private {
        weth.mint(address(this), 10e18);
        weth.approve(address(comet), 10e18);
        comet.supplyTo(account, address(weth), 10e18);
        vm.prank(account);
        comet.withdrawFrom(account, account, address(usdc), 20_000e6);
    }

    function _deploy(address lender) private returns (CometExecutor) {
        address[] memory markets = new address[](1);
        markets[0] = address(comet);
        return new CometExecutor(admin, markets, address(0), lender);
    }

    function _policy() private view returns (Policy memory) {
        return basePolicy(address(comet));
    }
}
