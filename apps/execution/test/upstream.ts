import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IDENTITY_HEADER, priceSymbol } from '@plimsoll/contracts';
import type { PositionVenue } from '../src/positions/position-source';

/** Takes the place of positions and market-data for executions. */
export interface TestUpstream {
  origin: string;
  venues: Map<string, PositionVenue>;
  /** By price symbol. */
  prices: Map<string, { usd: number; isStale: boolean }>;
  /** While set, every request receives this status. */
  failure: number | null;
  /** Milliseconds before every response. */
  delayMs: number;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<TestUpstream> {
  const send = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    setTimeout(() => response.end(JSON.stringify(body)), upstream.delayMs);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', upstream.origin);
    if (upstream.failure !== null) return send(response, upstream.failure, {});
    if (request.headers[IDENTITY_HEADER] === undefined) return send(response, 401, {});
    if (pathname === '/v1/prices') {
      const symbols = (searchParams.get('symbols') ?? '').split(',');
      const known = symbols.flatMap((symbol) => {
        const price = upstream.prices.get(priceSymbol(symbol));
        return price ? [[symbol, price] as const] : [];
      });
      return send(response, 200, { prices: Object.fromEntries(known), missing: [] });
    }
    const place = upstream.venues.get(pathname.replace('/v1/positions/', ''));
    return place ? send(response, 200, place) : send(response, 404, {});
  });
  const upstream: TestUpstream = {
    origin: '',
    venues: new Map(),
    prices: new Map(),
    failure: null,
    delayMs: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return upstream;
}
