// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// The permission of a user for the service to reduce one debt, as the user wrote it on chain. Every limit of a run
/// comes from it. A run's calldata can only request less. Health factors are scaled by 1e18. Amounts of debt are in the
/// smallest unit of `debt`. bps are 1/10,000.
struct Policy {
    /// Aave v3 and forks: the Pool. Morpho Blue: the Morpho contract. Compound III: the Comet. Compound v2, Venus: the
    /// Comptroller. It must be one of the markets of the executor's deployment.
    address market;
    /// Morpho Blue: the market's id, which pins its oracle, interest model and threshold. Zero elsewhere.
    bytes32 marketId;
    /// The supplied asset that may be sold. Zero if only REPAY_DEBT is permitted.
    address collateral;
    /// The borrowed asset that is repaid.
    address debt;
    /// Compound v2, Venus: the vToken (cToken) of `collateral` (zero without collateral). Zero elsewhere.
    address collateralMarket;
    /// Compound v2, Venus: the vToken (cToken) of `debt`. Zero elsewhere.
    address debtMarket;
    /// The only contract that swaps for this policy. Zero if only REPAY_DEBT is permitted.
    address swapPort;
    /// Price feeds (Chainlink's AggregatorV3 form, both in the same currency) that limit every swap together with the
    /// market's own oracle, and whose age is checked. Zero if only REPAY_DEBT is permitted.
    address collateralFeed;
    address debtFeed;
    /// The largest age of these feeds' answers, in seconds.
    uint32 maxPriceAge;
    /// The first second in which the policy is no longer valid.
    uint64 expiresAt;
    /// A run is rejected unless the health factor is below this.
    uint96 triggerHealthFactor;
    /// A run is rejected when it ends more than 5 % above this.
    uint96 targetHealthFactor;
    /// A run is rejected when it ends below this. At most the target, and at least the trigger for a one-shot policy.
    uint96 minHealthFactorAfter;
    /// The largest repayment of one run.
    uint128 maxRepayPerRun;
    /// The largest repayment within any 24 hours by all runs of this owner on this market and debt, under any policy.
    uint128 maxRepayPerDay;
    /// The largest loss of a swap against the worse of the two prices for it: the market's oracle, the feeds.
    uint16 maxSlippageBps;
    /// The largest fee of a flash loan, as a part of the loan. The executor itself takes no fee.
    uint16 maxFeeBps;
    /// The permitted strategies: the sum of 1 << Strategy.
    uint8 strategies;
    /// The policy ends with its first run.
    bool oneShot;
    /// A run is rejected if the market's revision has changed since the policy was written. Only for Aave
    /// (POOL_REVISION): the others cannot change (Morpho Blue) or do not state it.
    bool pinMarketRevision;
}

/// The ways to reduce debt. The API's names are repay_debt, sell_collateral, flash_loan_unwind.
enum Strategy {
    /// With the user's own tokens of `debt`, under the user's ERC-20 allowance.
    REPAY_DEBT,
    /// Collateral is withdrawn and sold, and the proceeds repay. The position must stay safe after the withdrawal.
    SELL_COLLATERAL,
    /// A flash loan repays first. Collateral is then withdrawn and sold to return the loan, all in one transaction.
    FLASH_LOAN_UNWIND
}

/// The request of a keeper. It contains no limit.
struct Run {
    bytes32 policyId;
    /// `policyHash` of the policy version for which the run was made.
    bytes32 policyHash;
    /// The number of earlier runs (`PolicyState.runs`): a run happens only once, also after a reorg of its block.
    uint64 nonce;
    Strategy strategy;
    /// The repayment, in units of `debt`. With SELL_COLLATERAL it is the maximum, and the owner gets higher proceeds.
    uint256 repayAmount;
    /// The sold amount, in units of `collateral`. At most `maxSell`. Zero with REPAY_DEBT.
    uint256 sellAmount;
    /// The last second in which the run is valid. At most MAX_DEADLINE_DELAY after the block's time.
    uint64 deadline;
    /// For the swap port, in its own format. It contains no limit and no recipient.
    bytes route;
}

/// The state of a policy.
struct PolicyState {
    address owner;
    /// 1 after the first write, and one more after each write and each revocation. It never decreases.
    uint64 version;
    bool active;
    /// Runs so far, over all versions.
    uint64 runs;
    /// keccak256(abi.encode(block.chainid, executor, id, version, policy)). Zero when not active.
    bytes32 policyHash;
    /// The market's revision when the policy was written. Zero if the market has none.
    uint256 marketRevision;
}

/// The result of a run.
struct Outcome {
    uint256 repaid;
    uint256 sold;
    /// The fee of the flash loan, in units of `debt`.
    uint256 flashFee;
    /// The tokens returned to the owner, in units of `debt` and of `collateral`.
    uint256 returnedDebt;
    uint256 returnedCollateral;
    uint256 healthFactorBefore;
    uint256 healthFactorAfter;
}

