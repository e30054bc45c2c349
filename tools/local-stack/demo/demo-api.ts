import { setTimeout as delay } from 'node:timers/promises';

const CALL_TIMEOUT_MS = 10_000;
/** On a busy machine, services that have just started can need a minute for their first responses. */
const PATIENCE_MS = 120_000;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [250, 4_000];
/** Statuses of services that cannot respond yet. */
const PASSING = new Set([429, 502, 503, 504]);
const PAGE_SIZE = 200;

/** The public API as a user of the demo calls it. */
export class DemoApi {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** The tier of the key and its requests a minute, or undefined when the key is not known (yet). */
  async limits(): Promise<{ tier: string; perMinute: number } | undefined> {
    const response = await this.call('GET', '/status');
    if (!response.ok) return undefined;
    const header = (name: string): string => response.headers.get(name) ?? '';
    return { tier: header('x-service-tier'), perMinute: Number(header('x-ratelimit-limit')) };
  }

  /** Every wallet that the account watches, in lower case. */
  async watchedWallets(): Promise<Set<string>> {
    const watched = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const response = await this.call(
        'GET',
        `/wallets?limit=${PAGE_SIZE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      if (!response.ok) throw await problemOf(response, 'GET /wallets');
      const page = (await response.json()) as { wallets: { address: string }[]; nextCursor?: string | null };
      for (const { address } of page.wallets) watched.add(address.toLowerCase());
      cursor = page.nextCursor ?? null;
    }
    return watched;
  }

  /** Watches one further wallet. */
  async watch(address: string): Promise<void> {
    const response = await this.call('POST', '/wallets', { address });
    if (!response.ok) throw await problemOf(response, 'POST /wallets');
    await response.arrayBuffer();
  }

  /** Whether the account has this password. Its session ends immediately. */
  async canLogIn(email: string, password: string): Promise<boolean> {
    const send = (route: string, headers: Record<string, string>, body: object): Promise<Response> =>
      fetch(new URL(`/account/v1/${route}`, this.baseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
    const response = await send('log-in', {}, { email, password });
    const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0]);
    if (response.ok) await send('log-out', { cookie: cookie.join('; ') }, {});
    return response.ok;
  }

  /** Sends a request, and again for as long as services are starting. Watching a wallet twice changes nothing. */
  private async call(method: string, path: string, body?: unknown): Promise<Response> {
    const endsAtMs = performance.now() + this.patienceMs;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      const isLast = performance.now() + waitMs > endsAtMs;
      try {
        const response = await this.send(method, path, body);
        if (isLast || !PASSING.has(response.status)) return response;
        await response.arrayBuffer();
      } catch (error) {
        if (isLast) throw error;
      }
      await delay(waitMs * (0.5 + Math.random() / 2));
    }
  }

  private send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        'x-api-key': this.key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
  }
}

async function problemOf(response: Response, what: string): Promise<Error> {
  return new Error(`${what} returned ${response.status}: ${(await response.text()).slice(0, 300)}`);
}
