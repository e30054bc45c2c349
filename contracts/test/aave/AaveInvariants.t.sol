// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Policy} from "../../src/IExecutor.sol";
import {HostilePort} from "../support/HostilePort.sol";
import {AaveSetup} from "./AaveSetup.sol";
import {StolenKey} from "./StolenKey.sol";

/// What a stolen key never achieves, whatever it calls and in whatever order.
contract AaveInvariantsTest is AaveSetup {
    StolenKey internal thief;
    HostilePort internal hostile;
    bytes32 internal id;
    uint256 private bobsWallet;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePort();
        usdc.mint(address(hostile), 1_000_000_000e6);
        Policy memory policy = defaultPolicy();
        policy.swapPort = address(hostile);
        policy.expiresAt = uint64(block.timestamp + 3_650 days);
        policy.minHealthFactorAfter = 1.01e18;
        (policy.triggerHealthFactor, policy.targetHealthFactor) = (1.6e18, 2e18);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (2_000e6, 3_000e6);
        id = setPolicy(alice, policy);
        allowCollateral(alice, type(uint256).max);
        usdc.mint(alice, 1_000_000e6);
        vm.prank(alice);
        usdc.approve(address(executor), type(uint256).max);
        // Bob trusts the executor without a limit, and has no policy.
        allowCollateral(bob, type(uint256).max);
        usdc.mint(bob, 1_000_000e6);
        vm.prank(bob);
        usdc.approve(address(executor), type(uint256).max);
        bobsWallet = usdc.balanceOf(bob);
        thief =
            new StolenKey(StolenKey.World(executor, pool, weth, usdc, wethFeed, usdcFeed, hostile, keeper, alice, id));
    }

    /// Forge asks for it: what may be called.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(thief);
    }

    function invariant_no_limit_is_exceeded() public view {
        eq(keccak256(bytes(thief.wrong())), keccak256(""), thief.wrong());
    }

    function invariant_nothing_stays_in_the_executor() public view {
        leftNothing();
        eq(usdc.allowance(address(executor), address(hostile)), 0, "allowance of the hostile port");
    }

    function invariant_nobody_else_gains_or_loses() public view {
        eq(usdc.balanceOf(keeper) + weth.balanceOf(keeper), 0, "the keeper's wallet");
        eq(aTokenOf(address(weth)).balanceOf(keeper), 0, "the keeper's collateral");
        eq(usdc.balanceOf(bob), bobsWallet, "another user's wallet");
        yes(aTokenOf(address(weth)).balanceOf(bob) >= 10_000e18, "another user's collateral");
        eq(usdc.balanceOf(admin) + weth.balanceOf(admin), 0, "the owner's wallet");
    }

    function invariant_nobody_gets_a_right() public view {
        eq(executor.owner(), admin, "owner");
        yes(!executor.isKeeper(address(thief)) && !executor.paused(), "keepers and pause");
        yes(executor.stateOf(id).active, "the policy");
        eq(weth.allowance(alice, address(executor)), 0, "an allowance that the user never gave");
    }

    /// The counters: runs happened, and others were refused, in every sequence.
    function afterInvariant() public view {
        yes(thief.runs() > 0, "no run happened: the invariants have seen nothing");
        yes(thief.refusals() > 0, "no run was refused");
    }
}
