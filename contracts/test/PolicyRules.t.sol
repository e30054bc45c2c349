// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IExecutor, Policy} from "../src/IExecutor.sol";
import {AaveSetup} from "./aave/AaveSetup.sol";

/// What cannot be written as a policy.
contract PolicyRulesTest is AaveSetup {
    function test_strategies() public {
        Policy memory policy = defaultPolicy();
        policy.strategies = 0;
        _invalid(policy, "strategies");
        policy.strategies = 8;
        _invalid(policy, "strategies");
    }

    function test_expiry() public {
        Policy memory policy = defaultPolicy();
        policy.expiresAt = uint64(block.timestamp);
        _invalid(policy, "expiresAt");
        policy.expiresAt = uint64(block.timestamp + 1);
        setPolicy(alice, policy);
    }

    function test_target() public {
        Policy memory policy = defaultPolicy();
        (policy.targetHealthFactor, policy.triggerHealthFactor) = (1e18, 1e18);
        _invalid(policy, "targetHealthFactor");
    }

    function test_trigger() public {
        Policy memory policy = defaultPolicy();
        policy.triggerHealthFactor = 0;
        _invalid(policy, "triggerHealthFactor");
        policy.triggerHealthFactor = policy.targetHealthFactor + 1;
        _invalid(policy, "triggerHealthFactor");
        policy.triggerHealthFactor = policy.targetHealthFactor;
        setPolicy(alice, policy);
    }

    function test_minimum_after() public {
        Policy memory policy = defaultPolicy();
        policy.minHealthFactorAfter = 1e18;
        _invalid(policy, "minHealthFactorAfter");
        policy.minHealthFactorAfter = policy.targetHealthFactor + 1;
        _invalid(policy, "minHealthFactorAfter");
        policy.minHealthFactorAfter = policy.targetHealthFactor;
        setPolicy(alice, policy);
        (policy.oneShot, policy.minHealthFactorAfter) = (true, policy.triggerHealthFactor - 1);
        _invalid(policy, "minHealthFactorAfter");
        policy.minHealthFactorAfter = policy.triggerHealthFactor;
        setPolicy(alice, policy);
    }

    function test_amounts() public {
        Policy memory policy = defaultPolicy();
        policy.maxRepayPerRun = 0;
        _invalid(policy, "maxRepayPerRun");
        policy.maxRepayPerRun = policy.maxRepayPerDay + 1;
        _invalid(policy, "maxRepayPerRun");
    }

    function test_losses() public {
        Policy memory policy = defaultPolicy();
        policy.maxSlippageBps = 1_001;
        _invalid(policy, "maxSlippageBps");
        policy = defaultPolicy();
        policy.maxFeeBps = 1_001;
        _invalid(policy, "maxFeeBps");
        (policy.maxSlippageBps, policy.maxFeeBps) = (1_000, 1_000);
        setPolicy(alice, policy);
    }

    function test_debt() public {
        Policy memory policy = defaultPolicy();
        policy.debt = address(0);
        _invalid(policy, "debt");
        policy.debt = policy.collateral;
        _invalid(policy, "debt");
    }

    function test_swap_port() public {
        Policy memory policy = defaultPolicy();
        policy.swapPort = address(pool);
        _invalid(policy, "swapPort");
        policy.swapPort = address(executor);
        _invalid(policy, "swapPort");
        policy.swapPort = address(0);
        _invalid(policy, "swapPort");
    }

    function test_what_sells_names_all_of_the_sale() public {
        Policy memory policy = defaultPolicy();
        policy.collateral = address(0);
        _invalid(policy, "collateral");
        policy = defaultPolicy();
        policy.collateralFeed = address(0);
        _invalid(policy, "collateralFeed");
        policy = defaultPolicy();
        policy.debtFeed = address(0);
        _invalid(policy, "debtFeed");
        policy = defaultPolicy();
        policy.maxPriceAge = 0;
        _invalid(policy, "maxPriceAge");
    }

    function test_what_only_repays_names_nothing_of_a_sale() public {
        Policy memory policy = repayOnly(defaultPolicy());
        setPolicy(alice, policy);
        policy.collateral = address(weth);
        _invalid(policy, "collateral");
        policy = repayOnly(defaultPolicy());
        policy.swapPort = address(port);
        _invalid(policy, "swapPort");
    }

    function test_fields_of_other_families_are_empty() public {
        Policy memory policy = defaultPolicy();
        policy.marketId = bytes32(uint256(1));
        _invalid(policy, "marketId");
        policy = defaultPolicy();
        policy.collateralMarket = address(1);
        _invalid(policy, "collateralMarket");
        policy = defaultPolicy();
        policy.debtMarket = address(1);
        _invalid(policy, "debtMarket");
    }

    function test_what_is_written_can_be_read() public {
        Policy memory policy = defaultPolicy();
        (policy.oneShot, policy.pinMarketRevision) = (true, true);
        bytes32 id = setPolicy(alice, policy);
        eq(keccak256(abi.encode(executor.policyOf(id))), keccak256(abi.encode(policy)), "policy");
        bytes32 expected = keccak256(abi.encode(block.chainid, address(executor), id, uint64(1), policy));
        eq(executor.stateOf(id).policyHash, expected, "hash");
        eq(executor.stateOf(id).owner, alice, "owner");
        bytes32 ofAlice = executor.policyId(alice, address(pool), 0, address(weth), address(usdc));
        eq(id, ofAlice, "id");
    }

    function _invalid(Policy memory policy, bytes32 field) private {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.InvalidPolicy.selector, field));
        executor.setPolicy(policy);
    }
}
