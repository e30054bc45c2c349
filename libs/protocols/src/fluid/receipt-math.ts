import { NO_POSITION, decimalsOf, owedLeg, securedLeg, shownPrice, type FormulaLeg } from '../legs-math';
import { numberOf, signed, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { fluidFigures } from './math';

/** The address that Fluid uses for the chain's own coin. */
const NATIVE = 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeen;
const NATIVE_DECIMALS = 18;
/** Shares of a DEX have 18 decimals, independent of its tokens. */
const SHARE_DECIMALS = 18;
/** Decimals of the oracle's price between the smallest units of both sides. */
const PRICE_DECIMALS = 27;

/** The figures of the position of a wallet with the NFT of its sub-id. */
export function recomputeFluid({ contracts, wallet, subId }: Market, read: ReadWords): FormulaResult {
  const resolver = contracts['vaultResolver']!;
  const nft = numberOf(subId);
  if (!read.list(resolver, '0xc67b5093', wallet).includes(nft)) return NO_POSITION;
  const vault = read.words(42, resolver, '0x09c062e2', read.word(resolver, '0x1949138e', nft));
  const position = read.words(12, resolver, '0x144128e8', nft);
  const holding = {
    tick: signed(position[4]),
    supply: position[9],
    borrow: position[10],
    dust: position[11],
  };
  const terms = {
    price: vault[31],
    thresholdBps: vault[24],
    exchangePrices: { supply: vault[40], borrow: vault[41] },
  };
  const { collateralValue, totalDebt, healthFactor } = fluidFigures(holding, terms);
  const oracle = vault[29];
  const supply = sideOf(read, { isShared: vault[1], shares: vault[9], token: vault[11] });
  const borrow = sideOf(read, { isShared: vault[2], shares: vault[10], token: vault[13] });
  const price = shownPrice(terms.price, PRICE_DECIMALS + borrow.decimals - supply.decimals);
  const legs: FormulaLeg[] = [];
  if (holding.supply > 0n)
    legs.push(securedLeg({ ...supply, ...price, oracle }, holding.supply, terms.thresholdBps));
  if (totalDebt > 0n) legs.push(owedLeg({ ...borrow, price: 1n, priceDecimals: 0, oracle }, totalDebt));
  return { legs, totalCollateral: collateralValue, totalDebt, healthFactor };
}

/** A side of a vault: a token, or the shares of a DEX. */
function sideOf(
  read: ReadWords,
  { isShared, shares, token }: Record<'isShared' | 'shares' | 'token', bigint>,
): { asset: bigint; decimals: number } {
  if (isShared !== 0n) return { asset: shares, decimals: SHARE_DECIMALS };
  return { asset: token, decimals: token === NATIVE ? NATIVE_DECIMALS : decimalsOf(read, token) };
}
