import { Pool } from 'undici';

/** The parts of a response that limits affect. */
export interface LimitResponse {
  status: number;
  code: string | undefined;
  limit: number;
  remaining: number;
  dailyRemaining: number | undefined;
  /** Milliseconds since 1970. */
  resetMs: number;
  retryAfterSeconds: number | undefined;
  latencyMs: number;
}

/** Connections to one gateway: enough that no request of a burst waits for another. */
export function connectionsTo(origin: string, count: number): Pool {
  return new Pool(origin, { connections: count, pipelining: 1 });
}

export async function request(pool: Pool, key: string, path = '/v1/positions'): Promise<LimitResponse> {
  const startedAtMs = performance.now();
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    path,
    headers: { 'x-api-key': key },
  });
  const text = await body.text();
  const latencyMs = performance.now() - startedAtMs;
  const { code } = JSON.parse(text) as { code?: string };
  const optional = (name: string): number | undefined =>
    headers[name] === undefined ? undefined : Number(headers[name]);
  return {
    status: statusCode,
    code,
    limit: Number(headers['x-ratelimit-limit']),
    remaining: Number(headers['x-ratelimit-remaining']),
    dailyRemaining: optional('x-dailylimit-remaining'),
    resetMs: Date.parse(String(headers['x-ratelimit-reset'])),
    retryAfterSeconds: optional('retry-after'),
    latencyMs,
  };
}

/** A number of parallel requests, spread over the gateways in turn. */
export function burst(pools: readonly Pool[], key: string, calls: number): Promise<LimitResponse[]> {
  return Promise.all(Array.from({ length: calls }, (_, i) => request(pools[i % pools.length]!, key)));
}

/** N−1 … 0, each once, among those admitted. */
export function fallsWithoutRepeat(remaining: readonly (number | undefined)[], from: number): boolean {
  const sorted = [...remaining].sort((a, b) => (b ?? 0) - (a ?? 0));
  return sorted.length === from && sorted.every((value, i) => value === from - 1 - i);
}
