import type { FormulaResult, Market, ReadWords } from '../receipt-math';
import { normalizedIncome } from './interest-math';
import { arithmeticOf, decodeReserveConfiguration, isBorrowing, isUsingAsCollateral } from './math';

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

/**
 * The figures of a wallet from the results of calls: pool, oracle and tokens follow from the contract of the registry,
 * amounts and thresholds from what the protocol stores.
 */
export function recomputeAaveV3({ contracts, wallet, timestamp }: Market, read: ReadWords): FormulaResult {
  const provider =
    contracts['addressesProvider'] ?? read(contracts['protocolDataProvider']!, '0x0542975c')[0]!;
  const pool = read(provider, '0x026b1d5f')[0]!;
  const oracle = read(provider, '0xfca513a8')[0]!;
  const revision = read(pool, '0x0148170e')[0]!;
  const arithmetic = arithmeticOf(revision);
  const priceDecimals = read(oracle, '0x8c89b64f')[0]!.toString().length - 1;
  const configuration = read(pool, '0x4417a583', wallet)[0]!;
  const eMode = eModeOf(read, { pool, oracle, wallet });
  const [, count = 0n, ...list] = read(pool, '0xd1946dbc');
  const result: FormulaResult['legs'][number][] = [];
  const holdings = list.slice(0, Number(count)).flatMap((asset) => {
    const [word = 0n, liquidityIndex = 0n, liquidityRate = 0n, variableBorrowIndex = 0n, ...more] = read(
      pool,
      '0x35ea6a75',
      asset,
    );
    const [
      variableBorrowRate = 0n,
      ,
      lastUpdate = 0n,
      id = 0n,
      aToken = 0n,
      stableToken = 0n,
      debtToken = 0n,
    ] = more;
    const accrual = { liquidityIndex, liquidityRate, variableBorrowIndex, variableBorrowRate, lastUpdate };
    const scaledSupply = read(aToken, '0x1da24f3e', wallet)[0]!;
    const scaledVariableDebt = read(debtToken, '0x1da24f3e', wallet)[0]!;
    const stable = stableDebtOf(read, stableToken, wallet);
    if (scaledSupply + scaledVariableDebt + stable.principal === 0n) return [];
    const parameters = decodeReserveConfiguration(word);
    const index = Number(id);
    const inEMode =
      eMode !== null &&
      (eMode.bitmap === null ? BigInt(parameters.eModeCategory) === eMode.id : bit(eMode.bitmap, index));
    const own = read(oracle, '0xb3596f07', asset)[0]!;
    const hasOwnPrice = !(inEMode && eMode.price !== 0n);
    const source = hasOwnPrice ? read(oracle, '0x92bf2be0', asset)[0]! : eMode.source;
    const holding = {
      scaledSupply,
      scaledVariableDebt,
      stableDebt: arithmetic.stableDebtBalance(stable, timestamp),
      usedAsCollateral: isUsingAsCollateral(configuration, index),
      borrowing: isBorrowing(configuration, index),
      normalizedIncome: normalizedIncome(accrual, timestamp),
      normalizedDebt: arithmetic.normalizedDebt(accrual, timestamp),
      price: hasOwnPrice ? own : eMode.price,
      unit: 10n ** BigInt(parameters.decimals),
      liquidationThresholdBps: parameters.liquidationThresholdBps,
      eModeThresholdBps: inEMode ? eMode.thresholdBps : null,
    };
    const { price } = holding;
    if (scaledSupply > 0n)
      result.push({
        asset,
        side: 'collateral',
        amount: arithmetic.supplyBalance(holding),
        price,
        priceDecimals,
        oracle: source,
        liquidationThresholdBps: arithmetic.effectiveThresholdBps(holding),
        usedAsCollateral: holding.usedAsCollateral,
      });
    if (scaledVariableDebt + stable.principal > 0n)
      result.push({
        asset,
        side: 'debt',
        amount: arithmetic.variableDebtBalance(holding) + holding.stableDebt,
        price,
        priceDecimals,
        oracle: source,
        liquidationThresholdBps: 0n,
        usedAsCollateral: false,
      });
    return [holding];
  });
  const totals = arithmetic.accountTotals(holdings);
  return {
    legs: result,
    totalCollateral: totals.totalCollateralBase,
    totalDebt: totals.totalDebtBase,
    healthFactor: totals.healthFactor,
  };
}

function eModeOf(
  read: ReadWords,
  { pool, oracle, wallet }: Record<'pool' | 'oracle' | 'wallet', bigint>,
): EMode | null {
  const id = read(pool, '0xeddf1b79', wallet)[0]!;
  if (id === 0n) return null;
  const [, , thresholdBps = 0n, , source = 0n] = read(pool, '0x6c6f6ae1', id);
  const hasBitmaps = read.attempt(pool, '0xb0771dba', 1n) !== null;
  return {
    id,
    thresholdBps,
    bitmap: hasBitmaps ? read(pool, '0xb0771dba', id)[0]! : null,
    source,
    price: source === 0n ? 0n : read(oracle, '0xb3596f07', source)[0]!,
  };
}

function stableDebtOf(read: ReadWords, token: bigint, wallet: bigint) {
  const none = { principal: 0n, rate: 0n, since: 0n };
  if (token === 0n || read(token, '0xf731e9be')[0] === 0n) return none;
  return {
    principal: read(token, '0xc634dfaa', wallet)[0]!,
    rate: read(token, '0xe78c9b3b', wallet)[0]!,
    since: read(token, '0x79ce6b8c', wallet)[0]!,
  };
}
