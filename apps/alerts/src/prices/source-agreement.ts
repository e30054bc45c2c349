import type { PriceV1 } from '@plimsoll/contracts';
import { type SourceAgreement, spreadFactor } from '../content/confidence-score';

/** Sources that observed within this time of the newest one observed the same market. */
const SAME_TIME_MS = 2_000;

/**
 * Returns the number of counted sources of a price, and their spread. Only fresh ones count. In a fast move,
 * a source that observed before the newest one is late. It can confirm the price, and never contradicts it.
 */
export function sourceAgreement({
  sources,
  spreadPercent,
}: Pick<PriceV1, 'sources' | 'spreadPercent'>): SourceAgreement {
  const fresh = sources.flatMap(({ state, priceUsd, observedAt }) =>
    (state === 'used' || state === 'deviant') && priceUsd !== null && observedAt !== null
      ? [{ priceUsd, atMs: Date.parse(observedAt) }]
      : [],
  );
  if (fresh.length === 0) return { sources: spreadPercent === null ? 1 : 2, spreadPercent };
  const newestMs = Math.max(...fresh.map(({ atMs }) => atMs));
  const current = agreementOf(fresh.filter(({ atMs }) => newestMs - atMs <= SAME_TIME_MS));
  const all = agreementOf(fresh);
  return spreadFactor(all) > spreadFactor(current) ? all : current;
}

function agreementOf(quotes: readonly { priceUsd: number }[]): SourceAgreement {
  const prices = quotes.map(({ priceUsd }) => priceUsd).sort((a, b) => a - b);
  if (prices.length < 2) return { sources: prices.length, spreadPercent: null };
  const middle = prices.length / 2;
  const median = (prices[Math.ceil(middle) - 1]! + prices[Math.floor(middle)]!) / 2;
  return { sources: prices.length, spreadPercent: ((prices.at(-1)! - prices[0]!) / median) * 100 };
}
