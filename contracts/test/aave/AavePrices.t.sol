// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {AaveV3Executor} from "../../src/aave/AaveV3Executor.sol";
import {IExecutor, Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {Feed} from "../support/Feed.sol";
import {HostilePort} from "../support/HostilePort.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// Prices that are old, wrong, or moved while we look.
contract AavePricesTest is AaveSetup {
    bytes32 internal id;
    Feed internal marketFeed;

    function setUp() public override {
        super.setUp();
        allowCollateral(alice, type(uint256).max);
        // The market has a feed of its own, so that it can be told something else than the policy's feeds tell.
        marketFeed = new Feed(8, 3_000e8);
        price(address(weth), marketFeed);
        price(address(usdc), new Feed(8, 1e8));
        id = setPolicy(alice, _lenient());
    }

    function test_stale_feed_is_refused_at_its_second() public {
        uint256 saved = vm.snapshotState();
        vm.warp(NOW + 1 hours);
        execute(_sale());
        vm.revertToState(saved);
        vm.warp(NOW + 1 hours + 1);
        refused(_sale(), IExecutor.StalePrice.selector);
        wethFeed.set(3_000e8);
        refused(_sale(), IExecutor.StalePrice.selector);
        usdcFeed.set(1e8);
        execute(_sale());
    }

    function test_feed_of_the_future_is_refused() public {
        wethFeed.setAt(3_000e8, block.timestamp + 1);
        refused(_sale(), IExecutor.StalePrice.selector);
    }

    function test_zero_and_negative_prices_are_refused() public {
        wethFeed.set(0);
        refused(_sale(), IExecutor.BadPrice.selector);
        wethFeed.set(-1);
        refused(_sale(), IExecutor.BadPrice.selector);
        wethFeed.set(3_000e8);
        usdcFeed.set(0);
        refused(_sale(), IExecutor.BadPrice.selector);
    }

    function test_market_price_of_zero_is_refused() public {
        bytes memory data = abi.encodeWithSignature("getAssetPrice(address)", address(weth));
        Run memory run = _sale();
        vm.mockCall(address(aaveOracle), data, abi.encode(uint256(0)));
        refused(run, IExecutor.BadPrice.selector);
        vm.clearMockedCalls();
        data = abi.encodeWithSignature("getAssetPrice(address)", address(usdc));
        vm.mockCall(address(aaveOracle), data, abi.encode(uint256(0)));
        refused(run, IExecutor.BadPrice.selector);
    }

    function test_paused_sequencer_is_refused() public {
        Feed uptime = new Feed(0, 0);
        address[] memory markets = new address[](1);
        markets[0] = address(pool);
        executor = new AaveV3Executor(admin, markets, address(uptime));
        vm.prank(admin);
        executor.setKeeper(keeper, true);
        allowCollateral(alice, type(uint256).max);
        vm.warp(NOW + 30 days);
        _refresh();
        setPolicy(alice, _lenient());
        uptime.set(1);
        refused(_sale(), IExecutor.SequencerDown.selector);
        uptime.set(0);
        refused(_sale(), IExecutor.SequencerDown.selector);
        vm.warp(block.timestamp + 1 hours);
        _refresh();
        refused(_sale(), IExecutor.SequencerDown.selector);
        vm.warp(block.timestamp + 1);
        execute(_sale());
        // A feed that has never been told anything.
        uptime.setAt(0, 0);
        refused(_sale(), IExecutor.SequencerDown.selector);
    }

    /// Before the run, in its transaction: the market is told less than the feeds know.
    function test_oracle_moved_before_the_run_is_refused() public {
        marketFeed.set(2_984e8);
        refused(_sale(), IExecutor.PricesDisagree.selector);
        marketFeed.set(3_016e8);
        refused(_sale(), IExecutor.PricesDisagree.selector);
        marketFeed.set(2_986e8);
        execute(_sale());
    }

    /// Within the run: by the swap itself.
    function test_oracle_moved_by_the_swap_is_refused() public {
        HostilePort hostile = new HostilePort();
        usdc.mint(address(hostile), 1_000_000e6);
        Policy memory policy = _lenient();
        policy.swapPort = address(hostile);
        setPolicy(alice, policy);
        hostile.payMinimum(0);
        hostile.willCall(address(marketFeed), abi.encodeCall(Feed.set, (3_001e8)));
        refused(_sale(), IExecutor.PriceMoved.selector);
    }

    /// Of two prices that agree well enough the sale is held to the one that is better for the owner.
    function test_sale_is_held_to_the_better_price() public {
        marketFeed.set(2_990e8);
        HostilePort hostile = new HostilePort();
        usdc.mint(address(hostile), 1_000_000e6);
        Policy memory policy = _lenient();
        policy.swapPort = address(hostile);
        setPolicy(alice, policy);
        hostile.payMinimum(0);
        uint256 saved = vm.snapshotState();
        eq(execute(_sale()).repaid, 2_985e6, "of 3,000, the feeds'");
        vm.revertToState(saved);
        marketFeed.set(3_010e8);
        eq(execute(_sale()).repaid, 2_994.95e6, "of 3,010, the market's");
    }

    function test_repaying_from_the_wallet_needs_no_feed() public {
        Policy memory policy = repayOnly(_lenient());
        bytes32 only = setPolicy(alice, policy);
        allowDebt(alice, 2_000e6);
        vm.warp(NOW + 10 days);
        execute(repayRun(only, 2_000e6));
    }

    function _sale() private view returns (Run memory) {
        return runOf(id, Strategy.SELL_COLLATERAL, 3_000e6, 1e18);
    }

    function _lenient() private view returns (Policy memory policy) {
        policy = defaultPolicy();
        policy.minHealthFactorAfter = 1.2e18;
    }

    function _refresh() private {
        wethFeed.set(3_000e8);
        marketFeed.set(3_000e8);
        usdcFeed.set(1e8);
    }
}
