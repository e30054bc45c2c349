// Mutants without the protections of swaps, prices, callbacks, tokens and protocol families.
const { change, remove, rewrite } = require('./mutant.cjs');

const BASE = 'ExecutorBase.sol';
const FLASH = 'FlashCallback.sol';
const PRICES = 'Prices.sol';
const AAVE = 'aave/AaveV3Executor.sol';
const MORPHO = 'morpho/MorphoBlueExecutor.sol';
const COMET = 'comet/CometExecutor.sol';
const COMPOUND = 'compound/CompoundV2Executor.sol';

const RUN_MUTANTS = [
  // Swaps.
  remove(
    BASE,
    'any swap is accepted',
    'if (received < minimum) revert SwapBelowMinimum(received, minimum);',
    'test_port_that_pays_a_unit_less_is_refused',
  ),
  change(
    BASE,
    'a sale does not have to cover its loan',
    'Math.max(Prices.minimumFor(sold, job.price, policy.maxSlippageBps), needed)',
    'Prices.minimumFor(sold, job.price, policy.maxSlippageBps)',
    'test_flash_loan_must_be_covered_by_the_sale',
  ),
  {
    file: BASE,
    name: 'the balance counts as the proceeds',
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
    name: 'the return data of a port is copied',
    original:
      'assembly ("memory-safe") {\n            done := call(gas(), port, 0, add(data, 0x20), mload(data), 0, 0)\n        }',
    mutated: 'bytes memory answer; (done, answer) = port.call(data);',
    test: 'test_return_bomb_costs_nothing_here',
  },
  remove(
    BASE,
    'remaining tokens stay in the executor',
    'if (amount != 0) IERC20(token).safeTransfer(to, amount);',
    'test_left_over_collateral_and_debt_go_to_the_owner',
  ),
  {
    file: BASE,
    name: 'a donated token goes to the next owner',
    original: 'amount = actual - before;',
    mutated: 'amount = actual;',
    test: 'test_donations_change_nothing_and_stay',
  },
  // Prices.
  remove(
    PRICES,
    'a price of zero',
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
  // Callbacks.
  remove(
    FLASH,
    'any callback',
    'if (EXPECTED.asBytes32().tload() != _commitment(msg.sender, data)) revert UnexpectedCallback();',
    'test_pool_that_changes_the_data_is_refused',
  ),
  remove(
    FLASH,
    'an announcement is not used up',
    'EXPECTED.asBytes32().tstore(0);',
    'test_pool_that_keeps_to_the_rules',
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
    'a withdrawal returns less than it reports',
    'if (actual != before + amount) revert UnexpectedBalance(token, before + amount, actual);',
    'test_fee_on_transfer_is_refused',
  ),
  remove(
    BASE,
    'a repayment repays less than it reports',
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
    name: 'a token without return data',
    original: 'IERC20(token).safeTransferFrom(from, address(this), amount);',
    mutated: 'IERC20(token).transferFrom(from, address(this), amount);',
    test: 'test_no_return_value_is_taken_as_it_is',
  },
  // The families.
  rewrite(
    AAVE,
    'a unit of aTokens remains',
    'withdraw(policy.collateral, received, address(this))',
    'withdraw(policy.collateral, $ON ? amount : received, address(this))',
    'testFuzz_nothing_is_left_after_years_of_interest',
  ),
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

module.exports = { RUN_MUTANTS };
