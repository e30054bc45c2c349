import { owedLeg, type FormulaLeg } from '../legs-math';
import type { FormulaResult, Market, ReadWords } from '../receipt-math';
import { normalizedIncome, type ReserveAccrual } from './interest-math';
import {
  arithmeticOf,
  decodeReserveConfiguration,
  isBorrowing,
  isUsingAsCollateral,
  type AaveV3Arithmetic,
} from './math';

const bit = (bitmap: bigint, id: number): boolean => ((bitmap >> BigInt(id)) & 1n) === 1n;

/** The e-mode of a wallet. */
interface EMode {
  id: bigint;
  thresholdBps: bigint;
  /** Null: reserves name their category themselves. */
  bitmap: bigint | null;
  /** 0n: it has no price of its own. */
  price: bigint;
  source: bigint;
}

/** A reserve as its pool stores it. */
export interface ReserveWords extends ReserveAccrual {
  /** The configuration. */
  word: bigint;
  id: number;
  aToken: bigint;
  stableToken: bigint;
  debtToken: bigint;
}

/** A pool of Aave, with the parts in which its versions differ. */
export interface Pool {
  pool: bigint;
  oracle: bigint;
  arithmetic: AaveV3Arithmetic;
  priceDecimals: number;
  /** Null: none. */
  eMode: EMode | null;
  reserveOf(asset: bigint): ReserveWords;
}

/**
 * The figures of a wallet from the results of calls: pool, oracle and tokens follow from the contract of the registry,
 * amounts and thresholds from what the protocol stores.
 */
export function recomputeAaveV3(market: Market, read: ReadWords): FormulaResult {
  const { contracts, wallet } = market;
  const provider =
    contracts['addressesProvider'] ?? read.word(contracts['protocolDataProvider']!, '0x0542975c');
  const pool = read.word(provider, '0x026b1d5f');
  const oracle = read.word(provider, '0xfca513a8');
  return poolFigures(market, read, {
    pool,
    oracle,
    arithmetic: arithmeticOf(read.word(pool, '0x0148170e')),
    priceDecimals: read.word(oracle, '0x8c89b64f').toString().length - 1,
    eMode: eModeOf(read, { pool, oracle, wallet }),
    reserveOf: (asset) => {
      const [word, liquidityIndex, liquidityRate, variableBorrowIndex, variableBorrowRate, , ...more] =
        read.words(11, pool, '0x35ea6a75', asset);
      const [lastUpdate, id, aToken, stableToken, debtToken] = more;
      const accrual = { liquidityIndex, liquidityRate, variableBorrowIndex, variableBorrowRate, lastUpdate };
      return { word, ...accrual, id: Number(id), aToken, stableToken, debtToken };
    },
  });
}

/** The figures of a wallet in a pool of any version. */
export function poolFigures({ wallet, timestamp }: Market, read: ReadWords, own: Pool): FormulaResult {
  const { pool, oracle, arithmetic, priceDecimals, eMode } = own;
  const configuration = read.word(pool, '0x4417a583', wallet);
  const legs: FormulaLeg[] = [];
  const holdings = read.list(pool, '0xd1946dbc').flatMap((asset) => {
    const reserve = own.reserveOf(asset);
    const { id, aToken, debtToken, stableToken } = reserve;
    const scaledSupply = read.word(aToken, '0x1da24f3e', wallet);
    const scaledVariableDebt = read.word(debtToken, '0x1da24f3e', wallet);
    const stable = stableDebtOf(read, stableToken, wallet);
    if (scaledSupply + scaledVariableDebt + stable.principal === 0n) return [];
    const parameters = decodeReserveConfiguration(reserve.word);
    const inEMode =
      eMode !== null &&
      (eMode.bitmap === null ? BigInt(parameters.eModeCategory) === eMode.id : bit(eMode.bitmap, id));
    const ownPrice = read.word(oracle, '0xb3596f07', asset);
    const hasOwnPrice = !(inEMode && eMode.price !== 0n);
    const holding = {
      scaledSupply,
      scaledVariableDebt,
      stableDebt: arithmetic.stableDebtBalance(stable, timestamp),
      usedAsCollateral: isUsingAsCollateral(configuration, id),
      borrowing: isBorrowing(configuration, id),
      normalizedIncome: normalizedIncome(reserve, timestamp),
      normalizedDebt: arithmetic.normalizedDebt(reserve, timestamp),
      price: hasOwnPrice ? ownPrice : eMode.price,
      unit: 10n ** BigInt(parameters.decimals),
      liquidationThresholdBps: parameters.liquidationThresholdBps,
      eModeThresholdBps: inEMode ? eMode.thresholdBps : null,
    };
    const priced = {
      asset,
      decimals: parameters.decimals,
      price: holding.price,
      priceDecimals,
      oracle: hasOwnPrice ? read.word(oracle, '0x92bf2be0', asset) : eMode.source,
    };
    if (scaledSupply > 0n)
      legs.push({
        ...priced,
        side: 'collateral',
        amount: arithmetic.supplyBalance(holding),
        liquidationThresholdBps: arithmetic.effectiveThresholdBps(holding),
        usedAsCollateral: holding.usedAsCollateral,
      });
    if (scaledVariableDebt + stable.principal > 0n)
      legs.push(owedLeg(priced, arithmetic.variableDebtBalance(holding) + holding.stableDebt));
    return [holding];
  });
  const totals = arithmetic.accountTotals(holdings);
  return {
    legs,
    totalCollateral: totals.totalCollateralBase,
    totalDebt: totals.totalDebtBase,
    healthFactor: totals.healthFactor,
  };
}

function eModeOf(
  read: ReadWords,
  { pool, oracle, wallet }: Record<'pool' | 'oracle' | 'wallet', bigint>,
): EMode | null {
  const id = read.word(pool, '0xeddf1b79', wallet);
  if (id === 0n) return null;
  const [, , thresholdBps, , source] = read.words(5, pool, '0x6c6f6ae1', id);
  const hasBitmaps = read.attempt(pool, '0xb0771dba', 1n) !== null;
  return {
    id,
    thresholdBps,
    bitmap: hasBitmaps ? read.word(pool, '0xb0771dba', id) : null,
    source,
    price: source === 0n ? 0n : read.word(oracle, '0xb3596f07', source),
  };
}

function stableDebtOf(read: ReadWords, token: bigint, wallet: bigint) {
  const none = { principal: 0n, rate: 0n, since: 0n };
  if (token === 0n || read.word(token, '0xf731e9be') === 0n) return none;
  return {
    principal: read.word(token, '0xc634dfaa', wallet),
    rate: read.word(token, '0xe78c9b3b', wallet),
    since: read.word(token, '0x79ce6b8c', wallet),
  };
}
