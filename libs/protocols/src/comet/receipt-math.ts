import { decimalsOf, lentLeg, owedLeg, securedLeg } from '../legs-math';
import { signed, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { cometBalance, cometIndex, cometTotals } from './math';

const PRICE_DECIMALS = 8;
/** Decimals of basis points in a factor with 18 decimals. */
const FACTOR_PER_BPS = 10n ** 14n;

/** The figures of a wallet in a comet, which the registry names. */
export function recomputeComet({ contracts, wallet, timestamp }: Market, read: ReadWords): FormulaResult {
  const comet = contracts['comet']!;
  const base = read.word(comet, '0xc55dae63');
  const baseFeed = read.word(comet, '0xe7dad6bd');
  const baseDecimals = decimalsOf(read, base);
  const baseScale = 10n ** BigInt(baseDecimals);
  const [supplyIndex, borrowIndex, , , , , lastAccrual] = read.words(7, comet, '0xb9f0baf7');
  const utilization = read.word(comet, '0x7eb71131');
  const seconds = timestamp - lastAccrual;
  const indices = {
    supply: cometIndex(supplyIndex, read.word(comet, '0xd955759d', utilization), seconds),
    borrow: cometIndex(borrowIndex, read.word(comet, '0x9fa83b5a', utilization), seconds),
  };
  const basePrice = read.word(comet, '0x41976e09', baseFeed);
  const count = read.word(comet, '0xa46fe83b');
  const held = [];
  for (let index = 0n; index < count; index++) {
    const [, asset, oracle, scale, , factor] = read.words(6, comet, '0xc8c7fe6b', index);
    const balance = read.word(comet, '0x2b92a07d', wallet, asset);
    if (balance === 0n) continue;
    const price = read.word(comet, '0x41976e09', oracle);
    held.push({ asset, oracle, scale, balance, liquidateCollateralFactor: factor, price });
  }
  const principal = signed(read.word(comet, '0xdc4abafd', wallet));
  const { supplied, borrowed } = cometBalance(principal, indices);
  const inBase = {
    asset: base,
    decimals: baseDecimals,
    price: basePrice,
    priceDecimals: PRICE_DECIMALS,
    oracle: baseFeed,
  };
  return {
    legs: [
      ...held.map(({ balance, liquidateCollateralFactor, asset, scale, price, oracle }) => {
        const decimals = scale.toString().length - 1;
        const priced = { asset, decimals, price, priceDecimals: PRICE_DECIMALS, oracle };
        return securedLeg(priced, balance, liquidateCollateralFactor / FACTOR_PER_BPS);
      }),
      ...(principal > 0n ? [lentLeg(inBase, supplied)] : []),
      ...(principal < 0n ? [owedLeg(inBase, borrowed)] : []),
    ],
    ...cometTotals(borrowed, basePrice, baseScale, held),
  };
}