/// An ERC-2612 permit of the caller for the executor.
struct Permit {
    address token;
    uint256 value;
    uint256 deadline;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// Reduces users' debts within the policies that they wrote. Each protocol family has one contract with this interface.
/// None can be upgraded, and none holds a balance or grants an allowance between transactions.
///
/// - A user writes and revokes policies, only for itself, also during a pause.
/// - A keeper can call `execute`. It moves only the user's tokens into the user's debt, and the user's collateral
///   through the policy's swap port into the user's debt. The user receives the rest.
/// - The contract's owner can name keepers and pause `execute`. It cannot move tokens.
interface IExecutor {
    event PolicySet(bytes32 indexed id, address indexed owner, uint64 version, bytes32 policyHash, Policy policy);
    /// `version` is the new version, under which nothing runs.
    event PolicyRevoked(bytes32 indexed id, address indexed owner, uint64 version);
    /// A one-shot policy has run.
    event PolicySpent(bytes32 indexed id, address indexed owner, uint64 version);
    /// Each run that happened. A run that did not happen reverted and left no event.
    event Executed(
        bytes32 indexed id,
        address indexed owner,
        address indexed keeper,
        bytes32 policyHash,
        uint64 nonce,
        Strategy strategy,
        Outcome outcome
    );
    event KeeperSet(address indexed keeper, bool allowed);

    // Caller and time.
    error NotKeeper(address caller);
    error UnknownPolicy(bytes32 id);
    error PolicyInactive(bytes32 id);
    error PolicyChanged(bytes32 current, bytes32 given);
    error WrongNonce(uint64 expected, uint64 given);
    error PolicyExpired(uint64 expiresAt);
    error DeadlinePassed(uint64 deadline);
    error DeadlineTooFar(uint64 deadline, uint64 latest);
    error MarketUpgraded(uint256 expected, uint256 actual);
    error SequencerDown();

    // Rejected by the policy.
    /// `field` is the name of the invalid field of Policy.
    error InvalidPolicy(bytes32 field);
    error StrategyNotAllowed(Strategy strategy);
    error StrategyUnsupported(Strategy strategy);
    error HealthFactorAboveTrigger(uint256 healthFactor, uint256 trigger);
    error HealthFactorNotBetter(uint256 before, uint256 afterwards);
    error HealthFactorBelowMinimum(uint256 healthFactor, uint256 minimum);
    error HealthFactorAboveTarget(uint256 healthFactor, uint256 highest);
    error RepayAboveRunLimit(uint256 amount, uint256 limit);
    error RepayAboveDayLimit(uint256 amount, uint256 remaining);
    error SellAboveLimit(uint256 amount, uint256 limit);
    error FlashFeeAboveLimit(uint256 fee, uint256 limit);
    error NothingToRepay();

    // Errors during the run.
    error BadPrice(address source);
    error StalePrice(address source, uint256 updatedAt);
    /// The market's price and the feeds' differ by more than the slippage allows.
    error PricesDisagree(uint256 ofMarket, uint256 ofFeeds);
    error PriceMoved();
    error SwapFailed();
    error SwapBelowMinimum(uint256 received, uint256 minimum);
    error UnexpectedBalance(address token, uint256 expected, uint256 actual);
    error UnexpectedCallback();
    error MarketCallFailed(uint256 code);

    /// Writes the caller's policy, or replaces it. `id` follows from caller, market, marketId, collateral and debt.
    function setPolicy(Policy calldata policy) external returns (bytes32 id, bytes32 policyHash);

    /// The same, after it has used permits of the caller for this contract. A permit that was used already (any account
    /// may send it earlier) is skipped: the allowance exists, or the run will fail without it.
    function setPolicyWithPermits(Policy calldata policy, Permit[] calldata permits)
        external
        returns (bytes32 id, bytes32 policyHash);

    /// Ends the caller's policy immediately. Other allowances stay unchanged, and no account can use them.
    function revokePolicy(bytes32 id) external;

    /// Keepers only. Reduces the debt as `run` requests, within the policy, or reverts without any change.
    function execute(Run calldata run) external returns (Outcome memory);

    /// Owner only.
    function setKeeper(address keeper, bool allowed) external;
    function pause() external;
    function unpause() external;

    function isKeeper(address account) external view returns (bool);
    function isMarket(address market) external view returns (bool);
    function paused() external view returns (bool);

    /// The id of a policy, written or not.
    function policyId(address owner, address market, bytes32 marketId, address collateral, address debt)
        external
        view
        returns (bytes32);
    /// All zeros for a policy that was never written.
    function policyOf(bytes32 id) external view returns (Policy memory);
    function stateOf(bytes32 id) external view returns (PolicyState memory);
    /// As the market computes it. type(uint256).max without debt. Compound v2, Venus: as of the last accrual.
    function healthFactorOf(bytes32 id) external view returns (uint256);
    /// The owner's debt now, in units of `debt`, with interest up to this block. Compound v2, Venus: up to the last
    /// accrual (eth_call it after accrueInterest; a run accrues first).
    function debtOf(bytes32 id) external view returns (uint256);
    /// The remainder of the limit per day at this second, in units of `debt`.
    function remainingToday(bytes32 id) external view returns (uint256);
    /// The largest amount of collateral that a run may sell to raise `amount` of debt, at the prices and slippage of
    /// the policy.
    function maxSell(bytes32 id, uint256 amount) external view returns (uint256);
    /// The current cost of a flash loan of `amount` of debt, rounded up.
    function flashFee(bytes32 id, uint256 amount) external view returns (uint256);
}
