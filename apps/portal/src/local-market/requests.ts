import { queryOptions } from '@tanstack/react-query';
import { plimsoll } from '../api/client';

const PATH = '/portal/local-market.json';

/** The market of the local chains. */
export interface MarketState {
  /** US dollars by symbol, of each chain. */
  prices: { chainId: number; usd: Record<string, number> }[];
  isPaused: boolean;
  /** A move that takes time, or null. */
  replay: { seconds: number; ofSeconds: number } | null;
  /** Why the last one ended early, or null. */
  failure: string | null;
}

/** The prices of the local chains. The account API counts these requests. */
export const marketQuery = queryOptions({
  queryKey: ['local-market'],
  queryFn: async ({ signal }) =>
    (await plimsoll.transport.send({ method: 'GET', path: PATH }, { signal })) as MarketState,
  staleTime: 0,
});

export interface Shock {
  asset: string;
  percent: number;
  /** 0: at once. */
  seconds: number;
}

/** Where a price went, with the block that has it. */
export interface PriceChange {
  chainId: number;
  symbol: string;
  usd: number;
  blockNumber: number;
}

/** Moves a price. A move that takes time has no changes yet. */
export const shock = async (body: Shock): Promise<PriceChange[]> =>
  ((await plimsoll.transport.send({ method: 'POST', path: PATH, body })) as { changes: PriceChange[] })
    .changes;

/** Ends a move that takes time. */
export const stopMove = (): Promise<unknown> => plimsoll.transport.send({ method: 'DELETE', path: PATH });
