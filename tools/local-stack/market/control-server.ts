import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PriceCommand, WhaleCommand } from '../arguments';
import { formatFailure } from '../processes/progress';
import type { LocalMarket, ReplayOrder, ReplayStep } from './market';

/** A replay of the longest path. */
const MAX_BODY_BYTES = 8_388_608;
/** A client of a replay ends it after a longer silence. */
const ALIVE_MS = 5_000;

/** The body of a command. */
export type ControlOrder = PriceCommand | ReplayOrder | WhaleCommand;

/** A line of the response to a replay: a move, its end, or a sign of life with nothing new. */
export type ReplayLine = ReplayStep | { isWhole: boolean } | { error: string } | { isAlive: true };

/**
 * Accepts commands for a running launcher: loopback only, with a token that run.json hides from other users.
 */
export interface ControlServer {
  url: string;
  token: string;
  close(): void;
}

/**
 * Listens for `POST /market` with an order, and for `GET /market`. The response is { changes }, { whales }, { error } or the
 * state of the market. That of a replay is a line of JSON for each move, and the replay ends with its connection.
 */
export async function startControlServer(market: LocalMarket): Promise<ControlServer> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      if (!isAllowed(request, token)) {
        response.writeHead(403).end();
        return;
      }
      if (request.method === 'GET') return sendJson(response, 200, await market.state());
      const order = JSON.parse(await readBody(request)) as ControlOrder;
      if (order.action === 'replay') return sendReplay(response, market, order);
      const result =
        order.action === 'whale'
          ? { whales: await market.executeForWhales(order) }
          : { changes: await market.execute(order) };
      return sendJson(response, 200, result);
    };
    handle().catch((error: unknown) => sendJson(response, 400, { error: formatFailure(error) }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function sendReplay(response: ServerResponse, market: LocalMarket, order: ReplayOrder): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const send = (line: ReplayLine): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify(line)}\n`);
  };
  const alive = setInterval(() => send({ isAlive: true }), ALIVE_MS);
  try {
    send({ isWhole: await market.replay(order, send, left.signal) });
  } catch (error) {
    if (!response.headersSent) throw error;
    send({ error: formatFailure(error) });
  } finally {
    clearInterval(alive);
  }
  response.end();
}

function isAllowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  const isRoute = ['GET', 'POST'].includes(request.method ?? '') && request.url === '/market';
  return isRoute && given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) throw new Error('the command is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
