import {
  callAfter,
  planOf,
  readCall,
  walletEvents,
  type BlockRef,
  type MarketRow,
  type ReadCall,
} from '@plimsoll/evm';
import { encodeFunctionData, parseAbi, type Address } from 'viem';
import { fraxlendAmount, fraxlendCollateralValue, fraxlendFigures } from './math';
import {
  collateralLeg,
  debtLeg,
  lentLeg,
  type PricedToken,
  basePrice,
  positionBase,
  unreadablePosition,
} from '../reader/legs';
import type { Family, HeldAccount } from '../reader/family';
import { toUsd, totalsOf } from '../reader/market-totals';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readEach } from '../reader/read-each';
import {
  firstVersionAbi,
  fraxlendAbi as abi,
  readFraxlendLayout,
  readFraxlendMarket,
  type FraxlendLayout,
  type FraxlendMarket,
  type FraxlendPair,
} from './market';
import { readFraxlendRates } from './rates';

/** Minting shares emits a transfer too. A wallet that borrows has collateral. */
const OPENING_EVENTS = walletEvents(
  parseAbi([
    'event AddCollateral(address indexed sender, address indexed borrower, uint256 collateralAmount)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
  ]),
  { AddCollateral: [2], Transfer: [2] },
);
const LTV_TO_BPS = 10n;
const RATE_DECIMALS = 18;

interface FraxlendHolding {
  pair: Address;
  collateral: bigint;
  borrowShares: bigint;
  lentShares: bigint;
}

interface FraxlendAccount extends HeldAccount {
  holdings: readonly FraxlendHolding[];
  /** Pairs that do not state what the wallet holds. */
  failed: readonly Address[];
}

/**
 * Fraxlend: one row is the registry of a chain's pairs. A sub-id is a pair. Amounts are in the asset that a
 * pair lends.
 */
export const fraxlend: Family<FraxlendLayout, FraxlendMarket, FraxlendAccount> = {
  readLayout: readFraxlendLayout,
  readMarket: readFraxlendMarket,

  async readAccounts(scope, holders, block, market) {
    const pairs = [...(await market()).layout.pairs.keys()];
    return readEach(scope, 'accounts', holders, block, (plan, { wallet }) => {
      const slots = pairs.map((pair) => ({
        pair,
        snapshot: plan.call(pair, abi, 'getUserSnapshot', [wallet]),
      }));
      return ({ outcome }): FraxlendAccount => {
        const holdings: FraxlendHolding[] = [];
        const failed: Address[] = [];
        for (const { pair, snapshot } of slots) {
          const result = outcome(snapshot);
          if (!result.ok) {
            failed.push(pair);
            continue;
          }
          const [lentShares, borrowShares, collateral] = result.value;
          if (collateral + borrowShares + lentShares > 0n)
            holdings.push({ pair, collateral, borrowShares, lentShares });
        }
        return { wallet, holdings, failed };
      };
    });
  },

  evaluate(row, { block, pairs }, { wallet, holdings, failed }) {
    const unreadable = (pair: Address): RawPosition => unreadablePosition(row, block, wallet, pair);
    const held = holdings.map((holding) => {
      const pair = pairs.get(holding.pair);
      return pair ? positionOf(row, block, wallet, holding, pair) : unreadable(holding.pair);
    });
    return [...held, ...failed.map(unreadable)];
  },

  // No function of a pair states whether a borrower is solvent. A pair that does not state the debt leaves it recomputed.
  planFigures({ row, multicall }, { pairs }, positions) {
    const plan = planOf(row, 'debts');
    const slots = positions.map(({ subId, legs }) => {
      const [pair, shares] = [subId as Address, legs.find(({ side }) => side === 'debt')?.scaledRaw];
      return shares === undefined
        ? null
        : plan.add(debtCall(multicall.multicall3, pair, shares, pairs.get(pair)!.hasPreview));
    });
    return plan.build(({ outcome }) =>
      slots.map((slot) => {
        const debt = slot && outcome(slot);
        return { ok: true, value: debt?.ok ? { totalDebt: debt.value } : {} };
      }),
    );
  },

  readRates: async (scope, block, market) => readFraxlendRates(scope, (await market()).layout, block),

  opened: ({ layout }) => ({ addresses: [...layout.pairs.keys()], ...OPENING_EVENTS }),

  planTotals({ row }, { block, pairs }) {
    const plan = planOf(row, 'totals');
    const slots = [...pairs].map(([address, pair]) => ({
      pair,
      held: plan.call(address, abi, 'totalCollateral', []),
    }));
    return plan.build(({ value }) => {
      // A pair whose asset has no price in dollars is omitted.
      const reserves = slots.flatMap(
        ({ pair: { asset, exchangeRate, lent, borrowed, usdPerAssetRaw }, held }) => {
          if (usdPerAssetRaw === null) return [];
          const usd = (amount: bigint): number => toUsd(amount, asset.decimals, usdPerAssetRaw);
          const secured = fraxlendCollateralValue(value(held), exchangeRate);
          return [
            { suppliedUsd: usd(secured), borrowedUsd: 0 },
            { suppliedUsd: usd(lent.amount), borrowedUsd: usd(borrowed.amount) },
          ];
        },
      );
      return totalsOf(reserves, block.number);
    });
  },
};

