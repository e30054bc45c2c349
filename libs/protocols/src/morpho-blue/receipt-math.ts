import type { FormulaResult, Market, ReadWords } from '../receipt-math';
import { accrueMorphoMarket, morphoFigures } from './math';

const MAX_DECIMALS = 36n;
const FACTOR_PER_BPS = 10n ** 14n;

/** The figures of a wallet in the Morpho market of its sub-id. */
export function recomputeMorphoBlue(
  { contracts, wallet, subId, timestamp }: Market,
  read: ReadWords,
): FormulaResult {
  const morpho = contracts['morpho']!;
  const id = BigInt(subId);
  const params = read(morpho, '0x2c3c9157', id);
  const [loan = 0n, token = 0n, oracle = 0n, rateModel = 0n, lltv = 0n] = params;
  const stored = read(morpho, '0x5c60e39a', id);
  const [
    totalSupplyAssets = 0n,
    totalSupplyShares = 0n,
    totalBorrowAssets = 0n,
    totalBorrowShares = 0n,
    lastUpdate = 0n,
    fee = 0n,
  ] = stored;
  const rate =
    rateModel === 0n ? null : read(rateModel, '0x8c00bf6b', ...params.slice(0, 5), ...stored.slice(0, 6))[0]!;
  const market = {
    totalSupplyAssets,
    totalSupplyShares,
    totalBorrowAssets,
    totalBorrowShares,
    lastUpdate,
    fee,
  };
  const [supplyShares = 0n, borrowShares = 0n, collateral = 0n] = read(morpho, '0x93c52062', id, wallet);
  const loanDecimals = read(loan, '0x313ce567')[0]!;
  const price = read(oracle, '0xa035b1fe')[0]!;
  const figures = morphoFigures(
    accrueMorphoMarket(market, rate, timestamp),
    { supplyShares, borrowShares, collateral },
    price,
    lltv,
  );
  const inLoan = {
    asset: loan,
    price: 10n ** loanDecimals,
    priceDecimals: Number(loanDecimals),
    oracle: morpho,
    liquidationThresholdBps: 0n,
    usedAsCollateral: false,
  };
  const legs: FormulaResult['legs'][number][] = [];
  if (collateral > 0n)
    legs.push({
      asset: token,
      side: 'collateral',
      amount: collateral,
      ...shownPrice(price, MAX_DECIMALS + loanDecimals - read(token, '0x313ce567')[0]!),
      oracle,
      liquidationThresholdBps: lltv / FACTOR_PER_BPS,
      usedAsCollateral: true,
    });
  if (supplyShares > 0n) legs.push({ ...inLoan, side: 'collateral', amount: figures.supplyAssets });
  if (borrowShares > 0n) legs.push({ ...inLoan, side: 'debt', amount: figures.borrowAssets });
  return {
    legs,
    totalCollateral: figures.collateralValue,
    totalDebt: figures.borrowAssets,
    healthFactor: figures.healthFactor,
  };
}

/** Positions state prices with at most 36 decimals. */
function shownPrice(price: bigint, decimals: bigint): { price: bigint; priceDecimals: number } {
  if (decimals > MAX_DECIMALS)
    return { price: price / 10n ** (decimals - MAX_DECIMALS), priceDecimals: Number(MAX_DECIMALS) };
  if (decimals < 0n) return { price: price * 10n ** -decimals, priceDecimals: 0 };
  return { price, priceDecimals: Number(decimals) };
}
