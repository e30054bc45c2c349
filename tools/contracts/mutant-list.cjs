// One mutant for each safety: what it stands as, what stands there without it, and the test that must see it.
// `statement`: `original` is one statement (or several), `expression`: an expression.
const remove = (file, name, original, test) => ({ file, name, original, mutated: '', test });
const change = (file, name, original, mutated, test) => ({
  file,
  name,
  original,
  mutated,
  test,
  kind: 'expression',
});

/** @param text with $ON where it asks whether the mutant is on */
const rewrite = (file, name, original, text, test) => ({
  file,
  name,
  original,
  mutated: text,
  test,
  kind: 'text',
});

const BASE = 'ExecutorBase.sol';
const BOOK = 'PolicyBook.sol';
const FLASH = 'FlashCallback.sol';
const PRICES = 'Prices.sol';
const WINDOW = 'SpendingWindow.sol';
const AAVE = 'aave/AaveV3Executor.sol';
const MORPHO = 'morpho/MorphoBlueExecutor.sol';
const LENDER = 'morpho/MorphoFlashLoan.sol';
const COMET = 'comet/CometExecutor.sol';
const COMPOUND = 'compound/CompoundV2Executor.sol';

const MUTANTS = [
  // Who and when.
  remove(
    BASE,
    'anybody is a keeper',
    'if (!isKeeper[msg.sender]) revert NotKeeper(msg.sender);',
    'test_foreign_keeper_is_refused',
  ),
  rewrite(
    BASE,
    'a keeper stays one',
    'isKeeper[keeper] = allowed;',
    'isKeeper[keeper] = $ON || allowed;',
    'test_revoked_keeper_is_refused',
  ),
  remove(
    BOOK,
    'anybody revokes',
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
    'a deadline is as far as you like',
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
    'an upgraded market is taken',
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
    'a hash is of any executor',
    'block.chainid, address(this), id',
    'block.chainid, $ON ? address(0) : address(this), id',
    'test_hash_of_a_policy_is_of_this_chain_and_executor',
  ),
  rewrite(
    BOOK,
    'a hash is of any chain',
    'abi.encode(block.chainid,',
    'abi.encode($ON ? 0 : block.chainid,',
    'test_hash_of_a_policy_is_of_this_chain_and_executor',
  ),
  // What a policy may not say.
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
    'a slippage of everything',
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
    'no limit of a run',
    'if (amount > policy.maxRepayPerRun) revert RepayAboveRunLimit(amount, policy.maxRepayPerRun);',
    'test_run_limit_at_its_edge',
  ),
  remove(
    BOOK,
    'no limit of a day',
    'if (amount > remaining) revert RepayAboveDayLimit(amount, remaining);',
    'test_day_limit_two_runs_in_a_block',
  ),
  remove(
    BOOK,
    'a day counts nothing',
    '_spending[_debtKey(policyOwner, policy)].add(block.timestamp, amount);',
    'test_day_limit_two_runs_in_a_block',
  ),
  change(
    BOOK,
    'each policy has a day of its own',
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
    'a day counts what was asked for',
    '_giveBack(job.owner, policy, job.amount - moved.repaid);',
    'test_day_counts_what_was_repaid',
  ),
  change(
    BASE,
    'more than the debt',
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
  // Swaps.
  remove(
    BASE,
    'any swap will do',
    'if (received < minimum) revert SwapBelowMinimum(received, minimum);',
    'test_port_that_pays_a_unit_less_is_refused',
  ),
  change(
    BASE,
    'a sale need not cover its loan',
    'Math.max(Prices.minimumFor(sold, job.price, policy.maxSlippageBps), needed)',
    'Prices.minimumFor(sold, job.price, policy.maxSlippageBps)',
    'test_flash_loan_must_be_covered_by_the_sale',
  ),
  {
    file: BASE,
    name: 'the balance is taken for the proceeds',
    original: 'received = IERC20(policy.debt).balanceOf(address(this)) - before;',
    mutated: 'received = IERC20(policy.debt).balanceOf(address(this));',
    test: 'test_donations_change_nothing_and_stay',
  },
  change(
    PRICES,
    'slippage a basis point wider',
    'Math.mulDiv(fair, BPS - slippageBps, BPS, Math.Rounding.Ceil)',
    'Math.mulDiv(fair, BPS - slippageBps - 1, BPS, Math.Rounding.Ceil)',
    'test_sandwich_at_the_limit',
  ),
  change(
    PRICES,
    'dust for nothing',
    'Math.mulDiv(amount, price, SCALE, Math.Rounding.Ceil)',
    'Math.mulDiv(amount, price, SCALE)',
    'test_one_wei_griefing_is_refused',
  ),
  rewrite(
    BASE,
    'the deadline of the swap is now',
    'amount, minimum, deadline, route',
    'amount, minimum, $ON ? block.timestamp : deadline, route',
    'test_port_gets_the_real_deadline',
  ),
  {
    file: BASE,
    name: 'the answer of a port is copied',
    original:
      'assembly ("memory-safe") {\n            done := call(gas(), port, 0, add(data, 0x20), mload(data), 0, 0)\n        }',
    mutated: 'bytes memory answer; (done, answer) = port.call(data);',
    test: 'test_return_bomb_costs_nothing_here',
  },
  remove(
    BASE,
    'what is left over stays',
    'if (amount != 0) IERC20(token).safeTransfer(to, amount);',
    'test_left_over_collateral_and_debt_go_to_the_owner',
  ),
  {
    file: BASE,
    name: 'a donation goes to the next owner',
    original: 'amount = actual - before;',
    mutated: 'amount = actual;',
    test: 'test_donations_change_nothing_and_stay',
  },
  // Prices.
  remove(
    PRICES,
    'a price of nothing',
    'if (answer <= 0) revert IExecutor.BadPrice(feed);',
    'test_zero_and_negative_prices_are_refused',
  ),
  change(
    PRICES,
    'a price of last week',
    'block.timestamp - updatedAt > maxAge',
    'false',
    'test_stale_feed_is_refused_at_its_second',
  ),
  rewrite(
    PRICES,
    'a price of tomorrow',
    'updatedAt > block.timestamp ||',
    '!$ON && updatedAt > block.timestamp ||',
    'test_feed_of_the_future_is_refused',
  ),
  remove(
    PRICES,
    'a sequencer that is down',
    'if (answer != 0 || startedAt == 0 || block.timestamp - startedAt <= SEQUENCER_GRACE_SECONDS) {\n            revert IExecutor.SequencerDown();\n        }',
    'test_paused_sequencer_is_refused',
  ),
  remove(
    BASE,
    'two prices that disagree',
    'if (low < Math.mulDiv(high, BPS - policy.maxSlippageBps, BPS)) revert PricesDisagree(ofMarket, ofFeeds);',
    'test_oracle_moved_before_the_run_is_refused',
  ),
  remove(
    BASE,
    'a price that the swap moved',
    'if (_price(policy) != job.price) revert PriceMoved();',
    'test_oracle_moved_by_the_swap_is_refused',
  ),
  {
    file: BASE,
    name: 'the worse price',
    original: 'return high;',
    mutated: 'return low;',
    test: 'test_sale_is_held_to_the_better_price',
  },
  remove(
    BASE,
    'a market without a price',
    'if (ofMarket == 0) revert BadPrice(policy.market);',
    'test_market_price_of_zero_is_refused',
  ),
  // Calls that come back.
  remove(
    FLASH,
    'any callback',
    'if (EXPECTED.asBytes32().tload() != _commitment(msg.sender, data)) revert UnexpectedCallback();',
    'test_pool_that_changes_the_data_is_refused',
  ),
  remove(
    FLASH,
    'a second callback',
    'EXPECTED.asBytes32().tstore(0);',
    'test_pool_that_calls_back_twice_is_refused',
  ),
  remove(
    FLASH,
    'no callback',
    'if (EXPECTED.asBytes32().tload() != 0) revert UnexpectedCallback();',
    'test_pool_that_never_calls_back_is_refused',
  ),
  remove(
    FLASH,
    'another amount',
    'if (lent != job.amount) revert UnexpectedCallback();',
    'test_pool_that_names_another_amount_is_refused',
  ),
  change(
    FLASH,
    'any lender',
    'abi.encode(lender, data)',
    'abi.encode(address(0), data)',
    'test_callback_of_another_than_the_lender_is_refused',
  ),
  remove(
    AAVE,
    'a foreign initiator',
    'if (initiator != address(this)) revert UnexpectedCallback();',
    'test_callback_by_the_right_pool_for_a_foreign_initiator_is_refused',
  ),
  // Tokens.
  remove(
    BASE,
    'takes less than it says',
    'if (actual != before + amount) revert UnexpectedBalance(token, before + amount, actual);',
    'test_fee_on_transfer_is_refused',
  ),
  remove(
    BASE,
    'repays less than it says',
    'if (actual + amount != before) revert UnexpectedBalance(policy.debt, before - amount, actual);',
    'test_pool_that_takes_less_than_it_says_is_refused',
  ),
  change(
    BASE,
    'an allowance that was not used stays',
    'IERC20(token).allowance(address(this), spender) != 0',
    'false',
    'test_allowance_that_was_not_used_is_taken_back',
  ),
  {
    file: BASE,
    name: 'a token that answers nothing',
    original: 'IERC20(token).safeTransferFrom(from, address(this), amount);',
    mutated: 'IERC20(token).transferFrom(from, address(this), amount);',
    test: 'test_no_return_value_is_taken_as_it_is',
  },
  // The families.
  change(
    MORPHO,
    'interest is forgotten',
    'elapsed != 0 && assets != 0',
    'false',
    'test_interest_since_the_last_touch_is_counted',
  ),
  remove(
    MORPHO,
    'another loan token',
    'if (params.loanToken != policy.debt) revert InvalidPolicy("debt");',
    'test_what_is_not_the_markets_cannot_be_written',
  ),
  change(
    COMET,
    'collateral that does not count',
    'info.liquidateCollateralFactor',
    'info.borrowCollateralFactor',
    'test_repay_debt',
  ),
  remove(
    COMPOUND,
    'an error code is no error',
    'if (errorCode != 0) revert MarketCallFailed(errorCode);',
    'test_error_code_is_a_refusal',
  ),
  remove(
    COMPOUND,
    'interest is not accrued',
    '_succeeded(IVToken(policy.debtMarket).accrueInterest());',
    'test_run_accrues_first',
  ),
  change(
    COMPOUND,
    "another token's market",
    'IVToken(vToken).underlying() == token',
    'true',
    'test_what_is_not_the_markets_cannot_be_written',
  ),
];

module.exports = { MUTANTS };
