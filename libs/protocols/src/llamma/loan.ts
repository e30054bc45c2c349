import type { WalletEvents, CallResults, PlanBuilder } from '@plimsoll/evm';
import { parseAbi, slice, toEventSelector, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { llammaCollateralValue, llammaHealthFactor } from './math';
import { collateralLeg, dollarToken, growingDebtLeg, type PricedToken } from '../reader/legs';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import type { Token } from '../reader/tokens';

/** A controller and its AMM (curvefi/curve-stablecoin). */
export const llammaAbi = parseAbi([
  'function coins(uint256 index) view returns (address)',
  'function price_oracle() view returns (uint256)',
  'function rate() view returns (uint256)',
  'function total_debt() view returns (uint256)',
  'function balanceOf(address holder) view returns (uint256)',
  'function loan_exists(address user) view returns (bool)',
  'function user_state(address user) view returns (uint256[4])',
  'function health(address user, bool full) view returns (int256)',
  'function liquidation_discounts(address user) view returns (uint256)',
  'function has_liquidity(address user) view returns (bool)',
]);
const BORROW = toEventSelector('Borrow(address,uint256,uint256)');
/** The event of controllers since LlamaLend's second factory, which name the caller before the borrower. */
const BORROW_BY = toEventSelector('Borrow(address,address,uint256,uint256)');
/** Events of a controller for new borrowers. Some of the older ones do not index the borrower. */
export const BORROW_EVENTS: WalletEvents = {
  topics: [BORROW, BORROW_BY],
  walletsOf: ({ topics: [topic, first, second], data }) => [
    slice((topic === BORROW_BY ? second : first) ?? data, 12, 32),
  ],
};
const PRICE_DECIMALS = 18;

/** A loan as its controller states it. Amounts are in units of their tokens, health and discount in wad. */
export interface LlammaLoan {
  collateral: bigint;
  /** Collateral that was sold on the way down: above 0 the loan is in soft liquidation. */
  converted: bigint;
  debt: bigint;
  health: bigint;
  discount: bigint;
}

/** An AMM with its tokens. `price` (wad): of one whole collateral in whole units of the borrowed token. */
export interface LlammaPair {
  amm: Address;
  borrowed: Token;
  collateral: Token;
  price: bigint;
  /**
   * The market price of the borrowed token in dollars (wad), if the protocol counts it at one dollar. Null if no
   * oracle of the chain has it.
   */
  borrowedUsd?: bigint | null;
}

/**
 * Adds the reads of an AMM's balance and of the debts to its controller, in smallest units of the borrowed
 * token. The total includes the fees that the AMM owes its admin.
 */
export function addLlammaTotals(
  plan: PlanBuilder,
  controller: Address,
  { amm, borrowed, collateral, price }: LlammaPair,
): (results: CallResults) => { held: bigint; debt: bigint } {
  const secured = plan.call(collateral.address, llammaAbi, 'balanceOf', [amm]);
  const converted = plan.call(borrowed.address, llammaAbi, 'balanceOf', [amm]);
  const debt = plan.call(controller, llammaAbi, 'total_debt', []);
  return ({ value }) => {
    const worth =
      (value(secured) * price * 10n ** BigInt(borrowed.decimals)) /
      10n ** BigInt(collateral.decimals + PRICE_DECIMALS);
    return { held: worth + value(converted), debt: value(debt) };
  };
}

/** Adds the reads of a loan that exists. */
export function addLoan(
  plan: PlanBuilder,
  controller: Address,
  wallet: Address,
): (results: CallResults) => LlammaLoan {
  const state = plan.call(controller, llammaAbi, 'user_state', [wallet]);
  const health = plan.call(controller, llammaAbi, 'health', [wallet, true]);
  const discount = plan.call(controller, llammaAbi, 'liquidation_discounts', [wallet]);
  return ({ value }) => {
    const [collateral, converted, debt] = value(state);
    return { collateral, converted, debt, health: value(health), discount: value(discount) };
  };
}

/** Legs and figures of a loan, in units of the borrowed token. The health is the controller's own. */
export function loanFigures(
  { amm, borrowed, collateral, price, borrowedUsd = null }: LlammaPair,
  loan: LlammaLoan,
): Pick<
  RawPosition,
  'legs' | 'totalCollateralRaw' | 'totalDebtRaw' | 'priceDecimals' | 'healthFactorRaw' | 'flags'
> {
  const secured: PricedToken = { ...collateral, priceRaw: price, priceDecimals: PRICE_DECIMALS, oracle: amm };
  const inBorrowed = dollarToken(borrowed, amm, borrowedUsd);
  const thresholdBps = (WAD - loan.discount) / 10n ** 14n;
  const legs: RawLeg[] = [];
  if (loan.collateral > 0n) legs.push(collateralLeg(secured, { amountRaw: loan.collateral }, thresholdBps));
  if (loan.converted > 0n) legs.push(collateralLeg(inBorrowed, { amountRaw: loan.converted }, thresholdBps));
  legs.push(growingDebtLeg(inBorrowed, loan.debt));
  return {
    legs,
    totalCollateralRaw: llammaCollateralValue(loan, price, {
      collateral: collateral.decimals,
      borrowed: borrowed.decimals,
    }),
    totalDebtRaw: loan.debt,
    priceDecimals: borrowed.decimals,
    healthFactorRaw: llammaHealthFactor(loan.health),
    flags: loan.converted > 0n ? ['soft_liquidation'] : [],
  };
}
