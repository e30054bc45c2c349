// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {DevnetSwapPool} from "../../devnet/DevnetSwapPool.sol";
import {ExecutorBase} from "../../src/ExecutorBase.sol";
import {Outcome, Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {IPriceFeed} from "../../src/Prices.sol";
import {Genuine} from "../genuine/Genuine.sol";
import {Feed} from "./Feed.sol";
import {TestToken} from "./TestToken.sol";

/// What the tests of all executors have in common: WETH of 3,000 dollars against USDC, a swap pool, users, and a keeper.
abstract contract ExecutorSetup is Genuine {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant WAD = 1e18;
    /// Of what a swap is worth, the swap pool keeps this.
    uint256 internal constant SPREAD_BPS = 30;
    uint256 internal constant ALICE_KEY = 0xa11ce;

    address internal admin = address(0xad);
    address internal keeper = address(0xbee);
    address internal alice = vm.addr(ALICE_KEY);
    address internal bob = address(0xb0b);

    TestToken internal weth;
    TestToken internal usdc;
    Feed internal wethFeed;
    Feed internal usdcFeed;
    DevnetSwapPool internal port;

    /// The executor that a test is about.
    function tested() internal view virtual returns (ExecutorBase);

    function setUpTokens() internal {
        vm.warp(NOW);
        weth = new TestToken("WETH", 18);
        usdc = new TestToken("USDC", 6);
        wethFeed = new Feed(8, 3_000e8);
        usdcFeed = new Feed(8, 1e8);
        port = new DevnetSwapPool(SPREAD_BPS);
        port.setFeed(address(weth), IPriceFeed(address(wethFeed)));
        port.setFeed(address(usdc), IPriceFeed(address(usdcFeed)));
        usdc.mint(address(port), 100_000_000e6);
    }

    function setUpKeeper() internal {
        vm.label(address(tested()), "executor");
        vm.prank(admin);
        tested().setKeeper(keeper, true);
    }

    function setPolicy(address account, Policy memory policy) internal returns (bytes32 id) {
        vm.prank(account);
        (id,) = tested().setPolicy(policy);
    }

    function allowDebt(address account, uint256 amount) internal {
        usdc.mint(account, amount);
        vm.prank(account);
        usdc.approve(address(tested()), amount);
    }

    function runOf(bytes32 id, Strategy strategy, uint256 repayAmount, uint256 sellAmount)
        internal
        view
        returns (Run memory)
    {
        return Run({
            policyId: id,
            policyHash: tested().stateOf(id).policyHash,
            nonce: tested().stateOf(id).runs,
            strategy: strategy,
            repayAmount: repayAmount,
            sellAmount: sellAmount,
            deadline: uint64(block.timestamp + 5 minutes),
            route: ""
        });
    }

    function execute(Run memory run) internal returns (Outcome memory) {
        vm.prank(keeper);
        return tested().execute(run);
    }

    /// Expects that a keeper's run is refused with this error.
    function refused(Run memory run, bytes4 selector) internal {
        vm.prank(keeper);
        vm.expectPartialRevert(selector);
        tested().execute(run);
    }
}
