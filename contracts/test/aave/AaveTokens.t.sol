// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IExecutor, Outcome, Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {IPriceFeed} from "../../src/Prices.sol";
import {BlacklistToken, FalseToken, FeeToken, HookToken, RebasingToken, SilentToken} from "../support/OddTokens.sol";
import {TestToken} from "../support/TestToken.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// Tokens that do not do what a token does, each as the debt of Carol, who has 10 WETH and owes 20,000.
contract AaveTokensTest is AaveSetup {
    address internal carol = address(0xca201);
    bytes32 internal id;

    function test_fee_on_transfer_is_refused() public {
        FeeToken token = new FeeToken();
        _owe(TestToken(address(token)), 6);
        token.tax();
        refused(repayRun(id, 3_000e6), IExecutor.UnexpectedBalance.selector);
        refused(runOf(id, Strategy.SELL_COLLATERAL, 1_495e6, 0.5e18), IExecutor.SwapBelowMinimum.selector);
    }

    function test_rebasing_within_a_run_is_refused_or_returned() public {
        RebasingToken token = new RebasingToken();
        _owe(TestToken(address(token)), 6);
        token.rebase(address(executor), -1);
        refused(repayRun(id, 3_000e6), IExecutor.UnexpectedBalance.selector);
        token.rebase(address(executor), 1);
        refused(repayRun(id, 3_000e6), IExecutor.UnexpectedBalance.selector);
        token.rebase(address(0), 0);
        execute(repayRun(id, 3_000e6));
    }

    function test_no_return_value_is_taken_as_it_is() public {
        SilentToken token = new SilentToken();
        _owe(TestToken(address(token)), 6);
        uint256 wallet = token.balanceOf(carol);
        uint256 saved = vm.snapshotState();
        eq(execute(repayRun(id, 3_000e6)).repaid, 3_000e6, "repaid");
        eq(token.balanceOf(carol), wallet - 3_000e6, "wallet");
        vm.revertToState(saved);
        eq(execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 3_900e6, 1.306e18)).repaid, 3_900e6, "unwound");
        eq(token.allowance(address(executor), address(pool)), 0, "allowance");
        eq(token.balanceOf(address(executor)), 0, "left");
    }

    function test_false_returning_is_refused() public {
        FalseToken token = new FalseToken();
        _owe(TestToken(address(token)), 6);
        token.breakIt();
        refused(repayRun(id, 3_000e6), SafeERC20.SafeERC20FailedOperation.selector);
    }

    function test_blacklisted_owner_loses_nothing() public {
        BlacklistToken token = new BlacklistToken();
        _owe(TestToken(address(token)), 6);
        token.blacklist(carol);
        uint256 collateral = aTokenOf(address(weth)).balanceOf(carol);
        // What is left over cannot go to its owner: then all stays as it was.
        refused(runOf(id, Strategy.FLASH_LOAN_UNWIND, 3_900e6, 1.306e18), BlacklistToken.Blacklisted.selector);
        eq(aTokenOf(address(weth)).balanceOf(carol), collateral, "collateral");
        // Repaying from the wallet leaves nothing over.
        execute(repayRun(id, 3_000e6));
    }

    function test_blacklisted_executor_takes_nothing() public {
        BlacklistToken token = new BlacklistToken();
        _owe(TestToken(address(token)), 6);
        token.blacklist(address(executor));
        refused(repayRun(id, 3_000e6), BlacklistToken.Blacklisted.selector);
    }

    function test_reentrancy_from_the_token() public {
        HookToken token = new HookToken();
        _owe(TestToken(address(token)), 6);
        vm.prank(admin);
        executor.setKeeper(address(token), true);
        Run memory second = repayRun(id, 1_000e6);
        second.nonce = 1;
        token.hook(address(executor), abi.encodeCall(executor.execute, (second)));
        execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 3_900e6, 1.306e18));
        eq(token.entered(), 0, "it went in");
        yes(token.refusals() > 0, "it tried");
        eq(
            bytes32(bytes4(token.lastRefusal())),
            bytes32(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector),
            "by the guard"
        );
    }

    /// The token calls the flash callback itself, before the pool does, with the very data that is expected.
    function test_callback_from_the_token_is_refused() public {
        HookToken token = new HookToken();
        _owe(TestToken(address(token)), 6);
        bytes memory data = abi.encodeCall(
            executor.executeOperation, (address(token), 3_900e6, 0, address(executor), abi.encode("anything"))
        );
        token.hook(address(executor), data);
        execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 3_900e6, 1.306e18));
        eq(token.entered(), 0, "it went in");
        eq(bytes32(bytes4(token.lastRefusal())), bytes32(IExecutor.UnexpectedCallback.selector), "unexpected");
    }

    function test_token_of_0_decimals() public {
        _owe(new TestToken("WHOLE", 0), 0);
        eq(execute(repayRun(id, 3_000)).repaid, 3_000, "repaid");
        eq(execute(runOf(id, Strategy.SELL_COLLATERAL, 598, 0.2e18)).repaid, 598, "sold");
    }

    function test_token_of_30_decimals() public {
        _owe(new TestToken("FINE", 30), 30);
        uint256 saved = vm.snapshotState();
        eq(execute(repayRun(id, 3_000e30)).repaid, 3_000e30, "repaid");
        vm.revertToState(saved);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 3_900e30, 1.306e18));
        eq(outcome.repaid, 3_900e30, "unwound");
        eq(outcome.returnedDebt, 3_918e30 - 11.754e30 - outcome.flashFee - 3_900e30, "returned");
    }

    function _owe(TestToken token, uint8 decimals) private {
        uint256 unit = 10 ** decimals;
        list(address(token), decimals, 7_500, 7_800, usdcFeed);
        supplyFor(token, 1_000_000 * unit, bob);
        supplyFor(weth, 10e18, carol);
        vm.prank(carol);
        pool.borrow(address(token), 20_000 * unit, VARIABLE, 0, carol);
        port.setFeed(address(token), IPriceFeed(address(usdcFeed)));
        token.mint(address(port), 1_000_000 * unit);
        token.mint(carol, 10_000 * unit);
        allowCollateral(carol, type(uint256).max);
        vm.prank(carol);
        (bool done,) = address(token).call(abi.encodeCall(token.approve, (address(executor), 10_000 * unit)));
        yes(done, "approved");
        Policy memory policy = defaultPolicy();
        policy.debt = address(token);
        policy.minHealthFactorAfter = 1.2e18;
        (policy.triggerHealthFactor, policy.targetHealthFactor) = (1.5e18, 1.6e18);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (uint128(15_000 * unit), uint128(20_000 * unit));
        id = setPolicy(carol, policy);
    }
}
