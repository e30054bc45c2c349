import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer as createHttp,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { type ClientOf, createServer } from './server';

const LOOPBACK = '127.0.0.1';
const PATH = '/mcp';

/** Serves MCP over HTTP on loopback. Each request needs the token, because other users of the machine reach loopback. */
export async function serveHttp(
  clientOf: ClientOf,
  port: number,
  token: string,
): Promise<{ url: string; server: Server }> {
  const server = createHttp((request, response) => {
    const refused = refusal(request, (server.address() as AddressInfo).port, token);
    if (refused) return void refuse(response, ...refused);
    handle(clientOf, request, response).catch(() => refuse(response, 500, 'The request failed.'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return { url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}${PATH}`, server };
}

/** Status and reason, or null for a request that may pass. A page of a browser cannot pass by a name that it controls. */
function refusal(
  { method, url, headers }: IncomingMessage,
  port: number,
  token: string,
): [number, string] | null {
  const hosts = new Set([`${LOOPBACK}:${port}`, `localhost:${port}`]);
  if (!hosts.has(headers.host ?? '')) return [403, 'The host is not this server.'];
  if (headers.origin !== undefined && !hosts.has(headers.origin.replace(/^http:\/\//, '')))
    return [403, 'The origin is not this server.'];
  if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) return [401, 'The token is missing or wrong.'];
  if (url !== PATH) return [404, `The path is ${PATH}.`];
  return method === 'POST' ? null : [405, 'Only POST is served. There is no session.'];
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'content-type': 'text/plain',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(reason);
}

async function handle(clientOf: ClientOf, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Without sessions, each request has a server of its own.
  const server = createServer(clientOf);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, response);
}

/** Hashes have one length, so the comparison takes the same time for every token. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
