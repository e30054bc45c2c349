import { type PriceScenarioBody, assetClass, priceSymbol } from '@plimsoll/contracts';

/**
 * The price symbols that a scenario moves: its own and its staking tokens (their ratio is kept), except those
 * that other scenarios of the list name. Empty when the position has none of them.
 */
export function movedAssets(
  { asset }: PriceScenarioBody,
  list: readonly PriceScenarioBody[],
  held: readonly string[],
): string[] {
  const named = new Set(list.map((other) => priceSymbol(other.asset)));
  const own = priceSymbol(asset);
  return held.filter((symbol) => {
    if (symbol === own) return true;
    const { family, kind } = assetClass(symbol);
    return kind === 'staked' && family === own && !named.has(symbol);
  });
}
