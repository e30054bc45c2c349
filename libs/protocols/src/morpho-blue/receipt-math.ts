import { decimalsOf, lentLeg, owedLeg, securedLeg, shownPrice, type FormulaLeg } from '../legs-math';
import { numberOf, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { accrueMorphoMarket, morphoFigures } from './math';

const PRICE_DECIMALS = 36;
const FACTOR_PER_BPS = 10n ** 14n;

/** The figures of a wallet in the Morpho market of its sub-id. */
export function recomputeMorphoBlue(
  { contracts, wallet, subId, timestamp }: Market,
  read: ReadWords,
): FormulaResult {
  const morpho = contracts['morpho']!;
  const id = numberOf(subId);
  const params = read.words(5, morpho, '0x2c3c9157', id);
  const [loan, token, oracle, rateModel, lltv] = params;
  const stored = read.words(6, morpho, '0x5c60e39a', id);
  const [totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, lastUpdate, fee] =
    stored;
  const rate =
    rateModel === 0n
      ? null
      : read.word(rateModel, '0x8c00bf6b', ...params.slice(0, 5), ...stored.slice(0, 6));
  const market = {
    totalSupplyAssets,
    totalSupplyShares,
    totalBorrowAssets,
    totalBorrowShares,
    lastUpdate,
    fee,
  };
  const [supplyShares, borrowShares, collateral] = read.words(3, morpho, '0x93c52062', id, wallet);
  const loanDecimals = decimalsOf(read, loan);
  const price = read.word(oracle, '0xa035b1fe');
  const figures = morphoFigures(
    accrueMorphoMarket(market, rate, timestamp),
    { supplyShares, borrowShares, collateral },
    price,
    lltv,
  );
  const inLoan = {
    asset: loan,
    decimals: loanDecimals,
    price: 10n ** BigInt(loanDecimals),
    priceDecimals: loanDecimals,
    oracle: morpho,
  };
  const legs: FormulaLeg[] = [];
  if (collateral > 0n) {
    const decimals = decimalsOf(read, token);
    const shown = shownPrice(price, PRICE_DECIMALS + loanDecimals - decimals);
    legs.push(securedLeg({ asset: token, decimals, oracle, ...shown }, collateral, lltv / FACTOR_PER_BPS));
  }
  if (supplyShares > 0n) legs.push(lentLeg(inLoan, figures.supplyAssets));
  if (borrowShares > 0n) legs.push(owedLeg(inLoan, figures.borrowAssets));
  return {
    legs,
    totalCollateral: figures.collateralValue,
    totalDebt: figures.borrowAssets,
    healthFactor: figures.healthFactor,
  };
}
