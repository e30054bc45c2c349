// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IExecutor, Permit, Policy, PolicyState, Run, Strategy} from "./IExecutor.sol";
import {SpendingWindow} from "./SpendingWindow.sol";

/// The policies of their owners, the next run of each, and the spent part of the limit per day.
abstract contract PolicyBook is IExecutor, ReentrancyGuardTransient {
    using SpendingWindow for SpendingWindow.Window;

    /// A larger slippage or fee is a mistake.
    uint16 public constant MAX_LOSS_BPS = 1_000;
    uint64 public constant MAX_DEADLINE_DELAY = 1 hours;
    uint96 private constant ONE = 1e18;
    uint8 private constant ALL_STRATEGIES = 7;
    uint8 private constant REPAY_ONLY = 1;

    mapping(bytes32 id => Policy) private _policies;
    mapping(bytes32 id => PolicyState) private _states;
    mapping(bytes32 debtKey => SpendingWindow.Window) private _spending;

    /// @inheritdoc IExecutor
    mapping(address market => bool) public isMarket;

    /// @param markets all markets that this executor can ever call
    constructor(address[] memory markets) {
        for (uint256 i = 0; i < markets.length; ++i) {
            isMarket[markets[i]] = true;
        }
    }

    // Properties of the markets of a protocol family.

    /// Reverts with InvalidPolicy when the market does not know the policy's collateral or debt.
    function _checkMarket(Policy memory policy) internal view virtual;
    /// The code revision of an upgradable market. Zero if it has none.
    function _revision(address market) internal view virtual returns (uint256);
    function _supports(Strategy strategy) internal view virtual returns (bool);

    // Written by users.

    /// @inheritdoc IExecutor
    function setPolicy(Policy calldata policy) external nonReentrant returns (bytes32, bytes32) {
        return _set(policy);
    }

    /// @inheritdoc IExecutor
    function setPolicyWithPermits(Policy calldata policy, Permit[] calldata permits)
        external
        nonReentrant
        returns (bytes32 id, bytes32 policyHash)
    {
        (id, policyHash) = _set(policy);
        for (uint256 i = 0; i < permits.length; ++i) {
            Permit calldata p = permits[i];
            // Another sender may have used it before us. The allowance is the same.
            try IERC20Permit(p.token).permit(msg.sender, address(this), p.value, p.deadline, p.v, p.r, p.s) {} catch {}
        }
    }

    /// @inheritdoc IExecutor
    /// @dev Without the reentrancy guard: a revocation is valid at any moment, also during a run.
    function revokePolicy(bytes32 id) external {
        PolicyState storage state = _states[id];
        if (state.owner != msg.sender) revert UnknownPolicy(id);
        if (!state.active) revert PolicyInactive(id);
        uint64 version = ++state.version;
        state.active = false;
        state.policyHash = 0;
        emit PolicyRevoked(id, msg.sender, version);
    }

    function _set(Policy calldata policy) private returns (bytes32 id, bytes32 policyHash) {
        _validate(policy);
        id = policyId(msg.sender, policy.market, policy.marketId, policy.collateral, policy.debt);
        PolicyState storage state = _states[id];
        uint64 version = ++state.version;
        policyHash = keccak256(abi.encode(block.chainid, address(this), id, version, policy));
        state.owner = msg.sender;
        state.active = true;
        state.policyHash = policyHash;
        state.marketRevision = _revision(policy.market);
        _policies[id] = policy;
        emit PolicySet(id, msg.sender, version, policyHash, policy);
    }

    function _validate(Policy calldata p) private view {
        if (!isMarket[p.market]) revert InvalidPolicy("market");
        if (p.debt == address(0) || p.debt == p.collateral) revert InvalidPolicy("debt");
        if (p.strategies == 0 || p.strategies > ALL_STRATEGIES) revert InvalidPolicy("strategies");
        for (uint8 s = 0; s <= uint8(type(Strategy).max); ++s) {
            if (p.strategies & (1 << s) != 0 && !_supports(Strategy(s))) revert StrategyUnsupported(Strategy(s));
        }
        if (p.expiresAt <= block.timestamp) revert InvalidPolicy("expiresAt");
        _validateFactors(p);
        if (p.maxRepayPerRun == 0 || p.maxRepayPerRun > p.maxRepayPerDay) revert InvalidPolicy("maxRepayPerRun");
        if (p.maxFeeBps > MAX_LOSS_BPS) revert InvalidPolicy("maxFeeBps");
        if (p.maxSlippageBps > MAX_LOSS_BPS) revert InvalidPolicy("maxSlippageBps");
        if (p.pinMarketRevision && _revision(p.market) == 0) revert InvalidPolicy("pinMarketRevision");
        _validateSale(p);
        _checkMarket(p);
    }

    function _validateFactors(Policy calldata p) private pure {
        if (p.targetHealthFactor <= ONE) revert InvalidPolicy("targetHealthFactor");
        if (p.triggerHealthFactor == 0 || p.triggerHealthFactor > p.targetHealthFactor) {
            revert InvalidPolicy("triggerHealthFactor");
        }
        // A run must not use up a one-shot policy and leave the position where the next run would be due.
        if (
            p.minHealthFactorAfter <= ONE || p.minHealthFactorAfter > p.targetHealthFactor
                || (p.oneShot && p.minHealthFactorAfter < p.triggerHealthFactor)
        ) revert InvalidPolicy("minHealthFactorAfter");
    }

    /// A strategy with a sale sets all fields of the sale. One that only repays sets none.
    function _validateSale(Policy calldata p) private view {
        bool sells = p.strategies != REPAY_ONLY;
        if ((p.collateral != address(0)) != sells) revert InvalidPolicy("collateral");
        if ((p.swapPort != address(0)) != sells || isMarket[p.swapPort] || p.swapPort == address(this)) {
            revert InvalidPolicy("swapPort");
        }
        if ((p.collateralFeed != address(0)) != sells) revert InvalidPolicy("collateralFeed");
        if ((p.debtFeed != address(0)) != sells) revert InvalidPolicy("debtFeed");
        if ((p.maxPriceAge != 0) != sells) revert InvalidPolicy("maxPriceAge");
    }

    // Public views.

    /// @inheritdoc IExecutor
    function policyId(address owner_, address market, bytes32 marketId, address collateral, address debt)
        public
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(owner_, market, marketId, collateral, debt));
    }

    /// @inheritdoc IExecutor
    function policyOf(bytes32 id) public view returns (Policy memory) {
        return _policies[id];
    }

    /// @inheritdoc IExecutor
    function stateOf(bytes32 id) public view returns (PolicyState memory) {
        return _states[id];
    }

    /// @inheritdoc IExecutor
    function remainingToday(bytes32 id) public view returns (uint256) {
        Policy storage policy = _policies[id];
        uint256 used = _spending[_debtKey(_states[id].owner, policy)].spent(block.timestamp);
        return used < policy.maxRepayPerDay ? policy.maxRepayPerDay - used : 0;
    }

    // Used by runs.

    /// Admits a run, once, by every check that does not need the market. The run counts from here on, so that no
    /// contract that it calls can start it again.
    function _admit(Run calldata run) internal returns (Policy memory policy, address policyOwner) {
        PolicyState storage state = _states[run.policyId];
        policyOwner = state.owner;
        if (policyOwner == address(0)) revert UnknownPolicy(run.policyId);
        if (!state.active) revert PolicyInactive(run.policyId);
        if (state.policyHash != run.policyHash) revert PolicyChanged(state.policyHash, run.policyHash);
        if (state.runs != run.nonce) revert WrongNonce(state.runs, run.nonce);
        policy = _policies[run.policyId];
        _checkTimes(run, policy);
        if (policy.strategies & (1 << uint8(run.strategy)) == 0) revert StrategyNotAllowed(run.strategy);
        if (policy.pinMarketRevision) {
            uint256 revision = _revision(policy.market);
            if (revision != state.marketRevision) revert MarketUpgraded(state.marketRevision, revision);
        }
        state.runs = run.nonce + 1;
        if (policy.oneShot) {
            state.active = false;
            state.policyHash = 0;
            emit PolicySpent(run.policyId, policyOwner, state.version);
        }
    }

    function _checkTimes(Run calldata run, Policy memory policy) private view {
        if (block.timestamp >= policy.expiresAt) revert PolicyExpired(policy.expiresAt);
        if (block.timestamp > run.deadline) revert DeadlinePassed(run.deadline);
        uint64 latest = uint64(block.timestamp) + MAX_DEADLINE_DELAY;
        if (run.deadline > latest) revert DeadlineTooFar(run.deadline, latest);
    }

    /// Subtracts `amount` from the limits of a run and of a day.
    function _spend(bytes32 id, address policyOwner, Policy memory policy, uint256 amount) internal {
        if (amount > policy.maxRepayPerRun) revert RepayAboveRunLimit(amount, policy.maxRepayPerRun);
        uint256 remaining = remainingToday(id);
        if (amount > remaining) revert RepayAboveDayLimit(amount, remaining);
        _spending[_debtKey(policyOwner, policy)].add(block.timestamp, amount);
    }

    function _giveBack(address policyOwner, Policy memory policy, uint256 amount) internal {
        _spending[_debtKey(policyOwner, policy)].subtract(block.timestamp, amount);
    }

    /// All policies of an owner on one debt share the limit, so that two of them do not double it.
    function _debtKey(address policyOwner, Policy memory policy) private pure returns (bytes32) {
        return keccak256(abi.encode(policyOwner, policy.market, policy.marketId, policy.debt));
    }
}
