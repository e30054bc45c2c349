import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ChainFeeds, PRICE_FEEDS } from './feed-table';

/** The part of the registry overlay with feeds. libs/evm reads the others. */
const Overlay = Type.Object({ priceFeeds: Type.Array(ChainFeeds) });

/**
 * Returns the shipped price feeds. A chain in the overlay file has the feeds of that file instead.
 * @throws when the file is unreadable or does not have the overlay's shape
 */
export async function loadPriceFeeds(overlayPath?: string): Promise<ChainFeeds[]> {
  if (!overlayPath) return [...PRICE_FEEDS];
  const overlay: unknown = JSON.parse(await readFile(overlayPath, 'utf8'));
  if (!Value.Check(Overlay, overlay)) {
    const first = Value.Errors(Overlay, overlay).First();
    throw new Error(
      `registry overlay: ${first?.path ?? ''} ${first?.message ?? 'is not valid'}; write the file again`,
    );
  }
  const named = new Set(overlay.priceFeeds.map(({ chainId }) => chainId));
  return [...PRICE_FEEDS.filter(({ chainId }) => !named.has(chainId)), ...overlay.priceFeeds];
}
