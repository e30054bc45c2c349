import type { FormulaResult, Market, ReadWords } from '../receipt-math';
import { cometBalance, cometIndex, cometTotals } from './math';

const PRICE_DECIMALS = 8;
const SIGN = 1n << 255n;
/** Decimals of basis points in a factor with 18 decimals. */
const FACTOR_PER_BPS = 10n ** 14n;

/** The figures of a wallet in a comet, which the registry names. */
export function recomputeComet({ contracts, wallet, timestamp }: Market, read: ReadWords): FormulaResult {
  const comet = contracts['comet']!;
  const base = read(comet, '0xc55dae63')[0]!;
  const baseFeed = read(comet, '0xe7dad6bd')[0]!;
  const baseScale = 10n ** read(base, '0x313ce567')[0]!;
  const [supplyIndex = 0n, borrowIndex = 0n, , , , , lastAccrual = 0n] = read(comet, '0xb9f0baf7');
  const utilization = read(comet, '0x7eb71131')[0]!;
  const seconds = timestamp - lastAccrual;
  const indices = {
    supply: cometIndex(supplyIndex, read(comet, '0xd955759d', utilization)[0]!, seconds),
    borrow: cometIndex(borrowIndex, read(comet, '0x9fa83b5a', utilization)[0]!, seconds),
  };
  const basePrice = read(comet, '0x41976e09', baseFeed)[0]!;
  const count = Number(read(comet, '0xa46fe83b')[0]!);
  const held = Array.from({ length: count }, (_, index) => {
    const [, asset = 0n, oracle = 0n, scale = 1n, , factor = 0n] = read(comet, '0xc8c7fe6b', BigInt(index));
    const balance = read(comet, '0x2b92a07d', wallet, asset)[0]!;
    return { asset, oracle, scale, balance, liquidateCollateralFactor: factor };
  })
    .filter(({ balance }) => balance > 0n)
    .map((each) => ({ ...each, price: read(comet, '0x41976e09', each.oracle)[0]! }));
  const word = read(comet, '0xdc4abafd', wallet)[0]!;
  const principal = word >= SIGN ? word - 2n * SIGN : word;
  const { supplied, borrowed } = cometBalance(principal, indices);
  const inBase = {
    asset: base,
    price: basePrice,
    priceDecimals: PRICE_DECIMALS,
    oracle: baseFeed,
    liquidationThresholdBps: 0n,
    usedAsCollateral: false,
  };
  return {
    legs: [
      ...held.map(({ asset, oracle, balance, price, liquidateCollateralFactor }) => ({
        asset,
        side: 'collateral' as const,
        amount: balance,
        price,
        priceDecimals: PRICE_DECIMALS,
        oracle,
        liquidationThresholdBps: liquidateCollateralFactor / FACTOR_PER_BPS,
        usedAsCollateral: true,
      })),
      ...(principal > 0n ? [{ ...inBase, side: 'collateral' as const, amount: supplied }] : []),
      ...(principal < 0n ? [{ ...inBase, side: 'debt' as const, amount: borrowed }] : []),
    ],
    ...cometTotals(borrowed, basePrice, baseScale, held),
  };
}
