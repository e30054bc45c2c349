import { randomBytes, randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { type ClientOptions, WebSocket } from 'ws';

const DEADLINE_MS = 30_000;
const agent = new Agent({ connections: 64, headersTimeout: DEADLINE_MS, bodyTimeout: DEADLINE_MS });

const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export interface Sent {
  /** 0 when the connection closed without a response, as a server may do that refuses a large body. */
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Empty when it is not JSON. */
  body: Record<string, unknown>;
  ms: number;
}

export interface SendOptions {
  key?: string;
  cookie?: string;
  /** JSON; a string or a buffer is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Client address. Default: another one for each request. */
  address?: string;
  signal?: AbortSignal;
}

/** Returns the address of a client that sent nothing before. */
export const anyAddress = (): string => `203.${randomBytes(3).join('.')}`;

/** Sends a request to the gateway, or to another origin. */
export async function send(
  origin: string,
  method: string,
  path: string,
  { key, cookie, body, headers = {}, address = anyAddress(), signal }: SendOptions = {},
): Promise<Sent> {
  const startedAtMs = performance.now();
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const response = await request(origin + path, {
    dispatcher: agent,
    method: method as 'GET',
    headers: {
      'x-forwarded-for': address,
      'sec-fetch-site': 'same-origin',
      ...(key !== undefined && { 'x-api-key': key }),
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: asBytes(body) }),
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  }).catch((error: Error & { code?: string }) => {
    if (CLOSED.has(error.code ?? '')) return null;
    throw error;
  });
  if (!response) return { status: 0, headers: {}, text: '', body: {}, ms: performance.now() - startedAtMs };
  const bytes = Buffer.from(await response.body.arrayBuffer());
  const text = decoded(bytes, String(response.headers['content-encoding'] ?? '')).toString();
  const ms = performance.now() - startedAtMs;
  const fields = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode,
    headers: Object.fromEntries(fields) as Record<string, string>,
    text,
    body: parsed(text),
    ms,
  };
}

/** A hostile accept-encoding may permit an encoding, as `*` does. */
function decoded(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

function asBytes(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Sends bytes on a connection of their own, and returns what arrives until it closes or the time has passed. On
 * Linux each connection has another loopback address, so that the limit of an earlier one does not apply.
 */
export function sendRaw(
  origin: string,
  bytes: string,
  waitMs = 2_000,
): Promise<{ text: string; isClosed: boolean }> {
  const { hostname, port } = new URL(origin);
  const part = (): number => randomInt(1, 255);
  const localAddress = process.platform === 'linux' ? `127.${part()}.${part()}.${part()}` : undefined;
  return new Promise((resolve) => {
    let text = '';
    const options = { host: hostname, port: Number(port), ...(localAddress && { localAddress }) };
    const socket = connect(options, () => socket.write(bytes, 'latin1'));
    const settle = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, isClosed });
    };
    const timer = setTimeout(() => settle(false), waitMs);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => settle(true)).on('close', () => settle(true));
  });
}

/** Opens a WebSocket. Returns the status of the refusal instead when it is refused. */
export function openStream(
  origin: string,
  path: string,
  options: ClientOptions,
): Promise<WebSocket | number> {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, { handshakeTimeout: 10_000, ...options });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', reject);
  });
}
