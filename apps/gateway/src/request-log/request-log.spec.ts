import { register } from 'prom-client';
import { GatewayConfig } from '../config';
import type { Caller } from '../identity';
import { RequestLog } from './request-log';

const caller = (accountId: string, window?: 'session'): Caller => ({
  keyId: `key of ${accountId}`,
  accountId,
  tier: 'pro',
  scopes: [],
  expiresAtMs: null,
  authenticatedAt: null,
  isAboveCap: false,
  subject: { id: accountId, offsetMs: 0, ...(window && { window }) },
  figures: { perMinute: 60, perDay: null },
});
const request = (requestId: string, path = '/v1/status') => ({
  createdAtMs: 1_000,
  requestId,
  method: 'GET',
  path,
  status: 200,
  durationMs: 1,
});
const logOf = (rowsPerSecond: number): RequestLog =>
  new RequestLog(Object.assign(new GatewayConfig(), { REQUEST_LOG_ROWS_PER_SECOND: rowsPerSecond }));

async function counted(outcome: string): Promise<number> {
  const metric = await register.getSingleMetric('gateway_request_log_rows_total')?.get();
  return metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
}

/** As the gateway does for each request. */
function offer(log: RequestLog, by: Caller, finished: ReturnType<typeof request>, isAdmitted = true): void {
  if (log.takesOf(by, isAdmitted)) log.add(by, finished);
}

describe('RequestLog', () => {
  beforeEach(() => register.clear());

  it('keeps the key of a request, none of a session, and a bounded path', () => {
    const log = logOf(10);
    log.add(caller('a'), request('r1', `/v1/${'x'.repeat(500)}`));
    log.add(caller('a', 'session'), request('r2'));
    const rows = log.take(10);
    expect(rows.map(({ requestId, keyId, path }) => [requestId, keyId, path.length])).toEqual([
      ['r1', 'key of a', 200],
      ['r2', null, 10],
    ]);
    expect(log.take(10)).toEqual([]);
  });

  it('bounds the rows of each account in a second, and counts the rest', async () => {
    const log = logOf(2);
    for (let each = 0; each < 5; each += 1) offer(log, caller('busy'), request(`busy-${each}`));
    offer(log, caller('other'), request('other'));
    expect(log.take(10).map(({ requestId }) => requestId)).toEqual(['busy-0', 'busy-1', 'other']);
    log.nextSecond();
    expect(await counted('over_rate')).toBe(3);
    offer(log, caller('busy'), request('later'));
    expect(log.take(10)).toHaveLength(1);
  });

  it('keeps one request above the limit of an account in a second', async () => {
    const log = logOf(10);
    for (let each = 0; each < 3; each += 1) offer(log, caller('a'), request(`above-${each}`), false);
    offer(log, caller('a'), request('within'));
    expect(log.take(10).map(({ requestId }) => requestId)).toEqual(['above-0', 'within']);
    log.nextSecond();
    expect(await counted('over_rate')).toBe(2);
  });

  it('adds rows again in their order, and drops and counts the oldest above its bound', async () => {
    const log = logOf(100_000);
    for (let each = 0; each < 20_000; each += 1) log.add(caller('a'), request(`r${each}`));
    const rows = log.take(2_000);
    log.add(caller('a'), request('new'));
    log.putBack(rows);
    expect(await counted('dropped')).toBe(1);
    expect(log.take(1)[0]?.requestId).toBe('r1');
  });
});
