// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {AaveV3Executor} from "../../src/aave/AaveV3Executor.sol";
import {Outcome, Policy, PolicyState, Run, Strategy} from "../../src/IExecutor.sol";
import {IPool} from "../genuine/AaveMarket.sol";
import {Feed} from "../support/Feed.sol";
import {HostilePort} from "../support/HostilePort.sol";
import {Test} from "../support/Test.sol";
import {TestToken} from "../support/TestToken.sol";

/// The world that the invariants look at: a keeper whose key is stolen does whatever it likes, with a swap port on its
/// side, while time passes, prices move and the user borrows more. What it achieves is written down.
contract StolenKey is Test {
    uint256 private constant BPS = 10_000;

    struct World {
        AaveV3Executor executor;
        IPool pool;
        TestToken weth;
        TestToken usdc;
        Feed wethFeed;
        Feed usdcFeed;
        HostilePort port;
        address keeper;
        address user;
        bytes32 id;
    }

    struct Spent {
        uint256 timestamp;
        uint256 amount;
    }

    World internal w;
    Spent[] internal spent;

    /// How often each came about; the invariants mean nothing where these stay at zero.
    uint256 public runs;
    uint256 public refusals;
    /// What was found wrong, in words; empty as long as nothing was.
    string public wrong;

    constructor(World memory world) {
        w = world;
    }

    /// What may be asked for, at the worst that is allowed.
    function run(uint256 strategySeed, uint256 repaySeed) external {
        uint256 amount = between(repaySeed, 1e6, w.executor.policyOf(w.id).maxRepayPerRun);
        Strategy strategy = Strategy(strategySeed % 3);
        uint256 most = w.executor.maxSell(w.id, amount);
        _execute(strategy, amount, strategy == Strategy.REPAY_DEBT ? 0 : most, 0);
    }

    /// Anything at all, with a port that pays the least that it must, or a little beside it.
    function runWild(uint256 strategySeed, uint256 repaySeed, uint256 sellSeed, uint256 paySeed) external {
        uint256 amount = repaySeed % 4 == 0 ? repaySeed : between(repaySeed, 1, 4_000e6);
        uint256 sellAmount = between(sellSeed, 0, 2e18);
        _execute(Strategy(strategySeed % 3), amount, sellAmount, int256(paySeed % 5) - 1);
    }

    /// More than a run may repay: every sequence has runs that are to be refused, whatever chance draws.
    function runBeyond(uint256 repaySeed) external {
        uint256 most = w.executor.policyOf(w.id).maxRepayPerRun;
        _execute(Strategy.REPAY_DEBT, most + 1 + (repaySeed % most), 0, 0);
    }

    function _execute(Strategy strategy, uint256 amount, uint256 sellAmount, int256 offMinimum) private {
        Policy memory policy = w.executor.policyOf(w.id);
        PolicyState memory state = w.executor.stateOf(w.id);
        w.port.payMinimum(offMinimum);
        uint256 before = _equity();
        uint256 factor = _healthFactor();
        uint64 deadline = uint64(block.timestamp + 60);
        vm.prank(w.keeper);
        try w.executor
        .execute(Run(w.id, state.policyHash, state.runs, strategy, amount, sellAmount, deadline, "")) returns (
            Outcome memory outcome
        ) {
            ++runs;
            spent.push(Spent(block.timestamp, outcome.repaid));
            _judge(policy, outcome, before, factor);
        } catch {
            ++refusals;
        }
    }

    /// Whatever else there is to call.
    function tryAnythingElse(uint256 seed, bytes calldata data) external {
        vm.startPrank(w.keeper);
        if (seed % 6 == 0) try w.executor.setKeeper(address(this), true) {} catch {}
        if (seed % 6 == 1) try w.executor.revokePolicy(w.id) {} catch {}
        if (seed % 6 == 2) {
            try w.executor.executeOperation(address(w.usdc), seed, 0, address(w.executor), data) {} catch {}
        }
        if (seed % 6 == 3) {
            try w.pool.flashLoanSimple(address(w.executor), address(w.usdc), 1e6, data, 0) {} catch {}
        }
        if (seed % 6 == 4) try w.executor.transferOwnership(w.keeper) {} catch {}
        if (seed % 6 == 5) try w.executor.pause() {} catch {}
        vm.stopPrank();
    }

    function wait(uint256 seed) external {
        vm.warp(block.timestamp + between(seed, 1, 6 hours));
        w.usdcFeed.set(1e8);
        w.wethFeed.set(w.wethFeed.latestAnswer());
    }

    function movePrice(uint256 seed) external {
        int256 next = (w.wethFeed.latestAnswer() * int256(between(seed, 970, 1_031))) / 1_000;
        if (next > 2_500e8 && next < 3_500e8) w.wethFeed.set(next);
    }

    function borrowMore(uint256 seed) external {
        vm.prank(w.user);
        try w.pool.borrow(address(w.usdc), between(seed, 1e6, 2_000e6), 2, 0, w.user) {} catch {}
    }

    function _judge(Policy memory policy, Outcome memory outcome, uint256 equityBefore, uint256 factor) private {
        if (_healthFactor() <= factor) wrong = "the health factor fell";
        if (factor >= policy.triggerHealthFactor) wrong = "not due";
        if (outcome.repaid > policy.maxRepayPerRun) wrong = "above the limit of a run";
        if (_within24Hours() > policy.maxRepayPerDay) wrong = "above the limit of a day";
        // In the base currency, of 8 decimals; a dollar's ten-thousandth for what is rounded on the way.
        uint256 sold = (outcome.sold * uint256(w.wethFeed.latestAnswer())) / 1e18;
        uint256 allowed = (sold * policy.maxSlippageBps) / BPS + (outcome.repaid * 100 * policy.maxFeeBps) / BPS;
        if (_equity() + allowed + 1e4 < equityBefore) wrong = "lost more than slippage and fee";
    }

    function _within24Hours() private view returns (uint256 sum) {
        for (uint256 i = 0; i < spent.length; ++i) {
            if (spent[i].timestamp + 1 days > block.timestamp) sum += spent[i].amount;
        }
    }

    function _healthFactor() private view returns (uint256 factor) {
        (,,,,, factor) = w.pool.getUserAccountData(w.user);
    }

    /// All that the user has: the position, and what is in the wallet.
    function _equity() private view returns (uint256) {
        (uint256 collateral, uint256 debt,,,,) = w.pool.getUserAccountData(w.user);
        uint256 inWeth = (w.weth.balanceOf(w.user) * uint256(w.wethFeed.latestAnswer())) / 1e18;
        return collateral + w.usdc.balanceOf(w.user) * 100 + inWeth - debt;
    }
}
