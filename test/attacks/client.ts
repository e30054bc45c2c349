import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { type ClientOptions, WebSocket } from 'ws';
import type { Target } from './target';

const DEADLINE_MS = 30_000;
const agent = new Agent({ connections: 64, headersTimeout: DEADLINE_MS, bodyTimeout: DEADLINE_MS });

const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export interface Sent {
  /** 0 when the connection closed without a response, as a server may do that refuses a large body. */
  status: number;
  headers: Record<string, string>;
  /** Empty when it is not JSON. */
  body: Record<string, unknown>;
  ms: number;
}

export interface SendOptions {
  key?: string;
  cookie?: string;
  /** JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Client address. Default: another one for each request. */
  address?: string;
}

/** Returns the address of a client that sent nothing before. */
export const anyAddress = (): string => `203.${randomBytes(3).join('.')}`;

/** Sends a request to the gateway, or to another origin. */
export async function send(
  origin: string,
  method: string,
  path: string,
  { key, cookie, body, headers = {}, address = anyAddress() }: SendOptions = {},
): Promise<Sent> {
  const startedAtMs = performance.now();
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
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch((error: Error & { code?: string }) => {
    if (CLOSED.has(error.code ?? '')) return null;
    throw error;
  });
  if (!response) return { status: 0, headers: {}, body: {}, ms: performance.now() - startedAtMs };
  const text = await response.body.text();
  const ms = performance.now() - startedAtMs;
  const fields = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return { status: response.statusCode, headers: Object.fromEntries(fields), body: parsed(text), ms };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Sends bytes on a connection of their own, and returns what arrives until it closes or the time has passed. */
export function sendRaw(origin: string, bytes: string, waitMs = 2_000): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const settle = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(settle, waitMs);
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', settle).on('close', settle);
  });
}

/** A browser with a session. */
export class Browser {
  cookie = '';
  /** The cookie of a browser that logged in before. */
  private device = '';
  readonly address = anyAddress();

  private constructor(
    private readonly origin: string,
    readonly email: string,
    readonly password: string,
  ) {}

  /** Signs up and logs in. The platform of `npm start` sends no mails, so the account needs no confirmation. */
  static async signedIn({ origin }: Pick<Target, 'origin'>): Promise<Browser> {
    const email = `attack-${randomBytes(8).toString('hex')}@example.com`;
    const browser = new Browser(origin, email, 'correct horse battery staple');
    const { status } = await browser.send('POST', '/account/v1/sign-up', {
      email,
      password: browser.password,
    });
    if (status >= 300) throw new Error(`the sign-up responded with ${status}`);
    await browser.logIn();
    return browser;
  }

  /** Another browser of the same account. */
  async another(): Promise<Browser> {
    const other = new Browser(this.origin, this.email, this.password);
    await other.logIn();
    return other;
  }

  async logIn(): Promise<void> {
    const { email, password } = this;
    const { status, headers } = await this.send('POST', '/account/v1/log-in', { email, password });
    this.cookie = /plimsoll_session=[\w-]{43}/.exec(headers['set-cookie'] ?? '')?.[0] ?? '';
    this.device = /plimsoll_device=[\w-]{43}/.exec(headers['set-cookie'] ?? '')?.[0] ?? this.device;
    if (status !== 200) throw new Error(`the log-in responded with ${status}`);
  }

  send(method: string, path: string, body?: object): Promise<Sent> {
    const cookie = [this.cookie, this.device].filter(Boolean).join('; ');
    return send(this.origin, method, path, { cookie, body, address: this.address });
  }
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
