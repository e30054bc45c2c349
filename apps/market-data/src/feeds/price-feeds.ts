import { readFile } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { PRICE_FEEDS } from './feed-table';

const address = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }));

/** The price feeds of one chain. */
export const ChainFeeds = Type.Object({
  chainId: Type.Integer({ minimum: 1 }),
  /** local-market: the feeds of a local chain, moved by its simulated market. */
  source: Type.Union([Type.Literal('chainlink'), Type.Literal('local-market')]),
  /** Uptime feed of an L2's sequencer. Null on a chain without one. */
  sequencer: Type.Union([address, Type.Null()]),
  feeds: Type.Array(
    Type.Object({
      /** Named by priceSymbol. */
      asset: Type.String({ minLength: 1 }),
      address,
      heartbeatMs: Type.Integer({ minimum: 1 }),
      /** Token whose complete supply is on this chain. Supply times price is the market capitalisation. */
      token: Type.Optional(address),
    }),
  ),
});
export type ChainFeeds = Static<typeof ChainFeeds>;

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
