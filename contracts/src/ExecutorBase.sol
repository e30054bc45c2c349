// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IExecutor, Outcome, Policy, Run, Strategy} from "./IExecutor.sol";
import {ISwapPort} from "./ISwapPort.sol";
import {PolicyBook} from "./PolicyBook.sol";
import {Prices} from "./Prices.sol";

/// The steps of a run, the same for every protocol family: admit it, compare with the policy, move tokens, compare
/// again, return the rest. A family defines how its markets are read and called.
abstract contract ExecutorBase is PolicyBook, Ownable2Step, Pausable {
    using SafeERC20 for IERC20;

    /// The largest excess above the target at the end of a run, in bps of the target.
    uint256 public constant TARGET_TOLERANCE_BPS = 500;
    uint256 private constant BPS = 10_000;

    /// The uptime feed of the rollup's sequencer. Zero for a chain without one.
    address public immutable SEQUENCER_FEED;

    /// @inheritdoc IExecutor
    mapping(address account => bool) public isKeeper;

    /// A run in progress. It passes through a flash lender and back, so it contains everything.
    struct Job {
        bytes32 id;
        address owner;
        Strategy strategy;
        uint256 amount;
        uint256 sellAmount;
        uint256 deadline;
        /// Debt for collateral, the higher of the market's and the feeds'. Zero without a sale.
        uint256 price;
        bytes route;
        Policy policy;
    }

    /// The result of a strategy.
    struct Moved {
        uint256 repaid;
        uint256 sold;
        uint256 flashFee;
    }

    constructor(address owner_, address[] memory markets, address sequencerFeed) Ownable(owner_) PolicyBook(markets) {
        SEQUENCER_FEED = sequencerFeed;
    }

    // Actions of a protocol family.

    /// Accrues the market's interest up to this block, if the market does not do so by itself.
    function _accrue(Policy memory policy) internal virtual;
    /// Scaled by 1e18; type(uint256).max without debt.
    function _healthFactor(Policy memory policy, address account) internal view virtual returns (uint256);
    function _debtBalance(Policy memory policy, address account) internal view virtual returns (uint256);
    /// By the market's own oracle. See Prices.
    function _marketPrice(Policy memory policy) internal view virtual returns (uint256);
    /// Repays `amount` of debt, which this contract holds.
    function _repay(Policy memory policy, address account, uint256 amount) internal virtual;
    /// Withdraws `amount` of collateral from the position to this contract, as the token itself.
    function _withdraw(Policy memory policy, address account, uint256 amount) internal virtual;
    /// Borrows `job.amount` of debt during a callback that ends in _unwind.
    function _flash(Job memory job) internal virtual returns (Moved memory);
    function _flashFee(Policy memory policy, uint256 amount) internal view virtual returns (uint256);

    // For the owner: the keepers, and the pause.

    /// @inheritdoc IExecutor
    function setKeeper(address keeper, bool allowed) external onlyOwner {
        isKeeper[keeper] = allowed;
        emit KeeperSet(keeper, allowed);
    }

    /// @inheritdoc IExecutor
    function pause() external onlyOwner {
        _pause();
    }

    /// @inheritdoc IExecutor
    function unpause() external onlyOwner {
        _unpause();
    }

    /// @inheritdoc IExecutor
    function paused() public view override(IExecutor, Pausable) returns (bool) {
        return super.paused();
    }

    // For keepers.

    /// @inheritdoc IExecutor
    function execute(Run calldata run) external nonReentrant whenNotPaused returns (Outcome memory outcome) {
        if (!isKeeper[msg.sender]) revert NotKeeper(msg.sender);
        Prices.requireSequencer(SEQUENCER_FEED);
        Job memory job = _prepare(run);
        Policy memory policy = job.policy;

        outcome.healthFactorBefore = _healthFactor(policy, job.owner);
        if (outcome.healthFactorBefore >= policy.triggerHealthFactor) {
            revert HealthFactorAboveTrigger(outcome.healthFactorBefore, policy.triggerHealthFactor);
        }
        uint256 debtHere = IERC20(policy.debt).balanceOf(address(this));
        uint256 collateralHere = job.price == 0 ? 0 : IERC20(policy.collateral).balanceOf(address(this));

        Moved memory moved = _move(job);
        outcome.repaid = moved.repaid;
        outcome.sold = moved.sold;
        outcome.flashFee = moved.flashFee;
        _giveBack(job.owner, policy, job.amount - moved.repaid);

        outcome.returnedDebt = _return(policy.debt, debtHere, job.owner);
        if (job.price != 0) {
            outcome.returnedCollateral = _return(policy.collateral, collateralHere, job.owner);
            if (_price(policy) != job.price) revert PriceMoved();
        }
        outcome.healthFactorAfter = _healthFactor(policy, job.owner);
        _checkOutcome(policy, outcome);
        emit Executed(run.policyId, job.owner, msg.sender, run.policyHash, run.nonce, run.strategy, outcome);
    }

    /// The checks of a run before any token moves.
    function _prepare(Run calldata run) private returns (Job memory job) {
        (job.policy, job.owner) = _admit(run);
        _accrue(job.policy);
        job.id = run.policyId;
        job.strategy = run.strategy;
        job.sellAmount = run.sellAmount;
        job.deadline = run.deadline;
        job.route = run.route;
        // At most the debt, so that no flash loan and no transfer exceeds what the market accepts.
        job.amount = Math.min(run.repayAmount, _debtBalance(job.policy, job.owner));
        if (job.amount == 0) revert NothingToRepay();
        _spend(run.policyId, job.owner, job.policy, job.amount);
        if (run.strategy != Strategy.REPAY_DEBT) job.price = _price(job.policy);
    }

    function _move(Job memory job) private returns (Moved memory moved) {
        if (job.strategy == Strategy.FLASH_LOAN_UNWIND) return _flash(job);
        if (job.strategy == Strategy.REPAY_DEBT) {
            _pull(job.policy.debt, job.owner, job.amount);
            moved.repaid = job.amount;
        } else {
            uint256 proceeds;
            (moved.sold, proceeds) = _sell(job, job.amount, 0);
            moved.repaid = Math.min(proceeds, job.amount);
        }
        _repayExactly(job.policy, job.owner, moved.repaid);
    }

    /// The body of a flash loan: `job.amount` of debt has arrived, and `job.amount + fee` is collected afterwards.
    function _unwind(Job memory job, uint256 fee) internal returns (Moved memory moved) {
        // Rounded up, as lenders round their claims.
        uint256 limit = Math.mulDiv(job.amount, job.policy.maxFeeBps, BPS, Math.Rounding.Ceil);
        if (fee > limit) revert FlashFeeAboveLimit(fee, limit);
        _repayExactly(job.policy, job.owner, job.amount);
        moved.repaid = job.amount;
        moved.flashFee = fee;
        (moved.sold,) = _sell(job, job.amount + fee, job.amount + fee);
    }

    /// Withdraws and sells `job.sellAmount`, for at least the limit from the prices, and at least `needed`.
    /// @param raised the purpose of the sale, which limits the sold amount
    function _sell(Job memory job, uint256 raised, uint256 needed) private returns (uint256 sold, uint256 proceeds) {
        Policy memory policy = job.policy;
        uint256 most = Prices.mostFor(raised, job.price, policy.maxSlippageBps);
        if (job.sellAmount > most) revert SellAboveLimit(job.sellAmount, most);
        uint256 before = IERC20(policy.collateral).balanceOf(address(this));
        _withdraw(policy, job.owner, job.sellAmount);
        sold = IERC20(policy.collateral).balanceOf(address(this)) - before;
        uint256 minimum = Math.max(Prices.minimumFor(sold, job.price, policy.maxSlippageBps), needed);
        proceeds = _swap(policy, sold, minimum, job.deadline, job.route);
    }

    // The assembly is one call that copies no return data, which Solidity cannot express.
    // slither-disable-next-line assembly
    function _swap(Policy memory policy, uint256 amount, uint256 minimum, uint256 deadline, bytes memory route)
        private
        returns (uint256 received)
    {
        uint256 before = IERC20(policy.debt).balanceOf(address(this));
        IERC20(policy.collateral).safeTransfer(policy.swapPort, amount);
        bytes memory data =
            abi.encodeCall(ISwapPort.swap, (policy.collateral, policy.debt, amount, minimum, deadline, route));
        address port = policy.swapPort;
        bool done;
        // No return data is copied, however long it is. An address without code swaps nothing.
        assembly ("memory-safe") {
            done := call(gas(), port, 0, add(data, 0x20), mload(data), 0, 0)
        }
        if (!done) revert SwapFailed();
        received = IERC20(policy.debt).balanceOf(address(this)) - before;
        if (received < minimum) revert SwapBelowMinimum(received, minimum);
    }

    /// Transfers from the owner's wallet, all of it or nothing.
    function _pull(address token, address from, uint256 amount) internal {
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(from, address(this), amount);
        uint256 actual = IERC20(token).balanceOf(address(this));
        if (actual != before + amount) revert UnexpectedBalance(token, before + amount, actual);
    }

    function _repayExactly(Policy memory policy, address account, uint256 amount) private {
        uint256 before = IERC20(policy.debt).balanceOf(address(this));
        _repay(policy, account, amount);
        uint256 actual = IERC20(policy.debt).balanceOf(address(this));
        if (actual + amount != before) revert UnexpectedBalance(policy.debt, before - amount, actual);
    }

    /// Approves `amount` for the next call. _disallow revokes the rest.
    function _allow(address token, address spender, uint256 amount) internal {
        IERC20(token).forceApprove(spender, amount);
    }

    function _disallow(address token, address spender) internal {
        if (IERC20(token).allowance(address(this), spender) != 0) IERC20(token).forceApprove(spender, 0);
    }

    /// Sends the tokens that arrived during the run to the owner. Earlier tokens, which are donations, stay.
    function _return(address token, uint256 before, address to) private returns (uint256 amount) {
        uint256 actual = IERC20(token).balanceOf(address(this));
        if (actual < before) revert UnexpectedBalance(token, before, actual);
        amount = actual - before;
        if (amount != 0) IERC20(token).safeTransfer(to, amount);
    }

    function _checkOutcome(Policy memory policy, Outcome memory outcome) private pure {
        uint256 reached = outcome.healthFactorAfter;
        if (reached <= outcome.healthFactorBefore) revert HealthFactorNotBetter(outcome.healthFactorBefore, reached);
        if (reached < policy.minHealthFactorAfter) {
            revert HealthFactorBelowMinimum(reached, policy.minHealthFactorAfter);
        }
        uint256 highest = (policy.targetHealthFactor * (BPS + TARGET_TOLERANCE_BPS)) / BPS;
        if (reached > highest) revert HealthFactorAboveTarget(reached, highest);
    }

    /// The price limit of a sale: the better one for the owner of two that must agree within the slippage.
    function _price(Policy memory policy) private view returns (uint256) {
        uint256 ofMarket = _marketPrice(policy);
        if (ofMarket == 0) revert BadPrice(policy.market);
        uint256 ofFeeds =
            Prices.ofFeeds(policy.collateral, policy.debt, policy.collateralFeed, policy.debtFeed, policy.maxPriceAge);
        (uint256 low, uint256 high) = ofMarket < ofFeeds ? (ofMarket, ofFeeds) : (ofFeeds, ofMarket);
        if (low < Math.mulDiv(high, BPS - policy.maxSlippageBps, BPS)) revert PricesDisagree(ofMarket, ofFeeds);
        return high;
    }

    // Public views.

    /// @inheritdoc IExecutor
    function healthFactorOf(bytes32 id) external view returns (uint256) {
        return _healthFactor(policyOf(id), stateOf(id).owner);
    }

    /// @inheritdoc IExecutor
    function debtOf(bytes32 id) external view returns (uint256) {
        return _debtBalance(policyOf(id), stateOf(id).owner);
    }

    /// @inheritdoc IExecutor
    function maxSell(bytes32 id, uint256 amount) external view returns (uint256) {
        Policy memory policy = policyOf(id);
        return Prices.mostFor(amount, _price(policy), policy.maxSlippageBps);
    }

    /// @inheritdoc IExecutor
    function flashFee(bytes32 id, uint256 amount) external view returns (uint256) {
        return _flashFee(policyOf(id), amount);
    }
}
