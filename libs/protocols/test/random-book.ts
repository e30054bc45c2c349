import type { Address } from 'viem';
import { amountsFrom } from './local-chain';

/** Decimals, price in dollars with 8 decimals, threshold in wad, yearly borrow rate in percent. */
export const ASSETS = [
  { symbol: 'WETH', decimals: 18, price: 2_513_771_234_56n, threshold: 825_000_000_000_000_000n, rate: 3n },
  { symbol: 'WBTC', decimals: 8, price: 91_234_567_890_12n, threshold: 700_000_000_000_000_000n, rate: 1n },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, threshold: 855_000_000_000_000_000n, rate: 7n },
  { symbol: 'DAI', decimals: 18, price: 100_013_579n, threshold: 830_123_456_789_012_345n, rate: 5n },
] as const;

/**
 * The holdings and debts of every wallet in each asset. Some wallets only supply, and some owe up to more
 * than their limit.
 */
export function randomBook(seed: number, wallets: readonly Address[]) {
  const { amount, below, chance, random } = amountsFrom(seed);
  return wallets.map((_, index) => {
    const supplied: bigint[] = ASSETS.map(({ decimals }) => (chance(0.55) ? amount(decimals) : 0n));
    const own = index % ASSETS.length;
    if (!supplied.some((quantity) => quantity > 0n)) supplied[own] = amount(ASSETS[own]!.decimals);
    const usd = supplied.reduce(
      (sum, quantity, id) => sum + (quantity * ASSETS[id]!.price) / 10n ** BigInt(ASSETS[id]!.decimals),
      0n,
    );
    const owing = chance(0.2) ? -1 : Math.floor(random() * ASSETS.length);
    const debtUsd = below(usd);
    const owed = ASSETS.map(({ decimals, price }, id) =>
      id === owing ? 1n + (debtUsd * 10n ** BigInt(decimals)) / price : 0n,
    );
    return { supplied, owed, enters: ASSETS.map((__, id) => owed[id]! > 0n || chance(0.8)) };
  });
}
