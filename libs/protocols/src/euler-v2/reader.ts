import {
  planOf,
  type BlockRef,
  type MarketRow,
  contractOf,
  lowerCase,
  optionalContractOf,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import { PERCENTAGE_FACTOR, WAD } from '../fixed-point/math';
import { eulerAdjusted, eulerHealthFactor } from './math';
import {
  collateralLeg,
  growingDebtLeg,
  lentLeg,
  type PricedToken,
  basePrice,
  positionBase,
  unreadablePosition,
} from '../reader/legs';
import type { EvaluatedPosition, Family } from '../reader/family';
import { bonusOfShare } from '../reader/liquidation-bonus';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readTokens, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';
import { evcAbi, factoryAbi, vaultAbi } from './abi';
import {
  isHeld,
  readEulerAccounts,
  type EulerAccount,
  type EulerDeposit,
  type EulerLoan,
  type EulerSubAccount,
  type EulerSupply,
} from './accounts';
import { readEulerAnnouncements } from './announcements';
import { readEulerIndex, readVaults } from './index-sources';
import { readEulerRates } from './rates';
import { readEulerTotals } from './totals';

/** ISO 4217 number of the dollar, written as an address. It has 18 decimals. */
const USD = '0x0000000000000000000000000000000000000348';

interface EulerLayout {
  /** The asset of each vault, by its address. A unit of account maps to itself. */
  tokens: ReadonlyMap<string, Token>;
  /** The vaults that the factory had created at a block. Those that it creates later must be indexed too. */
  listed: { vaults: number; blockHash: string };
}

interface EulerMarket extends Pick<EulerLayout, 'tokens'> {
  block: BlockRef;
  /** Dollars (wad) for one unit of the asset of a vault, or of a unit of account. Null if no oracle knows it. */
  usd: ReadonlyMap<string, bigint | null>;
}

/**
 * Decimals of an asset or a unit of account without decimals(), such as the dollar. Source: euler-vault-kit, EVault
 * Token.sol, decimals; euler-price-oracle, BaseAdapter.sol, _getDecimals.
 */
const MISSING_DECIMALS = 18;

/**
 * Euler v2: one row is the EVC of a chain. A sub-id is the number of a sub-account (0 to 255). Values of a sub-account with
 * a controller are the controller's own, because its oracle may price an asset in any way. Shares that secure nothing have
 * the prices of the chain's dollar oracles.
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
    const named = await readTokens(scope, assets, block, MISSING_DECIMALS);
    const dollar = { address: USD, symbol: 'USD', decimals: MISSING_DECIMALS } as const;
    const tokens = named.flatMap((token, index): [string, Token][] =>
      token ? [[keys[index]!, token.address === USD ? dollar : token]] : [],
    );
    const { length: vaults } = await readVaults(scope, block);
    return { tokens: new Map(tokens), listed: { vaults, blockHash: block.hash } };
  },

  async readMarket({ row, multicall, usdOracles }, { tokens, listed }, block) {
    const plan = planOf(row, 'prices');
    const evc = contractOf(row, 'evc');
    const factory = optionalContractOf(row.contracts, 'eVaultFactory');
    const length =
      factory && listed.blockHash !== block.hash
        ? plan.call(factory, factoryAbi, 'getProxyListLength', [])
        : null;
    const probe = plan.call(evc, evcAbi, 'getControllers', [evc]);
    const prices = [...tokens].map(([key, { address }]) => ({
      key,
      usd: addUsdPrice(plan, usdOracles, address),
    }));
    return multicall.read(
      plan.build((results) => {
        results.value(probe);
        if (length && Number(results.value(length)) !== listed.vaults) return null;
        const known = prices.map(({ key, usd }) => [key, key === USD ? WAD : usd(results)] as const);
        return { block, tokens, usd: new Map(known) };
      }),
      block,
    );
  },

  readAccounts: readEulerAccounts,

  readTotals: readEulerTotals,

  readRates: readEulerRates,

  readAnnouncements: readEulerAnnouncements,

  evaluate: (row, market, { wallet, accounts }) =>
    accounts.flatMap((account) => {
      // Any account can create a vault of a token without a known size, and send its shares to a wallet. They hide nothing else.
      const isKnown = ({ vault }: EulerDeposit): boolean => market.tokens.has(vault);
      const unknown = account.deposits.filter((deposit) => !isKnown(deposit));
      const known = { ...account, deposits: account.deposits.filter(isKnown) };
      const unreadable = (subId: string): RawPosition => unreadablePosition(row, market.block, wallet, subId);
      const own = positionOf(row, market, wallet, known) ?? unreadable(String(account.number));
      return [
        ...(isHeld(known.loan) || known.deposits.length > 0 ? [own] : []),
        ...unknown.map(({ vault }) => unreadable(`${account.number}:${vault}`)),
      ];
    }),

  index: readEulerIndex,
};

function positionOf(
  row: MarketRow,
  market: EulerMarket,
  wallet: Address,
  { number, loan, deposits }: EulerSubAccount,
): EvaluatedPosition | null {
  if (loan === 'unreadable') return null;
  const base = positionBase(row, market.block, wallet, String(number));
  if (loan) {
    const figures = loanFigures(market, loan);
    return (
      figures && { ...base, ...figures, legs: [...figures.legs, ...depositLegs(market, deposits, loan.unit)] }
    );
  }
  const legs = depositLegs(market, deposits, USD);
  return {
    ...base,
    legs,
    totalCollateralRaw: 0n,
    totalDebtRaw: 0n,
    priceDecimals: MISSING_DECIMALS,
    usdPerBaseRaw: legs.some(({ priceRaw }) => priceRaw > 0n) ? WAD : null,
    healthFactorRaw: null,
  };
}

/** Shares of known tokens that secure nothing, in a unit of account. Those without a price in dollars have none. */
function depositLegs(
  { tokens, usd }: EulerMarket,
  deposits: readonly EulerDeposit[],
  unit: string,
): RawLeg[] {
  const perUnit = unit === USD ? WAD : usd.get(unit);
  return deposits.map(({ vault, shares, assets }) => {
    const price = perUnit ? ((usd.get(vault) ?? 0n) * WAD) / perUnit : 0n;
    const priced = { ...tokens.get(vault)!, ...basePrice(price, MISSING_DECIMALS), oracle: vault };
    return lentLeg(priced, { amountRaw: assets, scaledRaw: shares });
  });
}

function loanFigures(
  { tokens, usd }: EulerMarket,
  { controller, unit, oracle, debt, liability, adjusted, maxDiscountBps, collaterals }: EulerLoan,
): Pick<
  EvaluatedPosition,
  | 'legs'
  | 'totalCollateralRaw'
  | 'totalDebtRaw'
  | 'priceDecimals'
  | 'usdPerBaseRaw'
  | 'healthFactorRaw'
  | 'stated'
> | null {
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
  const sumOf = (amountOf: (supply: EulerSupply) => bigint): bigint =>
    collaterals.reduce((sum, collateral) => sum + amountOf(collateral), 0n);
  return {
    legs,
    totalCollateralRaw: sumOf(({ value }) => value),
    totalDebtRaw: liability,
    priceDecimals: counted.decimals,
    usdPerBaseRaw: usd.get(unit) ?? null,
    // By the values of the legs, which the prices and the thresholds of a forecast come from.
    healthFactorRaw: eulerHealthFactor(
      sumOf(({ value, ltvBps }) => eulerAdjusted(value, ltvBps)),
      liability,
    ),
    stated: { healthFactor: eulerHealthFactor(adjusted, liability) },
  };
}
