// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {CompoundV2Executor} from "../../src/compound/CompoundV2Executor.sol";
import {IExecutor, Policy, Strategy} from "../../src/IExecutor.sol";
import {VenusSetup} from "../genuine/VenusSetup.sol";
import {FamilyRuns, Figures} from "../support/FamilyRuns.sol";

/// Runs on a genuine isolated pool of Venus: Alice owes 20,000 USDC on 10 WETH at 80 %, a health factor of 1.2.
contract VenusTest is VenusSetup, FamilyRuns {
    function setUp() public {
        setUpTokens();
        deployMorpho();
        deployVenus();
        borrowOnVenus(alice, 20_000e6);
        setUpExecutor(_deploy(address(morpho)));
        id = setPolicy(alice, familyPolicy());
        vm.prank(alice);
        vWeth.approve(address(executor), type(uint256).max);
        allowDebt(alice, 100_000e6);
    }

    function figures() internal view override returns (Figures memory) {
        return Figures({
            family: "Venus isolated",
            spender: address(vUsdc),
            thresholdBps: 8_000,
            healthFactor: 1.2e18,
            repaid: 4_000e6,
            saleTarget: 1.25e18,
            soldWithin: 1e10,
            dust: 1e3,
            lowest: 1.3e18,
            highest: 1.6e18
        });
    }

    function nothingElseLeft() internal view override {
        eq(vWeth.balanceOf(address(executor)), 0, "vTokens left");
    }

    /// Time passes: a run counts the interest before it looks.
    function test_run_accrues_first() public {
        vm.warp(NOW + 30 days);
        wethFeed.set(3_000e8);
        usdcFeed.set(1e8);
        uint256 stale = executor.healthFactorOf(id);
        Policy memory policy = familyPolicy();
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
        bare.setPolicy(familyPolicy());
        Policy memory policy = familyPolicy();
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
        Policy memory policy = familyPolicy();
        policy.marketId = bytes32(uint256(1));
        invalid(policy, "marketId");
        policy = familyPolicy();
        policy.debtMarket = address(vWeth);
        invalid(policy, "debtMarket");
        policy = familyPolicy();
        policy.debtMarket = address(weth);
        invalid(policy, "debtMarket");
        policy = familyPolicy();
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

    function familyPolicy() internal view override returns (Policy memory policy) {
        policy = basePolicy(address(comptroller));
        (policy.collateralMarket, policy.debtMarket) = (address(vWeth), address(vUsdc));
    }
}
