import { WAD } from '../fixed-point/math';
import {
  NO_POSITION,
  decimalsOf,
  lentLeg,
  owedLeg,
  securedLeg,
  shownPrice,
  type FormulaLeg,
} from '../legs-math';
import { numberOf, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { fraxlendAccrued, fraxlendAmount, fraxlendFigures } from './math';

const LTV_PER_BPS = 10n;
const RATE_DECIMALS = 18;

/** The figures of a wallet in the pair that is the sub-id. */
export function recomputeFraxlend({ contracts, wallet, subId }: Market, read: ReadWords): FormulaResult {
  const pair = numberOf(subId);
  if (!read.list(contracts['registry']!, '0x607b6d16').includes(pair)) return NO_POSITION;
  const [asset, token] = [read.word(pair, '0x38d52e0f'), read.word(pair, '0xc6e1c7c9')];
  const assetDecimals = decimalsOf(read, asset);
  const maxLtv = read.word(pair, '0xf384bd05');
  const [lentShares, borrowShares, collateral] = read.words(3, pair, '0xb68d0a09', wallet);
  const { borrowed, lent } = totalsOf(read, pair);
  const exchangeRate = exchangeRateOf(read, pair);
  const debt = fraxlendAmount(borrowed, borrowShares, true);
  const { collateralValue, healthFactor } = fraxlendFigures({ collateral, debt }, exchangeRate, maxLtv);
  const inAsset = { asset, decimals: assetDecimals, price: 1n, priceDecimals: 0, oracle: pair };
  const legs: FormulaLeg[] = [];
  if (collateral > 0n) {
    const price = exchangeRate === 0n ? 0n : (WAD * WAD) / exchangeRate;
    const decimals = decimalsOf(read, token);
    const shown = shownPrice(price, RATE_DECIMALS + assetDecimals - decimals);
    legs.push(
      securedLeg({ asset: token, decimals, ...shown, oracle: pair }, collateral, maxLtv / LTV_PER_BPS),
    );
  }
  if (lentShares > 0n) legs.push(lentLeg(inAsset, fraxlendAmount(lent, lentShares, false)));
  if (borrowShares > 0n) legs.push(owedLeg(inAsset, debt));
  return { legs, totalCollateral: collateralValue, totalDebt: debt, healthFactor };
}

/** Pairs of the first version have no preview of the interest, and return it when they add it. */
function totalsOf(read: ReadWords, pair: bigint): ReturnType<typeof fraxlendAccrued> {
  const [borrowed, borrowShares] = read.words(2, pair, '0x8285ef40');
  const [lent, lentShares] = read.words(2, pair, '0xf9557ccb');
  const hasPreview = (read.attempt(pair, '0xcacf3b58')?.length ?? 0) >= 3;
  const [interest, , feesShare] = read.words(3, pair, hasPreview ? '0xcacf3b58' : '0x0d09365c');
  return fraxlendAccrued(
    { borrowed: { amount: borrowed, shares: borrowShares }, lent: { amount: lent, shares: lentShares } },
    interest,
    feesShare,
  );
}

/** Pairs from version 2 on return whether they lend, and two rates. They liquidate at the lower one. */
function exchangeRateOf(read: ReadWords, pair: bigint): bigint {
  const [first, ...more] = read(pair, '0x02ce728f');
  return more.length === 0 ? first! : read.words(3, pair, '0x02ce728f')[1];
}
