import { register } from 'prom-client';
import { GatewayConfig } from '../config';
import type { Caller } from '../identity';
import { RequestLog, SEPARATOR } from './request-log';

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

const FIELDS = [
  'accountId',
  'createdAtMs',
  'requestId',
  'method',
  'path',
  'status',
  'durationUs',
  'keyId',
] as const;
type Row = Record<(typeof FIELDS)[number], string>;

function taken(log: RequestLog, most: number): Row[] {
  return log.take(most).map((row) => {
    const parts = row.split(SEPARATOR);
    expect(parts).toHaveLength(FIELDS.length);
    return Object.fromEntries(FIELDS.map((name, index) => [name, parts[index]])) as Row;
  });
}

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
    const rows = taken(log, 10);
    expect(rows.map(({ requestId, keyId, path }) => [requestId, keyId, path.length])).toEqual([
      ['r1', 'key of a', 200],
      ['r2', '', 10],
    ]);
    expect(rows[0]).toMatchObject({ accountId: 'a', createdAtMs: '1000', status: '200', durationUs: '1000' });
    expect(log.take(10)).toEqual([]);
  });

  it('keeps a row one line, whatever its path has, and a missing status empty', () => {
    const log = logOf(10);
    log.add(caller('a'), { ...request('r1', '/v1/a\tb\nc\rd\0e'), status: null });
    expect(taken(log, 1)).toMatchObject([{ path: '/v1/a?b?c?d?e', status: '' }]);
  });

  it('bounds the rows of each account in a second, and counts the rest', async () => {
    const log = logOf(2);
    for (let each = 0; each < 5; each += 1) offer(log, caller('busy'), request(`busy-${each}`));
    offer(log, caller('other'), request('other'));
    expect(taken(log, 10).map(({ requestId }) => requestId)).toEqual(['busy-0', 'busy-1', 'other']);
    log.nextSecond();
    expect(await counted('over_rate')).toBe(3);
    offer(log, caller('busy'), request('later'));
    expect(log.take(10)).toHaveLength(1);
  });

  it('keeps one request above the limit of an account in a second', async () => {
    const log = logOf(10);
    for (let each = 0; each < 3; each += 1) offer(log, caller('a'), request(`above-${each}`), false);
    offer(log, caller('a'), request('within'));
    expect(taken(log, 10).map(({ requestId }) => requestId)).toEqual(['above-0', 'within']);
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
    expect(taken(log, 1)[0]?.requestId).toBe('r1');
  });
});
