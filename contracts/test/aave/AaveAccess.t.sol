// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {AaveV3Executor} from "../../src/aave/AaveV3Executor.sol";
import {IExecutor, Policy, PolicyState, Run, Strategy} from "../../src/IExecutor.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// Who may call what, and when.
contract AaveAccessTest is AaveSetup {
    bytes32 internal id;

    function setUp() public override {
        super.setUp();
        id = setPolicy();
        allowDebt(alice, 1_000_000e6);
        allowCollateral(alice, type(uint256).max);
    }

    function test_foreign_keeper_is_refused() public {
        Run memory run = repayRun(id, 3_000e6);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NotKeeper.selector, bob));
        executor.execute(run);
        // The contract's owner, and the policy's, are no keepers either.
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NotKeeper.selector, admin));
        executor.execute(run);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NotKeeper.selector, alice));
        executor.execute(run);
    }

    function test_revoked_keeper_is_refused() public {
        vm.prank(admin);
        executor.setKeeper(keeper, false);
        refused(repayRun(id, 3_000e6), IExecutor.NotKeeper.selector);
    }

    function test_only_the_owner_names_keepers_and_pauses() public {
        address[3] memory others = [keeper, alice, bob];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.startPrank(others[i]);
            vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
            executor.setKeeper(others[i], true);
            vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
            executor.pause();
            vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
            executor.unpause();
            vm.stopPrank();
        }
    }

    function test_pause_stops_runs_and_nothing_of_the_users() public {
        vm.prank(admin);
        executor.pause();
        refused(repayRun(id, 3_000e6), Pausable.EnforcedPause.selector);
        vm.startPrank(alice);
        executor.revokePolicy(id);
        executor.setPolicy(defaultPolicy());
        vm.stopPrank();
        vm.prank(admin);
        executor.unpause();
        execute(repayRun(id, 3_000e6));
    }

    function test_callback_called_directly_is_refused() public {
        vm.prank(keeper);
        vm.expectRevert(IExecutor.UnexpectedCallback.selector);
        executor.executeOperation(address(usdc), 0, 0, address(executor), "");
        vm.prank(address(pool));
        vm.expectRevert(IExecutor.UnexpectedCallback.selector);
        executor.executeOperation(address(usdc), 0, 0, address(executor), "");
    }

    function test_flash_receiver_started_by_anybody_is_refused() public {
        vm.prank(bob);
        vm.expectRevert(IExecutor.UnexpectedCallback.selector);
        pool.flashLoanSimple(address(executor), address(usdc), 1_000e6, "", 0);
    }

    function test_callback_for_a_foreign_initiator_is_refused() public {
        vm.prank(address(pool));
        vm.expectRevert(IExecutor.UnexpectedCallback.selector);
        executor.executeOperation(address(usdc), 1_000e6, 1e6, bob, "");
    }

    function test_revoke_in_front_of_the_run() public {
        Run memory run = repayRun(id, 3_000e6);
        vm.prank(alice);
        executor.revokePolicy(id);
        refused(run, IExecutor.PolicyInactive.selector);
        // Written again it is another version: the run that is on its way is not for it.
        setPolicy();
        refused(run, IExecutor.PolicyChanged.selector);
        yes(executor.stateOf(id).version == 3, "version");
    }

    function test_only_the_writer_revokes() public {
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.UnknownPolicy.selector, id));
        executor.revokePolicy(id);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.UnknownPolicy.selector, id));
        executor.revokePolicy(id);
        vm.startPrank(alice);
        executor.revokePolicy(id);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.PolicyInactive.selector, id));
        executor.revokePolicy(id);
        vm.stopPrank();
    }

    function test_changed_policy_takes_no_run_made_for_the_one_before() public {
        Run memory run = repayRun(id, 3_000e6);
        Policy memory policy = defaultPolicy();
        policy.maxSlippageBps = 51;
        setPolicy(alice, policy);
        refused(run, IExecutor.PolicyChanged.selector);
    }

    function test_expiry_at_the_second() public {
        uint256 expiresAt = executor.policyOf(id).expiresAt;
        uint256 saved = vm.snapshotState();
        vm.warp(expiresAt - 1);
        wethFeed.set(3_000e8);
        execute(repayRun(id, 3_000e6));
        vm.revertToState(saved);
        vm.warp(expiresAt);
        refused(repayRun(id, 3_000e6), IExecutor.PolicyExpired.selector);
    }

    function test_deadline_is_real() public {
        Run memory run = repayRun(id, 3_000e6);
        uint256 saved = vm.snapshotState();
        vm.warp(run.deadline);
        execute(run);
        vm.revertToState(saved);
        vm.warp(run.deadline + 1);
        refused(run, IExecutor.DeadlinePassed.selector);
    }

    function test_deadline_is_near() public {
        Run memory run = repayRun(id, 3_000e6);
        run.deadline = uint64(block.timestamp + 1 hours + 1);
        refused(run, IExecutor.DeadlineTooFar.selector);
        run.deadline = type(uint64).max;
        refused(run, IExecutor.DeadlineTooFar.selector);
        run.deadline = uint64(block.timestamp + 1 hours);
        execute(run);
    }

    function test_a_run_happens_once() public {
        Run memory run = repayRun(id, 500e6);
        Policy memory policy = defaultPolicy();
        policy.minHealthFactorAfter = 1.01e18;
        setPolicy(alice, policy);
        run.policyHash = executor.stateOf(id).policyHash;
        execute(run);
        yes(healthFactor(alice) < policy.triggerHealthFactor + 0.02e18, "a second would still be due");
        refused(run, IExecutor.WrongNonce.selector);
        run.nonce = 2;
        refused(run, IExecutor.WrongNonce.selector);
    }

    /// The block of the run is thrown away: it happens in another one, and there once as well.
    function test_replay_after_a_reorg() public {
        Run memory run = repayRun(id, 3_000e6);
        uint256 before = vm.snapshotState();
        execute(run);
        vm.revertToState(before);
        vm.warp(block.timestamp + 12);
        execute(run);
        refused(run, IExecutor.WrongNonce.selector);
    }

    /// In the new chain the user's policy is another one of the same version: the run was not made for it.
    function test_replay_after_a_reorg_onto_another_policy() public {
        bytes32 fresh = executor.policyId(bob, address(pool), 0, address(weth), address(usdc));
        uint256 before = vm.snapshotState();
        setPolicy(bob, defaultPolicy());
        Run memory run = repayRun(fresh, 1);
        vm.revertToState(before);
        Policy memory other = defaultPolicy();
        other.maxRepayPerRun = 1e6;
        setPolicy(bob, other);
        yes(executor.stateOf(fresh).version == 1, "the same version");
        refused(run, IExecutor.PolicyChanged.selector);
    }

    function test_hash_of_a_policy_is_of_this_chain_and_executor() public {
        address[] memory markets = new address[](1);
        markets[0] = address(pool);
        AaveV3Executor other = new AaveV3Executor(admin, markets, address(0));
        vm.prank(alice);
        (bytes32 sameId, bytes32 elsewhere) = other.setPolicy(defaultPolicy());
        eq(sameId, id, "id");
        yes(elsewhere != executor.stateOf(id).policyHash, "another executor, another hash");
        // The same writing on another chain.
        uint256 saved = vm.snapshotState();
        bytes32 here = executor.stateOf(setPolicy(bob, defaultPolicy())).policyHash;
        vm.revertToState(saved);
        vm.chainId(5);
        yes(executor.stateOf(setPolicy(bob, defaultPolicy())).policyHash != here, "another chain, another hash");
    }

    function test_one_shot_switches_off() public {
        Policy memory policy = defaultPolicy();
        policy.oneShot = true;
        setPolicy(alice, policy);
        execute(repayRun(id, 3_000e6));
        PolicyState memory state = executor.stateOf(id);
        yes(!state.active && state.policyHash == 0, "off");
        wethFeed.set(2_500e8);
        Run memory again = repayRun(id, 3_000e6);
        refused(again, IExecutor.PolicyInactive.selector);
    }

    function test_unknown_policy_is_refused() public {
        Run memory run = repayRun(id, 1);
        run.policyId = keccak256("none");
        run.policyHash = 0;
        refused(run, IExecutor.UnknownPolicy.selector);
    }

    function test_strategy_that_is_not_allowed_is_refused() public {
        Policy memory policy = defaultPolicy();
        policy.strategies = 4;
        setPolicy(alice, policy);
        refused(repayRun(id, 3_000e6), IExecutor.StrategyNotAllowed.selector);
        refused(runOf(id, Strategy.SELL_COLLATERAL, 3_000e6, 1e18), IExecutor.StrategyNotAllowed.selector);
    }

    /// Another user's position, or another token, has another id: there is no policy of it to run.
    function test_another_user_than_the_policys_cannot_be_named() public {
        supplyFor(weth, 10e18, address(0xca201));
        vm.prank(address(0xca201));
        pool.borrow(address(usdc), 20_000e6, VARIABLE, 0, address(0xca201));
        uint256 owed = debtTokenOf(address(usdc)).balanceOf(address(0xca201));
        allowDebt(address(0xca201), 5_000e6);
        execute(repayRun(id, 3_000e6));
        eq(debtTokenOf(address(usdc)).balanceOf(address(0xca201)), owed, "a stranger's debt");
        eq(usdc.balanceOf(address(0xca201)), 25_000e6, "a stranger's wallet");
    }
}
