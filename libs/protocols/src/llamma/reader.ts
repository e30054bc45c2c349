import { planOf, type BlockRef, contractOf } from '@plimsoll/evm';
import { parseAbi, type Address } from 'viem';
import { positionBase, unreadablePosition } from '../reader/legs';
import type { Family, HeldAccount } from '../reader/family';
import { toUsd, totalsOf } from '../reader/market-totals';
import type { RawPosition } from '../reader/raw-position';
import { orNull, readEach, readFurther, valueOrNull } from '../reader/read-each';
import { readTokens } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';
import { FIRST_FACTORY, SECOND_FACTORY, factoryAbi, readLendMarkets, type LendFactory } from './lend-factory';
import {
  addLlammaTotals,
  addLoan,
  llammaAbi,
  type LlammaLoan,
  type LlammaPair,
  BORROW_EVENTS,
  loanFigures,
} from './loan';
import { readLlammaRates } from './rates';

const abi = parseAbi(['function totalAssets() view returns (uint256)']);

interface LendLayout {
  factory: Address;
  markets: readonly {
    controller: Address;
    vault: Address;
    amm: Address;
    /** Null: one of them states no decimals. */
    coins: Pick<LlammaPair, 'borrowed' | 'collateral'> | null;
  }[];
}

interface LendMarket {
  block: BlockRef;
  controllers: readonly Address[];
  /** The AMM of each controller. */
  amms: ReadonlyMap<Address, Address>;
  /** By controller. Controllers whose oracle fails are omitted. */
  pairs: ReadonlyMap<Address, LlammaPair & { vault: Address; usdPerBorrowedRaw: bigint | null }>;
}

interface LendAccount extends HeldAccount {
  /** A loan is null where the controller cannot state it, as when its oracle fails. */
  loans: readonly { controller: Address; loan: LlammaLoan | null }[];
}

/**
 * LlamaLend: one row is a factory of one-way markets. A sub-id is the controller of a market. As in the mint
 * markets the health is the controller's own. The amount that a wallet lent to a vault is not a position.
 */
function lendLike(lendFactory: LendFactory, hasFee: boolean): Family<LendLayout, LendMarket, LendAccount> {
  return {
    async readLayout(scope, block) {
      const factory = contractOf(scope.row, lendFactory.contract);
      const parts = await readLendMarkets(scope, lendFactory, block);
      const tokens = await readTokens(
        scope,
        parts.flatMap(({ borrowed, collateral }) => [borrowed, collateral]),
        block,
      );
      const markets = parts.map(({ vault, controller, amm }, index) => {
        const [borrowed = null, collateral = null] = tokens.slice(2 * index, 2 * index + 2);
        return { vault, controller, amm, coins: borrowed && collateral && { borrowed, collateral } };
      });
      return { factory, markets };
    },

    async readMarket({ row, multicall, usdOracles }, { factory, markets }, block) {
      const plan = planOf(row, 'prices');
      const countSlot = plan.call(factory, factoryAbi, 'market_count', []);
      const slots = markets.flatMap(({ coins, ...market }) =>
        coins
          ? [
              {
                market: { ...market, ...coins },
                price: plan.call(market.amm, llammaAbi, 'price_oracle', []),
                usd: addUsdPrice(plan, usdOracles, coins.borrowed.address),
              },
            ]
          : [],
      );
      return multicall.read(
        plan.build((results) => {
          if (Number(results.value(countSlot)) !== markets.length) return null;
          const pairs = slots.flatMap(({ market: { controller, ...pair }, price, usd }) => {
            const result = results.outcome(price);
            if (!result.ok) return [];
            return [[controller, { ...pair, price: result.value, usdPerBorrowedRaw: usd(results) }] as const];
          });
          const controllers = markets.map(({ controller }) => controller);
          const amms = new Map(markets.map(({ controller, amm }) => [controller, amm]));
          return { block, controllers, amms, pairs: new Map(pairs) };
        }),
        block,
      );
    },

    async readAccounts(scope, holders, block, market) {
      const { controllers, amms } = await market();
      const known = await readEach(scope, 'borrowers', holders, block, (plan, { wallet }) => {
        const slots = controllers.map((controller) => ({
          controller,
          exists: plan.call(controller, llammaAbi, 'loan_exists', [wallet]),
        }));
        return ({ outcome }) => {
          const stated = slots.map(({ controller, exists }) => ({
            controller,
            exists: valueOrNull(outcome(exists)),
          }));
          return { wallet, stated: stated.filter(({ exists }) => exists !== false) };
        };
      });
      return readFurther(known, (found) =>
        readEach(scope, 'loans', found, block, (plan, { wallet, stated }) => {
          const loans = stated.map(({ controller, exists }) => ({
            controller,
            loan: exists ? addLoan(plan, controller, wallet) : null,
            // Every loan has its collateral in the AMM, which also a controller that fails cannot change.
            secured: exists ? null : plan.call(amms.get(controller)!, llammaAbi, 'has_liquidity', [wallet]),
          }));
          return (results): LendAccount => ({
            wallet,
            loans: loans.flatMap(({ controller, loan, secured }) => {
              const isNone = secured !== null && valueOrNull(results.outcome(secured)) === false;
              return isNone ? [] : [{ controller, loan: loan && orNull(() => loan(results)) }];
            }),
          });
        }),
      );
    },

    evaluate(row, { block, pairs }, { wallet, loans }) {
      const positions: RawPosition[] = [];
      for (const { controller, loan } of loans) {
        const pair = pairs.get(controller);
        if (!pair || !loan) {
          positions.push(unreadablePosition(row, block, wallet, controller));
          continue;
        }
        const { usdPerBorrowedRaw: usdPerBaseRaw } = pair;
        positions.push({
          ...positionBase(row, block, wallet, controller),
          usdPerBaseRaw,
          ...loanFigures(pair, loan),
        });
      }
      return positions;
    },

    async readRates(scope, block, market) {
      const { pairs } = await market();
      const lenders = [...pairs].map(([controller, pair]) => {
        return { subId: controller, controller, pair, vault: pair.vault, hasFee };
      });
      return readLlammaRates(scope, lenders, block);
    },

    opened: ({ controllers }) => ({ addresses: controllers, ...BORROW_EVENTS }),

    // The lent tokens are in the vault of a market. They are a different reserve than the collateral.
    planTotals({ row }, { block, pairs }) {
      const plan = planOf(row, 'totals');
      const slots = [...pairs].flatMap(([controller, pair]) => {
        const { usdPerBorrowedRaw: usd } = pair;
        if (usd === null) return [];
        const lent = plan.call(pair.vault, abi, 'totalAssets', []);
        return [
          { usd, decimals: pair.borrowed.decimals, lent, totals: addLlammaTotals(plan, controller, pair) },
        ];
      });
      return plan.build((results) => {
        const reserves = slots.flatMap(({ usd, decimals, lent, totals }) => {
          const { held, debt } = totals(results);
          const usdValue = (amount: bigint): number => toUsd(amount, decimals, usd);
          return [
            { suppliedUsd: usdValue(held), borrowedUsd: 0 },
            { suppliedUsd: usdValue(results.value(lent)), borrowedUsd: usdValue(debt) },
          ];
        });
        return reserves.length > 0 ? totalsOf(reserves, block.number) : null;
      });
    },
  };
}

/** Markets of the first factory. */
export const llamma = lendLike(FIRST_FACTORY, false);
/** Markets of the second factory, whose controllers have the same functions and keep a part of the interest. */
export const llammaSecond = lendLike(SECOND_FACTORY, true);
