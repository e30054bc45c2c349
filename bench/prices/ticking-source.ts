import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server with CoinGecko's simple/price. Every response has another price for every asset. */
export interface TickingSource {
  url: string;
  /** The number of prices so far. */
  ticks: number;
  /** performance.now() of each response, by its number. */
  answeredAtMs: number[];
  close(): void;
}

/** The prices contain the number of the response: 100 + n/1,000 USD. */
export const answerOf = (priceUsd: number): number => Math.round((priceUsd - 100) * 1_000);

export async function startTickingSource(): Promise<TickingSource> {
  const source: TickingSource = { url: '', ticks: 0, answeredAtMs: [], close: () => close(server) };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://source');
    const ids = (url.searchParams.get('ids') ?? '').split(',');
    const usd = 100 + source.answeredAtMs.length / 1_000;
    const last_updated_at = Math.floor(Date.now() / 1_000);
    const prices = ids.map((id) => [id, { usd, usd_market_cap: 1e9, usd_24h_change: 1, last_updated_at }]);
    source.answeredAtMs.push(performance.now());
    source.ticks += ids.length;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(Object.fromEntries(prices)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return source;
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}
