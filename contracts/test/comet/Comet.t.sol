// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {CometExecutor} from "../../src/comet/CometExecutor.sol";
import {IExecutor, Outcome, Policy, Strategy} from "../../src/IExecutor.sol";
import {FamilyRuns, Figures} from "../support/FamilyRuns.sol";
import {HostilePort} from "../support/HostilePort.sol";
import {TestComet} from "../support/TestComet.sol";
import {TestToken} from "../support/TestToken.sol";

/// Runs on a stand-in of a Comet, with flash loans of the genuine Morpho Blue: Alice owes 20,000 USDC on 10 WETH that
/// count 85 % for liquidation and 80 % for borrowing, a health factor of 1.275.
contract CometTest is FamilyRuns {
    TestComet internal comet;

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
        id = setPolicy(alice, familyPolicy());
        vm.prank(alice);
        comet.allow(address(executor), true);
        allowDebt(alice, 100_000e6);
    }

    function figures() internal view override returns (Figures memory) {
        return Figures({
            family: "Comet (stand-in)",
            spender: address(comet),
            thresholdBps: 8_500,
            healthFactor: 1.275e18,
            repaid: 3_000e6,
            saleTarget: 1.32e18,
            soldWithin: 0,
            dust: 1,
            lowest: 1.3e18,
            highest: 1.65e18
        });
    }

    function test_repay_needs_no_permission() public {
        vm.prank(alice);
        comet.allow(address(executor), false);
        execute(runOf(id, Strategy.REPAY_DEBT, 3_000e6, 0));
    }

    /// The permission would do for borrowing and for all collateral. A stolen key reaches neither.
    function test_permission_is_bounded_by_the_code() public {
        _open(bob);
        vm.prank(bob);
        comet.allow(address(executor), true);
        HostilePort hostile = new HostilePort();
        usdc.mint(address(hostile), 1_000_000e6);
        Policy memory policy = familyPolicy();
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
        Policy memory policy = familyPolicy();
        policy.collateral = address(usdc);
        invalid(policy, "debt");
        policy = familyPolicy();
        policy.debt = address(weth);
        policy.collateral = address(usdc);
        invalid(policy, "debt");
        policy = familyPolicy();
        policy.collateral = address(new TestToken("NONE", 18));
        vm.prank(alice);
        vm.expectRevert(TestComet.BadAsset.selector);
        executor.setPolicy(policy);
    }

    function test_fields_of_other_families_are_empty() public {
        Policy memory policy = familyPolicy();
        policy.marketId = bytes32(uint256(1));
        invalid(policy, "marketId");
        policy = familyPolicy();
        policy.collateralMarket = address(1);
        invalid(policy, "collateralMarket");
        policy = familyPolicy();
        policy.debtMarket = address(1);
        invalid(policy, "debtMarket");
    }

    function test_without_a_lender_there_is_no_unwinding() public {
        CometExecutor bare = _deploy(address(0));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.StrategyUnsupported.selector, Strategy.FLASH_LOAN_UNWIND));
        bare.setPolicy(familyPolicy());
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

    function familyPolicy() internal view override returns (Policy memory) {
        return basePolicy(address(comet));
    }
}
