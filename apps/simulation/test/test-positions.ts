import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  IDENTITY_HEADER,
  type PositionDetail,
  type PositionList,
  RISK_THRESHOLDS,
  type Unreadable,
} from '@plimsoll/contracts';

/** Takes the place of the positions service, as far as simulations read positions there. */
export interface TestPositions {
  origin: string;
  positions: Map<string, PositionDetail>;
  /** The unreadable wallets on the last page of a list. */
  unreadable: Unreadable[];
  /** The received requests: method and target. */
  calls: string[];
  /** While set, every request gets this status. */
  failure: number | null;
  /** While true, requests are accepted and get no response. */
  isSilent: boolean;
  close(): Promise<void>;
}

const PAGE = 2;

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function startTestPositions(): Promise<TestPositions> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', upstream.origin);
    upstream.calls.push(request.url ?? '');
    if (upstream.isSilent) return undefined;
    if (upstream.failure !== null) return send(response, upstream.failure, {});
    if (request.headers[IDENTITY_HEADER] === undefined) return send(response, 401, {});
    if (pathname === '/v1/positions') return send(response, 200, page(upstream, searchParams));
    const position = upstream.positions.get(pathname.replace('/v1/positions/', ''));
    return position ? send(response, 200, position) : send(response, 404, {});
  });
  const upstream: TestPositions = {
    origin: '',
    positions: new Map(),
    unreadable: [],
    calls: [],
    failure: null,
    isSilent: false,
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

/** Pages of two, whatever limit is requested, so that a list always has several. */
function page({ positions, unreadable }: TestPositions, query: URLSearchParams): PositionList {
  const wallet = query.get('wallet');
  const all = [...positions.values()].filter((each) => wallet === null || each.wallet === wallet);
  const from = Number(query.get('cursor') ?? 0);
  const next = from + PAGE;
  return {
    positions: all.slice(from, next),
    riskThresholds: RISK_THRESHOLDS,
    asOfBlock: { '1': 100 },
    blockHash: { '1': `0x${'1'.repeat(64)}` },
    unreadable: next < all.length ? [] : unreadable,
    chainStatus: { '1': 'operational' },
    nextCursor: next < all.length ? String(next) : null,
  };
}
