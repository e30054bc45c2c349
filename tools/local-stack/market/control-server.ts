import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MarketCommand } from '../arguments';
import type { LocalMarket } from './market';

const MAX_BODY_BYTES = 4_096;

/**
 * Accepts commands for a running launcher: loopback only, with a token that run.json hides from other users.
 */
export interface ControlServer {
  url: string;
  token: string;
  close(): void;
}

/** Listens for `POST /market` with a MarketOrder. The response is { changes }, { whales } or { error }. */
export async function startControlServer(market: LocalMarket): Promise<ControlServer> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      if (!isAllowed(request, token)) {
        response.writeHead(403).end();
        return;
      }
      const order = JSON.parse(await readBody(request)) as MarketCommand;
      const result =
        order.action === 'whale'
          ? { whales: await market.executeForWhales(order) }
          : { changes: await market.execute(order) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    };
    handle().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: message }));
    });
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

function isAllowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  const isRoute = request.method === 'POST' && request.url === '/market';
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
