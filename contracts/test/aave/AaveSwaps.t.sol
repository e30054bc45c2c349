// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IExecutor, Outcome, Policy, PolicyState, Run, Strategy} from "../../src/IExecutor.sol";
import {HostilePort} from "../support/HostilePort.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// What a swap may do: the policy's port, bad or under attack.
contract AaveSwapsTest is AaveSetup {
    uint256 private constant SOLD = 1e18;
    uint256 private constant UNWOUND = 0.97e18;
    HostilePort internal hostile;
    bytes32 internal id;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePort();
        usdc.mint(address(hostile), 1_000_000e6);
        allowCollateral(alice, type(uint256).max);
        allowDebt(alice, 1_000_000e6);
        Policy memory policy = defaultPolicy();
        policy.swapPort = address(hostile);
        policy.minHealthFactorAfter = 1.2e18;
        id = setPolicy(alice, policy);
    }

    function test_sandwich_at_the_limit() public {
        Policy memory policy = defaultPolicy();
        policy.minHealthFactorAfter = 1.2e18;
        setPolicy(alice, policy);
        port.setSpread(51);
        refused(_sale(), IExecutor.SwapFailed.selector);
        uint256 saved = vm.snapshotState();
        port.setSpread(50);
        execute(_sale());
        vm.revertToState(saved);
        port.setSpread(49);
        execute(_sale());
    }

    /// The port is not believed: what came is measured, to the unit.
    function test_port_that_pays_a_unit_less_is_refused() public {
        hostile.payMinimum(-1);
        refused(_sale(), IExecutor.SwapBelowMinimum.selector);
        hostile.payMinimum(0);
        eq(execute(_sale()).repaid, 2_985e6, "3,000 less 50 bps");
    }

    function test_port_that_keeps_all_is_refused() public {
        refused(_sale(), IExecutor.SwapBelowMinimum.selector);
        hostile.payMinimum(-1);
        refused(_unwind(), IExecutor.SwapBelowMinimum.selector);
    }

    function test_flash_loan_must_be_covered_by_the_sale() public {
        // At 49 bps less than the oracle the sale is within the slippage, yet below what the loan needs.
        hostile.pay(2_999e6);
        Run memory run = runOf(id, Strategy.FLASH_LOAN_UNWIND, 2_998e6, SOLD);
        refused(run, IExecutor.SwapBelowMinimum.selector);
        usdc.mint(address(executor), 100e6);
        // Not even with somebody's donation.
        refused(run, IExecutor.SwapBelowMinimum.selector);
    }

    function test_left_over_collateral_and_debt_go_to_the_owner() public {
        hostile.pay(3_100e6);
        hostile.giveBackHalf();
        uint256 wallet = usdc.balanceOf(alice);
        Outcome memory outcome = execute(_unwind());
        eq(outcome.returnedCollateral, UNWOUND / 2, "collateral");
        eq(weth.balanceOf(alice), UNWOUND / 2, "collateral in the wallet");
        eq(outcome.returnedDebt, 3_100e6 - 2_900e6 - outcome.flashFee, "debt");
        eq(usdc.balanceOf(alice), wallet + outcome.returnedDebt, "debt in the wallet");
        leftNothing();
    }

    function test_donations_change_nothing_and_stay() public {
        usdc.mint(address(executor), 5_000e6);
        weth.mint(address(executor), 2e18);
        hostile.payMinimum(-1);
        refused(_sale(), IExecutor.SwapBelowMinimum.selector);
        hostile.payMinimum(0);
        Outcome memory outcome = execute(_sale());
        eq(outcome.repaid, 2_985e6, "repaid");
        eq(outcome.returnedDebt + outcome.returnedCollateral, 0, "returned");
        eq(usdc.balanceOf(address(executor)), 5_000e6, "the donation of debt");
        eq(weth.balanceOf(address(executor)), 2e18, "the donation of collateral");
    }

    function test_reentrancy_from_the_port() public {
        // The port is a keeper as well: only the guard is between it and a second run.
        vm.prank(admin);
        executor.setKeeper(address(hostile), true);
        Run memory second = repayRun(id, 1_000e6);
        second.nonce = 1;
        hostile.willCall(address(executor), abi.encodeCall(executor.execute, (second)));
        hostile.willCall(address(executor), abi.encodeCall(executor.setPolicy, (defaultPolicy())));
        hostile.payMinimum(0);
        execute(_sale());
        for (uint256 i = 0; i < 2; ++i) {
            yes(!hostile.succeeded(i), "it went in");
            eq(
                bytes32(bytes4(hostile.answer(i))),
                bytes32(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector),
                "by the guard"
            );
        }
    }

    function test_callback_from_the_port_is_refused() public {
        hostile.willCall(
            address(executor),
            abi.encodeCall(executor.executeOperation, (address(usdc), 2_900e6, 3e6, address(executor), ""))
        );
        hostile.willCall(
            address(pool),
            abi.encodeWithSelector(pool.flashLoanSimple.selector, address(executor), address(usdc), 1e6, "", 0)
        );
        hostile.payMinimum(0);
        execute(_unwind());
        yes(!hostile.succeeded(0) && !hostile.succeeded(1), "a callback within the callback");
    }

    /// Somebody who reads us in the middle of a run sees it as counted already, never as still to come.
    function test_read_only_reentrancy() public {
        hostile.willCall(address(executor), abi.encodeCall(executor.stateOf, (id)));
        hostile.willCall(address(executor), abi.encodeCall(executor.remainingToday, (id)));
        hostile.payMinimum(0);
        execute(_sale());
        eq(abi.decode(hostile.answer(0), (PolicyState)).runs, 1, "the run is counted");
        eq(abi.decode(hostile.answer(1), (uint256)), 20_000e6 - 2_990e6, "so is its amount");
    }

    function test_revocation_within_a_run_stays() public {
        // Alice's wallet is a contract that the port can make revoke: here the port is that wallet.
        supplyFor(weth, 10e18, address(hostile));
        vm.startPrank(address(hostile));
        pool.borrow(address(usdc), 20_000e6, VARIABLE, 0, address(hostile));
        aTokenOf(address(weth)).approve(address(executor), type(uint256).max);
        vm.stopPrank();
        Policy memory policy = defaultPolicy();
        (policy.swapPort, policy.minHealthFactorAfter) = (address(hostile), 1.2e18);
        bytes32 own = setPolicy(address(hostile), policy);
        hostile.willCall(address(executor), abi.encodeCall(executor.revokePolicy, (own)));
        hostile.payMinimum(0);
        execute(runOf(own, Strategy.SELL_COLLATERAL, 2_990e6, SOLD));
        yes(hostile.succeeded(0), "revoked");
        yes(!executor.stateOf(own).active, "and stays so");
    }

    function test_port_gets_the_real_deadline() public {
        hostile.payMinimum(0);
        Run memory run = _sale();
        run.deadline = uint64(block.timestamp + 77);
        execute(run);
        eq(hostile.deadlineGiven(), block.timestamp + 77, "deadline");
    }

    function test_gas_grief_by_the_port_leaves_all_as_it_was() public {
        hostile.burnGas();
        Run memory run = _sale();
        uint256 collateral = aTokenOf(address(weth)).balanceOf(alice);
        vm.prank(keeper);
        (bool done,) = address(executor).call{gas: 3_000_000}(abi.encodeCall(executor.execute, (run)));
        yes(!done, "refused");
        eq(aTokenOf(address(weth)).balanceOf(alice), collateral, "collateral");
        eq(executor.stateOf(id).runs, 0, "runs");
        eq(executor.remainingToday(id), 20_000e6, "the day");
    }

    function test_return_bomb_costs_nothing_here() public {
        hostile.payMinimum(0);
        Run memory run = _sale();
        uint256 saved = vm.snapshotState();
        execute(run);
        vm.revertToState(saved);
        // The port pays 1.5 million of gas for its own answer; copying it here would cost as much again.
        hostile.bomb(800_000);
        vm.prank(keeper);
        (bool done,) = address(executor).call{gas: 3_000_000}(abi.encodeCall(executor.execute, (run)));
        yes(done, "the answer is not copied");
    }

    function test_address_without_code_as_port_swaps_nothing() public {
        Policy memory policy = defaultPolicy();
        policy.swapPort = address(0xdead);
        setPolicy(alice, policy);
        refused(_sale(), IExecutor.SwapBelowMinimum.selector);
    }

    /// Tokens of others that the port could reach through us: there are none, and no allowance of ours to use.
    function test_stolen_key_with_unlimited_allowances() public {
        // Bob trusts the executor without a limit, and has written no policy.
        allowCollateral(bob, type(uint256).max);
        vm.prank(bob);
        usdc.approve(address(executor), type(uint256).max);
        usdc.mint(bob, 1_000e6);
        uint256 wallet = usdc.balanceOf(bob);
        uint256 collateral = aTokenOf(address(weth)).balanceOf(bob);
        hostile.willCall(address(usdc), abi.encodeCall(usdc.transferFrom, (address(executor), address(hostile), 1)));
        hostile.willCall(address(usdc), abi.encodeCall(usdc.transferFrom, (bob, address(hostile), 1)));
        hostile.willCall(address(usdc), abi.encodeCall(usdc.transferFrom, (alice, address(hostile), 1)));
        hostile.payMinimum(0);
        execute(_unwind());
        for (uint256 i = 0; i < 3; ++i) {
            yes(!hostile.succeeded(i), "taken");
        }
        eq(usdc.balanceOf(bob), wallet, "bob's wallet");
        near(aTokenOf(address(weth)).balanceOf(bob), collateral, 1, "bob's collateral");
    }

    /// The worst that a stolen key can do to a user: a day's limit, at the slippage that the policy allows, and only
    /// while the position is below its trigger.
    function test_stolen_key_loses_at_most_the_slippage_of_a_day() public {
        Policy memory policy = defaultPolicy();
        (policy.swapPort, policy.minHealthFactorAfter) = (address(hostile), 1.01e18);
        (policy.triggerHealthFactor, policy.targetHealthFactor) = (2e18, 2e18);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (1_000e6, 5_000e6);
        setPolicy(alice, policy);
        uint256 before = _equity();
        hostile.payMinimum(0);
        for (uint256 i = 0; i < 5; ++i) {
            execute(runOf(id, Strategy.SELL_COLLATERAL, 1_000e6, executor.maxSell(id, 1_000e6)));
        }
        refused(runOf(id, Strategy.SELL_COLLATERAL, 1_000e6, 1e15), IExecutor.RepayAboveDayLimit.selector);
        // In the base currency, of 8 decimals: 50 bps of 5,000 dollars, and what rounding takes.
        uint256 sold = uint256(5_000e8 * 10_000) / 9_950;
        yes(before - _equity() <= sold - 5_000e8 + 1e4, "loss");
    }

    function _equity() private view returns (uint256) {
        (uint256 collateral, uint256 debt,,,,) = pool.getUserAccountData(alice);
        return collateral - debt + usdc.balanceOf(alice) * 100;
    }

    function _sale() private view returns (Run memory) {
        return runOf(id, Strategy.SELL_COLLATERAL, 2_990e6, SOLD);
    }

    function _unwind() private view returns (Run memory) {
        return runOf(id, Strategy.FLASH_LOAN_UNWIND, 2_900e6, UNWOUND);
    }
}
