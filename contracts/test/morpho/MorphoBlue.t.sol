// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IExecutor, Outcome, Policy, Strategy} from "../../src/IExecutor.sol";
import {MorphoMarketParams} from "../../src/morpho/IMorphoBlue.sol";
import {MorphoFlashLoan} from "../../src/morpho/MorphoFlashLoan.sol";
import {MorphoBlueExecutor} from "../../src/morpho/MorphoBlueExecutor.sol";
import {MorphoSetup} from "../genuine/MorphoSetup.sol";
import {Feed} from "../support/Feed.sol";
import {HostilePort} from "../support/HostilePort.sol";

/// Runs on the genuine Morpho Blue: Alice owes 20,000 USDC on 10 WETH, a health factor of 1.29.
contract MorphoBlueTest is MorphoSetup {
    bytes32 internal id;

    function setUp() public {
        setUpTokens();
        deployMorpho();
        borrowOn(params, alice, 20_000e6);
        address[] memory markets = new address[](1);
        markets[0] = address(morpho);
        setUpExecutor(new MorphoBlueExecutor(admin, markets, address(0)));
        id = setPolicy(alice, _policy());
        vm.prank(alice);
        morpho.setAuthorization(address(executor), true);
        allowDebt(alice, 100_000e6);
    }

    function test_repay_debt() public {
        Outcome memory outcome = execute(runOf(id, Strategy.REPAY_DEBT, 2_800e6, 0));
        measure("Morpho Blue", "repay_debt");
        eq(outcome.repaid, 2_800e6, "repaid");
        near(outcome.healthFactorBefore, 1.29e18, 1e12, "before");
        near(outcome.healthFactorAfter, 1.5e18, 1e15, "after");
        leftNothing(address(morpho));
    }

    function test_repay_needs_no_authorization() public {
        vm.prank(alice);
        morpho.setAuthorization(address(executor), false);
        execute(runOf(id, Strategy.REPAY_DEBT, 2_800e6, 0));
    }

    function test_sell_collateral() public {
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_600, 1.35e18);
        Outcome memory outcome = execute(runOf(id, Strategy.SELL_COLLATERAL, repaid + 10e6, sold));
        measure("Morpho Blue", "sell_collateral");
        eq(outcome.sold, sold, "sold");
        near(outcome.healthFactorAfter, 1.35e18, 1e13, "after");
        leftNothing(address(morpho));
    }

    function test_flash_loan_unwind() public {
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_600, 1.5e18);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - 1, sold));
        measure("Morpho Blue", "flash_loan_unwind");
        eq(outcome.repaid, repaid - 1, "repaid");
        eq(outcome.flashFee, 0, "Morpho lends for nothing");
        near(outcome.healthFactorAfter, 1.5e18, 1e13, "after");
        leftNothing(address(morpho));
    }

    function testFuzz_flash_loan_unwind_reaches_any_target(uint256 seed) public {
        uint256 target = between(seed, 1.31e18, 1.7e18);
        Policy memory policy = _policy();
        (policy.targetHealthFactor, policy.triggerHealthFactor) = (uint96(target), 1.3e18);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (20_000e6, 20_000e6);
        setPolicy(alice, policy);
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, 8_600, target);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - 1, sold));
        near(outcome.healthFactorAfter, target, target / 1_000, "within 0.1 %");
    }

    function test_interest_since_the_last_touch_is_counted() public {
        vm.warp(NOW + 20 days);
        wethFeed.set(3_000e8);
        usdcFeed.set(1e8);
        uint256 seen = executor.debtOf(id);
        uint256 factor = executor.healthFactorOf(id);
        morpho.accrueInterest(params);
        eq(executor.debtOf(id), seen, "debt");
        eq(executor.healthFactorOf(id), factor, "factor");
        yes(seen > 20_000e6, "interest came up");
    }

    function test_callback_called_directly_is_refused() public {
        vm.prank(keeper);
        vm.expectRevert(IExecutor.UnexpectedCallback.selector);
        MorphoBlueExecutor(address(executor)).onMorphoFlashLoan(1, "");
        vm.prank(address(morpho));
        vm.expectRevert(IExecutor.UnexpectedCallback.selector);
        MorphoBlueExecutor(address(executor)).onMorphoFlashLoan(1, "");
    }

    /// Morpho calls back whoever asks it for a loan: that is never us outside a run.
    function test_flash_loan_of_another_does_not_reach_us() public {
        HostilePort hostile = new HostilePort();
        hostile.willCall(address(executor), abi.encodeCall(MorphoFlashLoan.onMorphoFlashLoan, (1e6, "")));
        hostile.swap(address(weth), address(usdc), 0, 0, 0, "");
        yes(!hostile.succeeded(0), "refused");
    }

    /// The authorisation covers all that Alice has on Morpho. A stolen key reaches none of it but through the policy.
    function test_authorization_is_bounded_by_the_code() public {
        MorphoMarketParams memory other = params;
        other.oracle = oracleOf(new Feed(8, 3_000e8));
        bytes32 otherId = openMarket(other);
        borrowOn(other, alice, 20_000e6);
        borrowOn(params, bob, 20_000e6);
        vm.prank(bob);
        morpho.setAuthorization(address(executor), true);
        HostilePort hostile = new HostilePort();
        usdc.mint(address(hostile), 1_000_000e6);
        Policy memory policy = _policy();
        policy.swapPort = address(hostile);
        setPolicy(alice, policy);
        hostile.payMinimum(0);
        execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 4_900e6, executor.maxSell(id, 4_900e6)));
        eq(morpho.position(otherId, alice).collateral, 10e18, "her other market");
        eq(morpho.position(marketId, bob).collateral, 10e18, "another's");
        eq(morpho.position(otherId, alice).borrowShares, morpho.position(marketId, bob).borrowShares, "debts");
        // A stranger with an authorisation and no policy has nothing to run.
        bytes32 ofBob = executor.policyId(bob, address(morpho), marketId, address(weth), address(usdc));
        refused(runOf(ofBob, Strategy.SELL_COLLATERAL, 1e6, 1e15), IExecutor.UnknownPolicy.selector);
    }

    /// A market with an attacker's oracle is another id: a policy cannot come to mean it.
    function test_market_with_an_attackers_oracle() public {
        Feed fake = new Feed(8, 1e8);
        MorphoMarketParams memory other = params;
        other.oracle = oracleOf(fake);
        bytes32 otherId = openMarket(other);
        yes(otherId != marketId, "another id");
        fake.set(3_000e8);
        borrowOn(other, alice, 20_000e6);
        Policy memory policy = _policy();
        policy.marketId = otherId;
        bytes32 trap = setPolicy(alice, policy);
        // The attacker's oracle says that WETH has fallen: the policy's feeds know better.
        fake.set(2_500e8);
        refused(runOf(trap, Strategy.FLASH_LOAN_UNWIND, 4_900e6, 1.6e18), IExecutor.PricesDisagree.selector);
    }

    function test_what_is_not_the_markets_cannot_be_written() public {
        Policy memory policy = _policy();
        policy.marketId = keccak256("none");
        invalid(policy, "marketId");
        policy = _policy();
        policy.debt = address(new Feed(8, 1));
        invalid(policy, "debt");
        policy = _policy();
        policy.collateral = address(port);
        invalid(policy, "collateral");
        policy = _policy();
        policy.debtMarket = address(1);
        invalid(policy, "debtMarket");
        policy = _policy();
        policy.collateralMarket = address(1);
        invalid(policy, "collateralMarket");
        policy = _policy();
        policy.pinMarketRevision = true;
        invalid(policy, "pinMarketRevision");
    }

    function _policy() private view returns (Policy memory policy) {
        policy = basePolicy(address(morpho));
        policy.marketId = marketId;
    }
}
