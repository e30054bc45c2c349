/** A probability with 18 decimals, because receipts have whole numbers only. */
export function statedProbability(probability: number | null): string | null {
  return probability === null ? null : String(Math.round(probability * 1e18));
}
