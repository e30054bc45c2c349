// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// What a user allows the service to do with one debt, as the user wrote it on chain. Every limit of a run is read
/// from here; a run's calldata can only ask for less.
/// Health factors are scaled by 1e18; amounts of debt are in the smallest unit of `debt`; bps are 1/10,000.
struct Policy {
    /// Aave v3 and forks: the Pool. Morpho Blue: the Morpho contract. Compound III: the Comet. Compound v2, Venus: the
    /// Comptroller. Must be one of the markets that the executor was deployed for.
    address market;
    /// Morpho Blue: the market's id, which pins its oracle, interest model and threshold. Zero elsewhere.
    bytes32 marketId;
    /// The supplied asset that may be sold. Zero when only REPAY_DEBT is allowed.
    address collateral;
    /// The borrowed asset that is repaid.
    address debt;
    /// Compound v2, Venus: the vToken (cToken) of `collateral` (zero when that is zero). Zero elsewhere.
    address collateralMarket;
    /// Compound v2, Venus: the vToken (cToken) of `debt`. Zero elsewhere.
    address debtMarket;
    /// The only contract that swaps for this policy. Zero when only REPAY_DEBT is allowed.
    address swapPort;
    /// Price feeds (Chainlink's AggregatorV3 form, both in the same currency) that every swap is checked against
    /// beside the market's own oracle, and whose age is checked. Zero when only REPAY_DEBT is allowed.
    address collateralFeed;
    address debtFeed;
    /// Seconds that an answer of these feeds may be old.
    uint32 maxPriceAge;
    /// The first second in which the policy is no longer valid.
    uint64 expiresAt;
    /// A run is refused unless the health factor is below this.
    uint96 triggerHealthFactor;
    /// A run is refused when it ends more than 5 % above this.
    uint96 targetHealthFactor;
    /// A run is refused when it ends below this. At most the target; at least the trigger for a one-shot policy.
    uint96 minHealthFactorAfter;
    /// The most that one run repays.
    uint128 maxRepayPerRun;
    /// The most that all runs of this owner on this market and debt, of any policy, repay within any 24 hours.
    uint128 maxRepayPerDay;
    /// The most that a swap may lose against the worse of the two prices for it: the market's oracle, the feeds.
    uint16 maxSlippageBps;
    /// The most that a flash loan may cost, of what it lends. The executor itself takes no fee.
    uint16 maxFeeBps;
    /// The strategies allowed: the sum of 1 << Strategy.
    uint8 strategies;
    /// The policy ends with its first run.
    bool oneShot;
    /// A run is refused once the market reports another revision than at the policy's writing. Aave only
    /// (POOL_REVISION): the others cannot change (Morpho Blue) or do not tell.
    bool pinMarketRevision;
}

/// How debt is reduced; the API's names are repay_debt, sell_collateral, flash_loan_unwind.
enum Strategy {
    /// With the user's own tokens of `debt`, under the user's ERC-20 allowance.
    REPAY_DEBT,
    /// Collateral is withdrawn, sold, and the proceeds repay. The position must bear the withdrawal.
    SELL_COLLATERAL,
    /// A flash loan repays first; collateral is withdrawn and sold to pay it back, all in one transaction.
    FLASH_LOAN_UNWIND
}

/// What a keeper asks for. Nothing in here is a limit.
struct Run {
    bytes32 policyId;
    /// `policyHash` of the version of the policy that the run was made for.
    bytes32 policyHash;
    /// How many runs the policy has had (`PolicyState.runs`): a run happens once, whatever becomes of its block.
    uint64 nonce;
    Strategy strategy;
    /// What is repaid, in units of `debt`; with SELL_COLLATERAL the most that is, proceeds above it go to the owner.
    uint256 repayAmount;
    /// What is sold, in units of `collateral`; at most `maxSell`. Zero with REPAY_DEBT.
    uint256 sellAmount;
    /// The last second in which the run is valid; at most MAX_DEADLINE_DELAY after the block's time.
    uint64 deadline;
    /// For the swap port, which decides its form. It carries no limit and no recipient.
    bytes route;
}

/// Where a policy stands.
struct PolicyState {
    address owner;
    /// 1 with the first writing, one more with each writing and each revocation; never falls.
    uint64 version;
    bool active;
    /// Runs so far, over all versions.
    uint64 runs;
    /// keccak256(abi.encode(block.chainid, executor, id, version, policy)); zero when not active.
    bytes32 policyHash;
    /// The market's revision when the policy was written, zero where the market has none.
    uint256 marketRevision;
}

/// What a run did.
struct Outcome {
    uint256 repaid;
    uint256 sold;
    /// What the flash loan cost, in units of `debt`.
    uint256 flashFee;
    /// What went back to the owner, in units of `debt` and of `collateral`.
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

/// Reduces users' debts within the policies that they wrote. One contract a protocol family, all with this interface;
/// none can be upgraded, none holds a balance or gives an allowance between transactions.
///
/// - A user writes and revokes policies, for itself only, whatever the pause says.
/// - A keeper can call `execute`, which moves nothing but: the user's tokens into the user's debt, and the user's
///   collateral through the policy's swap port into the user's debt; what is left goes to the user.
/// - The contract's owner can name keepers and pause `execute`. It can move nothing.
interface IExecutor {
    event PolicySet(bytes32 indexed id, address indexed owner, uint64 version, bytes32 policyHash, Policy policy);
    /// `version` is the new one, under which nothing runs.
    event PolicyRevoked(bytes32 indexed id, address indexed owner, uint64 version);
    /// A one-shot policy has had its run.
    event PolicySpent(bytes32 indexed id, address indexed owner, uint64 version);
    /// One for each run that happened; a run that did not reverted and left no event.
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

    // Who and when.
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

    // What the policy does not allow.
    /// `field` is the name of the field of Policy that cannot be accepted.
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

    // What went wrong on the way.
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

    /// Writes the caller's policy, or replaces it: `id` follows from caller, market, marketId, collateral and debt.
    function setPolicy(Policy calldata policy) external returns (bytes32 id, bytes32 policyHash);

    /// The same, with permits of the caller for this contract used first. A permit that was used already (somebody
    /// may send it before) is passed over: the allowance is there or the run will fail for the want of it.
    function setPolicyWithPermits(Policy calldata policy, Permit[] calldata permits)
        external
        returns (bytes32 id, bytes32 policyHash);

    /// Ends the caller's policy at once. Allowances given elsewhere stay as they are, and are of no use to anybody.
    function revokePolicy(bytes32 id) external;

    /// Keepers only. Reduces the debt as `run` asks, within the policy, or reverts and leaves all as it was.
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
    /// As the market computes it; type(uint256).max without debt. Compound v2, Venus: as of the last accrual.
    function healthFactorOf(bytes32 id) external view returns (uint256);
    /// What the owner owes now, in units of `debt`, interest up to this block included; Compound v2, Venus: up to the
    /// last accrual (eth_call it after accrueInterest; a run accrues first).
    function debtOf(bytes32 id) external view returns (uint256);
    /// What the day's limit still leaves at this second, in units of `debt`.
    function remainingToday(bytes32 id) external view returns (uint256);
    /// The most collateral that a run may sell to raise `amount` of debt, at the prices and slippage of the policy.
    function maxSell(bytes32 id, uint256 amount) external view returns (uint256);
    /// What a flash loan of `amount` of debt costs now, rounded up.
    function flashFee(bytes32 id, uint256 amount) external view returns (uint256);
}
