import type { TokenUsage } from './model-port';
import type { ModelConfig } from './model.config';

/**
 * Tokens with their cost: billionths of a US dollar, so that a token of the cheapest model is a whole number.
 */
export interface Spending {
  tokens: number;
  nanoUsd: bigint;
}

const NANO = 1e9;
const MILLION = 1e6;

/** Dollars of the config as billionths. */
export function nanoUsd(usd: number): bigint {
  return BigInt(Math.round(usd * NANO));
}

/** The cost of tokens at the configured prices. A part of a billionth counts as one. */
export function spendingOf(
  { input, output }: TokenUsage,
  prices: Pick<ModelConfig, 'AI_INPUT_USD_PER_MILLION' | 'AI_OUTPUT_USD_PER_MILLION'>,
): Spending {
  const nano = (tokens: number, usdPerMillion: number): bigint =>
    BigInt(Math.ceil((tokens * usdPerMillion * NANO) / MILLION));
  return {
    tokens: input + output,
    nanoUsd: nano(input, prices.AI_INPUT_USD_PER_MILLION) + nano(output, prices.AI_OUTPUT_USD_PER_MILLION),
  };
}

/** The tokens that one answer may still use. */
export class Allowance {
  constructor(private left: Spending) {}

  /** False: the remainder is too small, and nothing is spent. */
  spend({ tokens, nanoUsd: cost }: Spending): boolean {
    if (tokens > this.left.tokens || cost > this.left.nanoUsd) return false;
    this.left = { tokens: this.left.tokens - tokens, nanoUsd: this.left.nanoUsd - cost };
    return true;
  }

  refund({ tokens, nanoUsd: cost }: Spending): void {
    this.left = { tokens: this.left.tokens + tokens, nanoUsd: this.left.nanoUsd + cost };
  }
}
