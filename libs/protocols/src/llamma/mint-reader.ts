import { planOf, type BlockRef, contractOf, lowerCase } from '@plimsoll/evm';
import type { Address } from 'viem';
import { positionBase } from '../reader/legs';
import { WAD } from '../fixed-point/math';
import type { Family, HeldAccount } from '../reader/family';
import { mintedTotals, toUsd } from '../reader/market-totals';
import { readEach, readFurther } from '../reader/read-each';
import { readToken } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';
import {
  addLlammaTotals,
  addLoan,
  llammaAbi as abi,
  type LlammaLoan,
  type LlammaPair,
  BORROW_EVENTS,
  loanFigures,
} from './loan';
import { readLlammaRates } from './rates';

type LlammaLayout = Omit<LlammaPair, 'price' | 'borrowedUsd'>;

interface LlammaMarket {
  block: BlockRef;
  controller: Address;
  pair: LlammaPair;
}

interface LlammaAccount extends HeldAccount {
  /** Null when the wallet has none. */
  loan: LlammaLoan | null;
}

/**
 * Mint markets of crvUSD: one row is one controller with its AMM. Every trade in the AMM changes the assets
 * of loans, so the health is the controller's own and loans are read in every block. crvUSD counts as one
 * dollar, as in the protocol; its legs state its market price too.
 */
export const llammaMint: Family<LlammaLayout, LlammaMarket, LlammaAccount> = {
  async readLayout(scope, block) {
    const amm = contractOf(scope.row, 'amm');
    const entry = planOf(scope.row, 'coins');
    const slots = [0n, 1n].map((index) => entry.call(amm, abi, 'coins', [index]));
    const coins = await scope.multicall.read(
      entry.build(({ value }) => slots.map((slot) => lowerCase(value(slot)))),
      block,
    );
    const [borrowed, collateral] = await Promise.all(coins.map((coin) => readToken(scope, coin, block)));
    return { amm, borrowed: borrowed!, collateral: collateral! };
  },

  async readMarket({ row, multicall, usdOracles }, layout, block) {
    const plan = planOf(row, 'price');
    const slot = plan.call(layout.amm, abi, 'price_oracle', []);
    const borrowed = addUsdPrice(plan, usdOracles, layout.borrowed.address);
    const controller = contractOf(row, 'controller');
    return multicall.read(
      plan.build((results) => {
        const pair = { ...layout, price: results.value(slot), borrowedUsd: borrowed(results) };
        return { block, controller, pair };
      }),
      block,
    );
  },

  async readAccounts(scope, holders, block) {
    const controller = contractOf(scope.row, 'controller');
    const known = await readEach(scope, 'borrowers', holders, block, (plan, { wallet }) => {
      const slot = plan.call(controller, abi, 'loan_exists', [wallet]);
      return ({ value }) => ({ wallet, exists: value(slot) });
    });
    return readFurther(known, (found) =>
      readEach(scope, 'loans', found, block, (plan, { wallet, exists }) => {
        const loan = exists ? addLoan(plan, controller, wallet) : null;
        return (results): LlammaAccount => ({ wallet, loan: loan && loan(results) });
      }),
    );
  },

  evaluate(row, { block, pair }, { wallet, loan }) {
    if (!loan) return [];
    return [{ ...positionBase(row, block, wallet), usdPerBaseRaw: WAD, ...loanFigures(pair, loan) }];
  },

  async readRates(scope, block, market) {
    const { controller, pair } = await market();
    return readLlammaRates(scope, [{ subId: '', controller, pair, vault: null, hasFee: false }], block);
  },

  opened: ({ controller }) => ({ addresses: [controller], ...BORROW_EVENTS }),

  planTotals({ row }, { block, pair }) {
    const plan = planOf(row, 'totals');
    const totals = addLlammaTotals(plan, contractOf(row, 'controller'), pair);
    const usd = (amount: bigint, price = WAD): number => toUsd(amount, pair.borrowed.decimals, price);
    return plan.build((results) => {
      const { held, debt } = totals(results);
      const debtUsd = usd(debt, pair.borrowedUsd ?? WAD);
      return mintedTotals([{ collateralUsd: usd(held), debtUsd }], block.number);
    });
  },
};
