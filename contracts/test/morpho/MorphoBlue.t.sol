// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IExecutor, Policy, Strategy} from "../../src/IExecutor.sol";
import {MorphoMarketParams} from "../../src/morpho/IMorphoBlue.sol";
import {MorphoFlashLoan} from "../../src/morpho/MorphoFlashLoan.sol";
import {MorphoBlueExecutor} from "../../src/morpho/MorphoBlueExecutor.sol";
import {FamilyRuns, Figures} from "../support/FamilyRuns.sol";
import {Feed} from "../support/Feed.sol";
import {HostilePort} from "../support/HostilePort.sol";

/// Runs on the genuine Morpho Blue: Alice owes 20,000 USDC on 10 WETH, a health factor of 1.29.
contract MorphoBlueTest is FamilyRuns {
    function setUp() public {
        setUpTokens();
        deployMorpho();
        borrowOn(params, alice, 20_000e6);
        address[] memory markets = new address[](1);
        markets[0] = address(morpho);
        setUpExecutor(new MorphoBlueExecutor(admin, markets, address(0)));
        id = setPolicy(alice, familyPolicy());
        vm.prank(alice);
        morpho.setAuthorization(address(executor), true);
        allowDebt(alice, 100_000e6);
    }

    function figures() internal view override returns (Figures memory) {
        return Figures({
            family: "Morpho Blue",
            spender: address(morpho),
            thresholdBps: 8_600,
            healthFactor: 1.29e18,
            repaid: 2_800e6,
            saleTarget: 1.35e18,
            soldWithin: 0,
            dust: 1,
            lowest: 1.31e18,
            highest: 1.7e18
        });
    }

    function test_repay_needs_no_authorization() public {
        vm.prank(alice);
        morpho.setAuthorization(address(executor), false);
        execute(runOf(id, Strategy.REPAY_DEBT, 2_800e6, 0));
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
        Policy memory policy = familyPolicy();
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
        Policy memory policy = familyPolicy();
        policy.marketId = otherId;
        bytes32 trap = setPolicy(alice, policy);
        // The attacker's oracle says that WETH has fallen: the policy's feeds know better.
        fake.set(2_500e8);
        refused(runOf(trap, Strategy.FLASH_LOAN_UNWIND, 4_900e6, 1.6e18), IExecutor.PricesDisagree.selector);
    }

    function test_what_is_not_the_markets_cannot_be_written() public {
        Policy memory policy = familyPolicy();
        policy.marketId = keccak256("none");
        invalid(policy, "marketId");
        policy = familyPolicy();
        policy.debt = address(new Feed(8, 1));
        invalid(policy, "debt");
        policy = familyPolicy();
        policy.collateral = address(port);
        invalid(policy, "collateral");
        policy = familyPolicy();
        policy.debtMarket = address(1);
        invalid(policy, "debtMarket");
        policy = familyPolicy();
        policy.collateralMarket = address(1);
        invalid(policy, "collateralMarket");
        policy = familyPolicy();
        policy.pinMarketRevision = true;
        invalid(policy, "pinMarketRevision");
    }

    function familyPolicy() internal view override returns (Policy memory policy) {
        policy = basePolicy(address(morpho));
        policy.marketId = marketId;
    }
}
