import { planOf, type BlockRef, type MarketRow, contractOf, lowerCase } from '@plimsoll/evm';
import { slice, type Address } from 'viem';
import { PERCENTAGE_FACTOR, WAD } from '../fixed-point/math';
import { eulerAccountOf, eulerHealthFactor } from './math';
import {
  collateralLeg,
  growingDebtLeg,
  lentLeg,
  type PricedToken,
  basePrice,
  positionBase,
} from '../reader/legs';
import type { Family } from '../reader/family';
import { bonusOfShare } from '../reader/liquidation-bonus';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readTokens, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';
import {
  ACCOUNT_TOPICS,
  evcAbi,
  vaultAbi,
  readEulerAccounts,
  type EulerAccount,
  type EulerLoan,
} from './accounts';
import { readEulerTotals } from './totals';

/** ISO 4217 number of the dollar, written as an address. It has 18 decimals. */
const USD = '0x0000000000000000000000000000000000000348';

interface EulerLayout {
  /** The asset of each vault, by its address. A unit of account maps to itself. */
  tokens: ReadonlyMap<string, Token>;
}

interface EulerMarket extends EulerLayout {
  block: BlockRef;
  /** Dollars (wad) for one unit of account, by its address. Null if no oracle knows it. */
  usdPerUnit: ReadonlyMap<string, bigint | null>;
}

/**
 * Euler v2: one row is the EVC of a chain. A sub-id is the number of a sub-account (0 to 255). Values are the
 * controller's own, because its oracle may price an asset in any way. Sub-accounts without a controller are
 * not positions.
 */
export const eulerV2: Family<EulerLayout, EulerMarket, EulerAccount> = {
  async readLayout(scope, block, keys) {
    const plan = planOf(scope.row, 'vaults');
    const evc = contractOf(scope.row, 'evc');
    const probe = plan.call(evc, evcAbi, 'getControllers', [evc]);
    const slots = keys.map((key) => plan.call(key as Address, vaultAbi, 'asset', []));
    const assets = await scope.multicall.read(
      plan.build(({ value, outcome }) => {
        value(probe);
        return slots.map((slot, index) => {
          const result = outcome(slot);
          return result.ok ? lowerCase(result.value) : (keys[index] as Address);
        });
      }),
      block,
    );
    const named = await readTokens(scope, assets, block);
    const dollar = { address: USD, symbol: 'USD', decimals: 18 } as const;
    const tokens = named.map(
      (token, index) => [keys[index]!, token.address === USD ? dollar : token] as const,
    );
    return { tokens: new Map<string, Token>(tokens) };
  },

  async readMarket({ row, multicall, usdOracles }, { tokens }, block) {
    const plan = planOf(row, 'units of account');
    const evc = contractOf(row, 'evc');
    const probe = plan.call(evc, evcAbi, 'getControllers', [evc]);
    const prices = [...tokens.keys()].map((key) => ({
      key,
      usd: addUsdPrice(plan, usdOracles, key as Address),
    }));
    return multicall.read(
      plan.build((results) => {
        results.value(probe);
        const known = prices.map(({ key, usd }) => [key, key === USD ? WAD : usd(results)] as const);
        return { block, tokens, usdPerUnit: new Map(known) };
      }),
      block,
    );
  },

  readAccounts: readEulerAccounts,

  readTotals: readEulerTotals,

  evaluate(row, market, { wallet, loans }) {
    const positions: RawPosition[] = [];
    for (const loan of loans) {
      if (loan.debt === 0n && loan.collaterals.length === 0) continue;
      const position = positionOf(row, market, wallet, loan);
      if (!position) return null;
      positions.push(position);
    }
    return positions;
  },

  index: async ({ row }) => [
    {
      addresses: [contractOf(row, 'evc')],
      topics: ACCOUNT_TOPICS,
      entriesOf: ({ topics }) => {
        const account = slice(topics[1]!, 12);
        return [{ wallet: eulerAccountOf(account, '00'), subId: account.slice(-2) }];
      },
      filedUnder: (wallet) => eulerAccountOf(wallet, '00'),
    },
  ],
};

function positionOf(
  row: MarketRow,
  { block, tokens, usdPerUnit }: EulerMarket,
  wallet: Address,
  { number, controller, unit, oracle, debt, liability, maxDiscountBps, collaterals }: EulerLoan,
): RawPosition | null {
  const [asset, counted] = [tokens.get(controller), tokens.get(unit)];
  if (!asset || !counted) return null;
  const priced = (token: Token, value: bigint, amount: bigint): PricedToken => {
    const scaled = amount === 0n ? 0n : (value * 10n ** BigInt(token.decimals)) / amount;
    return { ...token, ...basePrice(scaled, counted.decimals), oracle };
  };
  // The discount grows with 1 − HF up to this one.
  const bonusBps = bonusOfShare(((PERCENTAGE_FACTOR - maxDiscountBps) * WAD) / PERCENTAGE_FACTOR);
  const legs: RawLeg[] = [];
  for (const { vault, shares, assets, ltvBps, value } of collaterals) {
    const token = tokens.get(vault);
    if (!token) return null;
    const amount = { amountRaw: assets, scaledRaw: shares };
    legs.push(
      ltvBps > 0n
        ? collateralLeg(priced(token, value, assets), amount, ltvBps, bonusBps)
        : lentLeg(priced(token, value, assets), amount),
    );
  }
  if (debt > 0n) legs.push(growingDebtLeg(priced(asset, liability, debt), debt));
  const sum = (field: 'value' | 'adjusted'): bigint =>
    collaterals.reduce((total, collateral) => total + collateral[field], 0n);
  return {
    ...positionBase(row, block, wallet, String(number)),
    legs,
    totalCollateralRaw: sum('value'),
    totalDebtRaw: liability,
    priceDecimals: counted.decimals,
    usdPerBaseRaw: usdPerUnit.get(unit) ?? null,
    healthFactorRaw: eulerHealthFactor(sum('adjusted'), liability),
  };
}