/** The debt of shares with interest, as the pair states it. */
function debtCall(multicall3: Address, pair: Address, shares: bigint, hasPreview: boolean): ReadCall<bigint> {
  if (hasPreview) return readCall(pair, abi, 'toBorrowAmount', [shares, true, true]);
  const data = encodeFunctionData({ abi: firstVersionAbi, functionName: 'addInterest' });
  const view = readCall(pair, firstVersionAbi, 'toBorrowAmount', [shares, true]);
  return callAfter(multicall3, [{ to: pair, data }], view);
}

function positionOf(
  row: MarketRow,
  block: BlockRef,
  wallet: Address,
  { pair, collateral, borrowShares, lentShares }: FraxlendHolding,
  { asset, collateral: token, maxLtv, liquidationFee, exchangeRate, ...state }: FraxlendPair,
): RawPosition {
  const { borrowed, lent, usdPerAssetRaw } = state;
  const debt = fraxlendAmount(borrowed, borrowShares, true);
  const { collateralValue, healthFactor } = fraxlendFigures({ collateral, debt }, exchangeRate, maxLtv);
  // The inverse rate, with 18 more decimals than necessary: the value of one unit of collateral.
  const turned = exchangeRate === 0n ? 0n : 10n ** BigInt(2 * RATE_DECIMALS) / exchangeRate;
  const secured: PricedToken = {
    ...token,
    ...basePrice(turned, RATE_DECIMALS + asset.decimals - token.decimals),
    oracle: pair,
  };
  const inAsset: PricedToken = { ...asset, ...basePrice(1n, 0), oracle: pair };
  const legs: RawLeg[] = [];
  if (collateral > 0n) {
    const [threshold, bonus] = [maxLtv / LTV_TO_BPS, liquidationFee / LTV_TO_BPS];
    legs.push(collateralLeg(secured, { amountRaw: collateral }, threshold, bonus));
  }
  if (lentShares > 0n) {
    const amountRaw = fraxlendAmount(lent, lentShares, false);
    legs.push(lentLeg(inAsset, { amountRaw, scaledRaw: lentShares }));
  }
  if (borrowShares > 0n) legs.push(debtLeg(inAsset, { amountRaw: debt, scaledRaw: borrowShares }));
  return {
    ...positionBase(row, block, wallet, pair),
    legs,
    totalCollateralRaw: collateralValue,
    totalDebtRaw: debt,
    priceDecimals: asset.decimals,
    usdPerBaseRaw: usdPerAssetRaw,
    healthFactorRaw: healthFactor,
  };
}
