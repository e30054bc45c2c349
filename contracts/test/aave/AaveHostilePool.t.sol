// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {AaveV3Executor} from "../../src/aave/AaveV3Executor.sol";
import {IExecutor, Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {HostilePool} from "../support/HostilePool.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// A pool that lies in its callback.
contract AaveHostilePoolTest is AaveSetup {
    HostilePool internal hostile;
    bytes32 internal id;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePool(weth, usdc, alice);
        address[] memory markets = new address[](1);
        markets[0] = address(hostile);
        executor = new AaveV3Executor(admin, markets, address(0));
        vm.startPrank(admin);
        executor.setKeeper(keeper, true);
        executor.setKeeper(address(hostile), true);
        vm.stopPrank();
        vm.startPrank(alice);
        hostile.A_TOKEN().approve(address(executor), 10e18);
        usdc.approve(address(executor), 20_000e6);
        vm.stopPrank();
        Policy memory policy = defaultPolicy();
        policy.market = address(hostile);
        id = setPolicy(alice, policy);
    }

    function test_pool_that_keeps_to_the_rules() public {
        eq(execute(_unwind()).repaid, 5_000e6, "repaid");
    }

    function test_pool_that_never_calls_back_is_refused() public {
        hostile.tell(HostilePool.Lie.NEVER_CALLS_BACK);
        refused(_unwind(), IExecutor.UnexpectedCallback.selector);
    }

    function test_pool_that_calls_back_twice_is_refused() public {
        hostile.tell(HostilePool.Lie.CALLS_BACK_TWICE);
        refused(_unwind(), IExecutor.UnexpectedCallback.selector);
    }

    function test_pool_that_changes_the_data_is_refused() public {
        hostile.tell(HostilePool.Lie.OTHER_DATA);
        refused(_unwind(), IExecutor.UnexpectedCallback.selector);
    }

    function test_pool_that_names_another_amount_is_refused() public {
        hostile.tell(HostilePool.Lie.OTHER_AMOUNT);
        refused(_unwind(), IExecutor.UnexpectedCallback.selector);
    }

    function test_callback_by_the_right_pool_for_a_foreign_initiator_is_refused() public {
        hostile.tell(HostilePool.Lie.OTHER_INITIATOR);
        refused(_unwind(), IExecutor.UnexpectedCallback.selector);
    }

    function test_pool_that_asks_for_more_than_it_said_is_refused() public {
        hostile.tell(HostilePool.Lie.HIGHER_FEE);
        refused(_unwind(), IExecutor.FlashFeeAboveLimit.selector);
    }

    function test_pool_that_takes_less_than_it_says_is_refused() public {
        hostile.tell(HostilePool.Lie.REPAYS_LESS);
        refused(_unwind(), IExecutor.UnexpectedBalance.selector);
    }

    function test_callback_of_another_than_the_lender_is_refused() public {
        hostile.tell(HostilePool.Lie.OTHER_CALLER);
        refused(_unwind(), IExecutor.UnexpectedCallback.selector);
    }

    function test_allowance_that_was_not_used_is_taken_back() public {
        hostile.tell(HostilePool.Lie.TAKES_LESS);
        execute(_unwind());
        eq(usdc.allowance(address(executor), address(hostile)), 0, "allowance");
        eq(usdc.balanceOf(address(executor)), 0, "left");
    }

    function test_reentrancy_from_the_pool() public {
        Run memory second = repayRun(id, 1_000e6);
        second.nonce = 1;
        hostile.reenterWith(abi.encodeCall(executor.execute, (second)));
        execute(_unwind());
        yes(!hostile.reentered(), "it went in");
        eq(
            bytes32(bytes4(hostile.refusal())),
            bytes32(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector),
            "by the guard"
        );
    }

    function _unwind() private view returns (Run memory) {
        return runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18);
    }
}
