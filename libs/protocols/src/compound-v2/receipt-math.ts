import { decimalsOf, ONE_DOLLAR, owedLeg, type FormulaLeg, type PricedAsset } from '../legs-math';
import type { Formula, ReadWords } from '../receipt-math';
import { compoundTotals, compoundUnderlying, type CompoundOrder } from './math';

/** The threshold of a liquidation, in getEffectiveLtvFactor of the core pool of Venus. */
const LIQUIDATION_THRESHOLD = 1n;
const NATIVE = 0n;
const NATIVE_DECIMALS = 18;
const VAI_DECIMALS = 18;
const PRICE_DECIMALS = 36;
const FACTOR_PER_BPS = 10n ** 14n;

/** The differences between the protocols of the family. */
interface Variant {
  order: CompoundOrder;
  /** The threshold (wad) of a market for a wallet. */
  thresholdOf(read: ReadWords, comptroller: bigint, wallet: bigint, token: bigint): bigint;
  /** Whether the pool lends VAI itself. */
  hasVai: boolean;
}

function compoundLike({ order, thresholdOf, hasVai }: Variant): Formula {
  return ({ contracts, wallet }, read) => {
    const comptroller = contracts['comptroller']!;
    const oracle = read.word(comptroller, '0x7dc0d1d0');
    const entered = new Set(read.list(comptroller, '0xabfceffc', wallet));
    const legs: FormulaLeg[] = [];
    const holdings = read.list(comptroller, '0xb0772d0b').flatMap((token) => {
      const tokens = read.word(token, '0x70a08231', wallet);
      const borrowed = read.word(token, '0x17bfdfbc', wallet);
      if (tokens + borrowed === 0n) return [];
      const holding = {
        tokens,
        borrowed,
        exchangeRate: read.word(token, '0xbd6d894d'),
        price: read.attemptWord(oracle, '0xfc57d4df', token) ?? 0n,
        threshold: thresholdOf(read, comptroller, wallet, token),
        entered: entered.has(token),
      };
      const asset = token === contracts['nativeMarket'] ? NATIVE : read.word(token, '0x6f307dc3');
      const decimals = asset === NATIVE ? NATIVE_DECIMALS : decimalsOf(read, asset);
      const priced = {
        asset,
        decimals,
        price: holding.price,
        priceDecimals: PRICE_DECIMALS - decimals,
        oracle,
      };
      if (tokens > 0n) legs.push(suppliedLeg(priced, holding));
      if (borrowed > 0n) legs.push(owedLeg(priced, borrowed));
      return [holding];
    });
    const vai = hasVai ? read.word(comptroller, '0x9254f5e5') : 0n;
    const vaiDebt = vai === 0n ? 0n : read.word(vai, '0x78c2f922', wallet);
    if (vaiDebt > 0n)
      legs.push(owedLeg({ asset: vai, decimals: VAI_DECIMALS, ...ONE_DOLLAR, oracle: vai }, vaiDebt));
    const { totalCollateral, totalDebt, healthFactor } = compoundTotals(holdings, order, vaiDebt);
    return { legs, totalCollateral, totalDebt, healthFactor };
  };
}

function suppliedLeg(
  priced: PricedAsset,
  { tokens, exchangeRate, threshold, entered }: Parameters<typeof compoundTotals>[0][number],
): FormulaLeg {
  return {
    ...priced,
    side: 'collateral',
    amount: compoundUnderlying(tokens, exchangeRate),
    liquidationThresholdBps: threshold / FACTOR_PER_BPS,
    usedAsCollateral: entered,
  };
}

/** Compound v2, Moonwell, BENQI. */
export const recomputeCompoundV2 = compoundLike({
  order: 'threshold-first',
  thresholdOf: (read, comptroller, _wallet, token) => read.words(2, comptroller, '0x8e8f294b', token)[1],
  hasVai: false,
});
/** The core pool of Venus on BNB Chain. */
export const recomputeVenusCore = compoundLike({
  order: 'threshold-first',
  thresholdOf: (read, comptroller, wallet, token) =>
    read.word(comptroller, '0x19ef3e8b', wallet, token, LIQUIDATION_THRESHOLD),
  hasVai: true,
});
/** Isolated pools of Venus. */
export const recomputeVenusIsolated = compoundLike({
  order: 'price-first',
  thresholdOf: (read, comptroller, _wallet, token) => read.words(3, comptroller, '0x8e8f294b', token)[2],
  hasVai: false,
});
