import { WAD } from '../fixed-point/math';
import { NO_POSITION, decimalsOf, ONE_DOLLAR, owedLeg, securedLeg } from '../legs-math';
import {
  numberOf,
  signed,
  type Formula,
  type FormulaResult,
  type Market,
  type ReadWords,
} from '../receipt-math';
import { llammaCollateralValue, llammaHealthFactor } from './math';

const PRICE_DECIMALS = 18;
const FACTOR_PER_BPS = 10n ** 14n;
const FULL = 1n;

/** The contracts of a market. */
type Parts = Record<'controller' | 'amm' | 'borrowed' | 'collateral', bigint>;

/** A loan in a mint market, which the registry names. */
export function recomputeLlammaMint({ contracts, wallet }: Market, read: ReadWords): FormulaResult {
  const amm = contracts['amm']!;
  const [borrowed, collateral] = [read.word(amm, '0xc6610657', 0n), read.word(amm, '0xc6610657', 1n)];
  return loanFigures(read, { controller: contracts['controller']!, amm, borrowed, collateral }, wallet);
}

/** A loan in the market of a factory whose controller is the sub-id. */
function lendLike(
  factoryName: string,
  marketOf: (read: ReadWords, factory: bigint, at: bigint) => Parts,
): Formula {
  return ({ contracts, wallet, subId }, read) => {
    const factory = contracts[factoryName]!;
    const [count, controller] = [read.word(factory, '0xfd775c78'), numberOf(subId)];
    for (let at = 0n; at < count; at++) {
      const market = marketOf(read, factory, at);
      if (market.controller === controller) return loanFigures(read, market, wallet);
    }
    return NO_POSITION;
  };
}

/** Markets of the first factory, which lists vaults. */
export const recomputeLlamma = lendLike('oneWayFactory', (read, factory, at) => {
  const vault = read.word(factory, '0x8c64ea4a', at);
  return {
    controller: read.word(vault, '0xf77c4791'),
    amm: read.word(vault, '0x2a943945'),
    borrowed: read.word(vault, '0x765337b6'),
    collateral: read.word(vault, '0x2621db2f'),
  };
});
/** Markets of the second factory, which lists them itself. */
export const recomputeLlammaSecond = lendLike('oneWayFactoryV2', (read, factory, at) => {
  const [, controller, amm, collateral, borrowed] = read.words(5, factory, '0xb1283e77', at);
  return { controller, amm, collateral, borrowed };
});

/** The health is the controller's own. */
function loanFigures(
  read: ReadWords,
  { controller, amm, borrowed, collateral: token }: Parts,
  wallet: bigint,
): FormulaResult {
  if (read.word(controller, '0xa21adb9e', wallet) === 0n) return NO_POSITION;
  const [collateral, converted, debt] = read.words(3, controller, '0xec74d0a8', wallet);
  const health = signed(read.word(controller, '0x8908ea82', wallet, FULL));
  const threshold = (WAD - read.word(controller, '0x5457ff7b', wallet)) / FACTOR_PER_BPS;
  const price = read.word(amm, '0x86fc88d3');
  const decimals = { collateral: decimalsOf(read, token), borrowed: decimalsOf(read, borrowed) };
  const secured = {
    asset: token,
    decimals: decimals.collateral,
    price,
    priceDecimals: PRICE_DECIMALS,
    oracle: amm,
  };
  const inBorrowed = { asset: borrowed, decimals: decimals.borrowed, ...ONE_DOLLAR, oracle: amm };
  return {
    legs: [
      ...(collateral > 0n ? [securedLeg(secured, collateral, threshold)] : []),
      ...(converted > 0n ? [securedLeg(inBorrowed, converted, threshold)] : []),
      owedLeg(inBorrowed, debt),
    ],
    totalCollateral: llammaCollateralValue({ collateral, converted }, price, decimals),
    totalDebt: debt,
    healthFactor: llammaHealthFactor(health),
  };
}
