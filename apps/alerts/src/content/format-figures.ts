import { chainName, protocolName } from '@plimsoll/contracts';

/** Formats figures for texts. */

/** By decimals. Creating a format costs far more than using one. */
const formats = new Map<number, Intl.NumberFormat>();

function grouped(value: number, decimals: number): string {
  const format =
    formats.get(decimals) ??
    new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(decimals, format);
  return format.format(value);
}

/** Formats an amount of money: $5,000.00. */
export function formatValue(usd: number): string {
  return `$${grouped(usd, 2)}`;
}

/** Formats the price of one token: two decimals from 10 USD, four from 1, five significant digits below. */
export function formatPrice(usd: number): string {
  if (usd >= 10) return `$${grouped(usd, 2)}`;
  if (usd >= 1) return `$${grouped(usd, 4)}`;
  return `$${Number(usd.toPrecision(5))}`;
}

/**
 * Formats tokens with their symbol. Rounds up, so that the shown amount is enough. One step is at most one
 * USD.
 */
export function formatTokens(amount: number, asset: string, priceUsd: number): string {
  const decimals = Math.min(8, Math.max(2, priceUsd > 0 ? Math.ceil(Math.log10(priceUsd)) : 2));
  const step = 10 ** decimals;
  // The error of a double must not turn 1,240.5 into 1,240.51.
  return `${grouped(Math.ceil(amount * step - amount * step * 1e-12) / step, decimals)} ${asset}`;
}

/** Formats a size without its sign: 7.5 %. */
export function formatPercent(percent: number): string {
  const size = Math.abs(percent);
  if (size > 0 && size < 0.05) return `${Number(size.toPrecision(2))} %`;
  return `${grouped(size, 1)} %`;
}

/** Adds the article that is pronounced: an 8.6 %, a 7.5 %. */
export function withArticle(percent: string): string {
  return `${/^(8|11[. ]|18[. ])/.test(percent) ? 'An' : 'A'} ${percent}`;
}

/** Formats a wallet: 0x7099…79c8. */
export function shortWallet(wallet: string): string {
  return `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;
}

/** Formats a health factor. Cuts and never rounds, because 0.99999 must not read as 1. */
export function formatHealthFactor(healthFactor: number | null): string {
  if (healthFactor === null) return 'none (no debt)';
  if (healthFactor >= 1e6) return 'above 1,000,000';
  // The error of a double must not turn 1.0412 into 1.0411. A figure below 1 never reads as 1.
  const cut = Math.trunc(healthFactor * 1e4 * (1 + 1e-12)) / 1e4;
  return String(healthFactor < 1 ? Math.min(cut, 0.9999) : cut);
}

/** Formats protocol and chain: Aave V3 on Ethereum. */
export function venueName({ protocol, chainId }: { protocol: string; chainId: number }): string {
  return `${protocolName(protocol)} on ${chainName(chainId)}`;
}
