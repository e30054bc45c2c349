import { planOf, type BlockRef, type MarketRow, contractOf } from '@plimsoll/evm';
import type { Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { siloHealthFactor } from './math';
import {
  collateralLeg,
  debtLeg,
  lentLeg,
  type PricedToken,
  basePrice,
  positionBase,
  unreadablePosition,
} from '../reader/legs';
import type { Family } from '../reader/family';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { bonusOfFactor } from '../reader/liquidation-bonus';
import { readTokens, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';
import { siloAbi as abi, readSiloPairs, type SiloPair } from './layout';
import { readSiloAccounts, type SiloAccount, type SiloPosition } from './accounts';
import { readSiloIndex } from './index-sources';
import { readSiloRates } from './rates';
import { readSiloTotals } from './totals';

const WAD_TO_BPS = 10n ** 14n;
/** The currency of an oracle that does not name it. Its size has no effect on ratios. */
const UNNAMED_UNIT = { decimals: 18 };

interface SiloLayout {
  /** The next id of the factory. */
  nextId: bigint;
  pairs: ReadonlyMap<string, SiloPair>;
  tokens: ReadonlyMap<Address, Token>;
}

interface SiloMarket {
  layout: SiloLayout;
  block: BlockRef;
  /** Dollars (wad) for one whole token. Null if no oracle knows it. */
  usd: ReadonlyMap<Address, bigint | null>;
}

/**
 * Silo v2: one row is a factory. A sub-id is the number of a market of two silos, found by the transfers of
 * their share tokens. Values are the oracles' own. Without debt, deposits count if their silo has a
 * threshold.
 */
export const siloV2: Family<SiloLayout, SiloMarket, SiloAccount> = {
  async readLayout(scope, block, keys) {
    const { pairs, nextId } = await readSiloPairs(scope, block, keys);
    const addresses = [...pairs.values()].flatMap(({ sides, quoteToken }) => [
      ...sides.map(({ token }) => token),
      ...(quoteToken === null ? [] : [quoteToken]),
    ]);
    const tokens = (await readTokens(scope, [...new Set(addresses)], block)).filter(
      (token) => token !== null,
    );
    return { nextId, pairs, tokens: new Map(tokens.map((token) => [token.address, token])) };
  },

  async readMarket({ row, multicall, usdOracles }, layout, block) {
    const plan = planOf(row, 'prices');
    const next = plan.call(contractOf(row, 'factory'), abi, 'getNextSiloId', []);
    const slots = [...layout.tokens.keys()].map((token) => ({
      token,
      usd: addUsdPrice(plan, usdOracles, token),
    }));
    return multicall.read(
      plan.build((results) => {
        // A market more: its logs are not read yet.
        if (results.value(next) !== layout.nextId) return null;
        return { layout, block, usd: new Map(slots.map(({ token, usd }) => [token, usd(results)])) };
      }),
      block,
    );
  },

  async readAccounts(scope, holders, block, market) {
    return readSiloAccounts(scope, holders, block, (await market()).layout.pairs);
  },

  evaluate(row, market, { wallet, positions, failed }) {
    const unreadable = (id: string): RawPosition => unreadablePosition(row, market.block, wallet, id);
    return [
      ...positions.map(
        (position) => evaluateMarket(row, market, wallet, position) ?? unreadable(position.id),
      ),
      ...failed.map(unreadable),
    ];
  },

  planFigures({ row }, { layout }, positions) {
    const plan = planOf(row, 'solvency');
    const slots = positions.map(({ wallet, subId }) =>
      plan.call(layout.pairs.get(subId)!.sides[0].silo, abi, 'isSolvent', [wallet]),
    );
    return plan.build(({ outcome }) =>
      slots.map((slot) => {
        const isSolvent = outcome(slot);
        return isSolvent.ok ? { ok: true, value: { isLiquidatable: !isSolvent.value } } : isSolvent;
      }),
    );
  },

  readTotals: readSiloTotals,

  readRates: readSiloRates,

  index: readSiloIndex,
};

function evaluateMarket(
  row: MarketRow,
  { layout, block, usd }: SiloMarket,
  wallet: Address,
  { id, collateralSide, holdings }: SiloPosition,
): RawPosition | null {
  const pair = layout.pairs.get(id);
  if (!pair) return null;
  const debtSide = holdings.findIndex(({ debt }) => debt > 0n);
  // A loan against deposits of the same token needs no oracle.
  const isSameToken = collateralSide !== null && collateralSide === debtSide;
  const base = isSameToken ? pair.sides[debtSide]!.token : pair.quoteToken;
  const unit = base === null ? UNNAMED_UNIT : layout.tokens.get(base);
  if (!unit || !pair.sides.every(({ token }) => layout.tokens.has(token))) return null;
  const legs: RawLeg[] = [];
  let [totalCollateral, totalDebt] = [0n, 0n];
  pair.sides.forEach(({ token: address, oracle, threshold, liquidationFee, silo }, index) => {
    const { deposited, depositShares, debt, debtShares, depositValue, debtValue } = holdings[index]!;
    const token = layout.tokens.get(address)!;
    const priced = (value: bigint, amount: bigint): PricedToken => ({
      ...token,
      ...basePrice((value * 10n ** BigInt(token.decimals)) / amount, unit.decimals),
      oracle: oracle ?? silo,
    });
    if (deposited > 0n) {
      const value = isSameToken ? deposited : depositValue;
      const amount = { amountRaw: deposited, scaledRaw: depositShares };
      const counts = collateralSide === null ? threshold > 0n : collateralSide === index;
      if (counts) totalCollateral += value;
      legs.push(
        counts
          ? collateralLeg(
              priced(value, deposited),
              amount,
              threshold / WAD_TO_BPS,
              bonusOfFactor(WAD + liquidationFee),
            )
          : lentLeg(priced(value, deposited), amount),
      );
    }
    if (debt > 0n) {
      const value = isSameToken ? debt : debtValue;
      totalDebt += value;
      legs.push(debtLeg(priced(value, debt), { amountRaw: debt, scaledRaw: debtShares }));
    }
  });
  const threshold = collateralSide === null ? 0n : pair.sides[collateralSide].threshold;
  return {
    ...positionBase(row, block, wallet, id),
    legs,
    totalCollateralRaw: totalCollateral,
    totalDebtRaw: totalDebt,
    priceDecimals: unit.decimals,
    usdPerBaseRaw: base === null ? derivedUsd(legs, usd) : (usd.get(base) ?? null),
    healthFactorRaw: siloHealthFactor(totalCollateral, totalDebt, threshold),
  };
}

/** Dollars (wad) for one unit of the currency of prices, from an asset that a dollar oracle knows too. */
function derivedUsd(legs: readonly RawLeg[], usd: ReadonlyMap<Address, bigint | null>): bigint | null {
  for (const { address, priceRaw, priceDecimals } of legs) {
    const known = usd.get(address);
    if (known && priceRaw > 0n) return (known * 10n ** BigInt(priceDecimals)) / priceRaw;
  }
  return null;
}
