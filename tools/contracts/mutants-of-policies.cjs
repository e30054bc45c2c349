// Mutants without the rules for callers and times, and without the limits of a policy.
const { change, remove, rewrite } = require('./mutant.cjs');

const BASE = 'ExecutorBase.sol';
const BOOK = 'PolicyBook.sol';
const WINDOW = 'SpendingWindow.sol';

const POLICY_MUTANTS = [
  // Caller and time.
  remove(
    BASE,
    'any caller is a keeper',
    'if (!isKeeper[msg.sender]) revert NotKeeper(msg.sender);',
    'test_foreign_keeper_is_refused',
  ),
  rewrite(
    BASE,
    'a former keeper is still a keeper',
    'isKeeper[keeper] = allowed;',
    'isKeeper[keeper] = $ON || allowed;',
    'test_revoked_keeper_is_refused',
  ),
  remove(
    BOOK,
    'any caller revokes',
    'if (state.owner != msg.sender) revert UnknownPolicy(id);',
    'test_only_the_writer_revokes',
  ),
  remove(
    BOOK,
    'a revoked policy runs',
    'if (!state.active) revert PolicyInactive(run.policyId);',
    'test_one_shot_switches_off',
  ),
  remove(
    BOOK,
    'a changed policy runs',
    'if (state.policyHash != run.policyHash) revert PolicyChanged(state.policyHash, run.policyHash);',
    'test_changed_policy_takes_no_run_made_for_the_one_before',
  ),
  remove(
    BOOK,
    'a run happens twice',
    'if (state.runs != run.nonce) revert WrongNonce(state.runs, run.nonce);',
    'test_a_run_happens_once',
  ),
  remove(BOOK, 'runs are not counted', 'state.runs = run.nonce + 1;', 'test_replay_after_a_reorg'),
  change(
    BOOK,
    'a policy lasts a second longer',
    'block.timestamp >= policy.expiresAt',
    'block.timestamp > policy.expiresAt',
    'test_expiry_at_the_second',
  ),
  change(
    BOOK,
    'a deadline is never passed',
    'block.timestamp > run.deadline',
    'false',
    'test_deadline_is_real',
  ),
  remove(
    BOOK,
    'a deadline has no limit',
    'if (run.deadline > latest) revert DeadlineTooFar(run.deadline, latest);',
    'test_deadline_is_near',
  ),
  change(
    BOOK,
    'every strategy is allowed',
    'policy.strategies & (1 << uint8(run.strategy)) == 0',
    'false',
    'test_strategy_that_is_not_allowed_is_refused',
  ),
  remove(
    BOOK,
    'an upgraded market is accepted',
    'if (revision != state.marketRevision) revert MarketUpgraded(state.marketRevision, revision);',
    'test_upgraded_market_is_refused_where_pinned',
  ),
  remove(
    BOOK,
    'a one-shot policy stays',
    'if (policy.oneShot) {\n            state.active = false;\n            state.policyHash = 0;\n            emit PolicySpent(run.policyId, policyOwner, state.version);\n        }',
    'test_one_shot_switches_off',
  ),
  rewrite(
    BOOK,
    'a hash does not depend on the executor',
    'block.chainid, address(this), id',
    'block.chainid, $ON ? address(0) : address(this), id',
    'test_hash_of_a_policy_is_of_this_chain_and_executor',
  ),
  rewrite(
    BOOK,
    'a hash does not depend on the chain',
    'abi.encode(block.chainid,',
    'abi.encode($ON ? 0 : block.chainid,',
    'test_hash_of_a_policy_is_of_this_chain_and_executor',
  ),
  // Policies that must be rejected.
  remove(
    BOOK,
    'any market is called',
    'if (!isMarket[p.market]) revert InvalidPolicy("market");',
    'test_market_that_is_not_the_executors_cannot_be_named',
  ),
  remove(
    BOOK,
    'a one-shot policy can be wasted',
    'if (\n            p.minHealthFactorAfter <= ONE || p.minHealthFactorAfter > p.targetHealthFactor\n                || (p.oneShot && p.minHealthFactorAfter < p.triggerHealthFactor)\n        ) revert InvalidPolicy("minHealthFactorAfter");',
    'test_minimum_after',
  ),
  remove(
    BOOK,
    'slippage has no limit',
    'if (p.maxSlippageBps > MAX_LOSS_BPS) revert InvalidPolicy("maxSlippageBps");',
    'test_losses',
  ),
  remove(
    BOOK,
    'a market is a port',
    'if ((p.swapPort != address(0)) != sells || isMarket[p.swapPort] || p.swapPort == address(this)) {\n            revert InvalidPolicy("swapPort");\n        }',
    'test_swap_port',
  ),
  // Limits.
  remove(
    BOOK,
    'a run has no limit',
    'if (amount > policy.maxRepayPerRun) revert RepayAboveRunLimit(amount, policy.maxRepayPerRun);',
    'test_run_limit_at_its_edge',
  ),
  remove(
    BOOK,
    'a day has no limit',
    'if (amount > remaining) revert RepayAboveDayLimit(amount, remaining);',
    'test_day_limit_two_runs_in_a_block',
  ),
  remove(
    BOOK,
    'a day counts no amounts',
    '_spending[_debtKey(policyOwner, policy)].add(block.timestamp, amount);',
    'test_day_limit_two_runs_in_a_block',
  ),
  change(
    BOOK,
    'each policy has its own daily limit',
    'abi.encode(policyOwner, policy.market, policy.marketId, policy.debt)',
    'abi.encode(policyOwner, policy.market, policy.marketId, policy.debt, policy.collateral)',
    'test_two_policies_on_one_allowance_share_the_day',
  ),
  change(
    WINDOW,
    'a day ends early',
    'bucket.number + BUCKETS > current',
    'bucket.number + BUCKETS > current + 1',
    'test_day_limit_at_its_border',
  ),
  remove(
    BASE,
    'a day counts the requested amount',
    '_giveBack(job.owner, policy, job.amount - moved.repaid);',
    'test_day_counts_what_was_repaid',
  ),
  change(
    BASE,
    'a run repays more than the debt',
    'Math.min(run.repayAmount, _debtBalance(job.policy, job.owner))',
    'run.repayAmount',
    'test_repay_above_the_debt_takes_the_debt',
  ),
  remove(
    BASE,
    'no trigger',
    'if (outcome.healthFactorBefore >= policy.triggerHealthFactor) {\n            revert HealthFactorAboveTrigger(outcome.healthFactorBefore, policy.triggerHealthFactor);\n        }',
    'test_trigger_at_its_edge',
  ),
  remove(
    BASE,
    'no minimum after',
    'if (reached < policy.minHealthFactorAfter) {\n            revert HealthFactorBelowMinimum(reached, policy.minHealthFactorAfter);\n        }',
    'test_minimum_health_factor_after_at_its_edge',
  ),
  remove(
    BASE,
    'over-repays',
    'if (reached > highest) revert HealthFactorAboveTarget(reached, highest);',
    'test_over_repay_is_refused',
  ),
  remove(
    BASE,
    'worse than before',
    'if (reached <= outcome.healthFactorBefore) revert HealthFactorNotBetter(outcome.healthFactorBefore, reached);',
    'test_a_sale_that_eats_the_gain_is_refused',
  ),
  remove(
    BASE,
    'sells more than is needed',
    'if (job.sellAmount > most) revert SellAboveLimit(job.sellAmount, most);',
    'test_sale_above_its_need_is_refused',
  ),
  remove(
    BASE,
    'any flash fee',
    'if (fee > limit) revert FlashFeeAboveLimit(fee, limit);',
    'test_flash_premium_changed_is_refused',
  ),
];

module.exports = { POLICY_MUTANTS };
