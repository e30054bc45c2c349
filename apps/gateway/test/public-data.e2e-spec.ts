import type { ChainCondition, MarketCondition, PublicStatus } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { StatusRecorder } from '../src/public-data/status-recorder';
import { StatusRecords } from '../src/public-data/status-records';
import { Fixture } from './fixture';

jest.setTimeout(60_000);

const STATUS = '/public/v1/status';
const RECORD = '/public/v1/track-record';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BLOCK = { number: 1_207, time: '2026-11-21T12:00:00.000Z' };

const chain = (over: Partial<ChainCondition> = {}): ChainCondition => ({
  id: 1,
  name: 'Ethereum',
  status: 'operational',
  head: BLOCK,
  lagBlocks: 0,
  eventLatencyMs: 1_500,
  updatedAt: '2026-11-21T12:00:01.000Z',
  ...over,
});
const market = (over: Partial<MarketCondition> = {}): MarketCondition => ({
  chainId: 1,
  protocol: 'aave-v3',
  protocolName: 'Aave V3',
  market: 'AaveV3Ethereum',
  failure: null,
  lastRead: BLOCK,
  ...over,
});

describe('what everyone may read', () => {
  let fixture: Fixture;
  let chains: { chains: ChainCondition[]; markets: MarketCondition[] } | null;
  let trackRecord: object | null;

  beforeEach(async () => {
    fixture = await Fixture.start();
    chains = { chains: [chain()], markets: [market()] };
    trackRecord = { since: null, overall: [], groups: [], count: 0 };
    fixture.upstream.handler = ({ url }, response) => {
      const body = url === '/inner/chains' ? chains : url === '/v1/risk/track-record' ? trackRecord : null;
      if (body) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      else response.writeHead(500).end();
    };
  });
  afterEach(() => fixture.stop());

  /** A gateway, which has no response in memory yet. */
  const started = async () => {
    const { app, origin } = await fixture.app();
    return {
      app,
      records: app.get(StatusRecords),
      recorder: app.get(StatusRecorder),
      status: async (): Promise<PublicStatus> => {
        const response = await fetch(origin + STATUS);
        expect(response.status).toBe(200);
        return (await response.json()) as PublicStatus;
      },
      origin,
    };
  };

  it('is the present condition, with nothing recorded before the first minute', async () => {
    const { app, status } = await started();
    const report = await status();
    await app.close();
    expect(report).toMatchObject({ condition: 'operational', recordedSince: null });
    expect(report.parts.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['platform', 'gateway', 'positions', 'alerts']),
    );
    for (const { condition, history } of report.parts) {
      expect(condition).toBe('operational');
      expect(history).toEqual({ since: null, availability: null, days: [] });
    }
    expect(report.chains).toMatchObject([{ ...chain(), history: { since: null } }]);
    expect(report.markets).toEqual([{ ...market(), unreadableSince: null }]);
  });

  it('has each minute once, whichever gateways and rounds record it', async () => {
    const [first, second] = [await started(), await started()];
    const begunAt = Date.now();
    await Promise.all([first.recorder.record(), second.recorder.record(), first.recorder.record()]);
    const minutes = Math.floor(Date.now() / MINUTE_MS) - Math.floor(begunAt / MINUTE_MS) + 1;
    const { recordedSince, parts, chains: listed } = await second.status();
    await Promise.all([first.app.close(), second.app.close()]);
    expect(recordedSince).not.toBeNull();
    for (const { history } of parts) {
      expect(history.availability).toBe(1);
      const counted = history.days.reduce((sum, { operational }) => sum + operational, 0);
      expect(counted).toBeGreaterThan(0);
      expect(counted).toBeLessThanOrEqual(minutes);
    }
    expect(listed[0]?.history.days.at(-1)).toMatchObject({ eventLatencyMs: 1_500, eventLatencyMaxMs: 1_500 });
  });

  it('says since when a market is unreadable, also after positions forgot its last block', async () => {
    const { app, records, status } = await started();
    const nowMs = Date.now();
    const failing = market({ failure: 'rpc_unavailable' });
    await records.add(nowMs - 3 * MINUTE_MS, [], [market()]);
    await records.add(nowMs - 2 * MINUTE_MS, [], [failing]);
    await records.add(nowMs - MINUTE_MS, [], [{ ...failing, lastRead: null }]);
    chains = { chains: [chain({ status: 'degraded' })], markets: [{ ...failing, lastRead: null }] };
    const { markets } = await status();
    const since = new Date(Math.floor((nowMs - 2 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
    expect(markets).toMatchObject([{ failure: 'rpc_unavailable', lastRead: BLOCK, unreadableSince: since }]);
    await records.add(nowMs, [], [market()]);
    expect((await records.markets())[0]?.unreadableSince).toBeNull();
    await app.close();
  });

  it('counts a service that is not ready and one that does not respond, and the minutes without a record', async () => {
    const { app, records, status } = await started();
    const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const part = (condition: 'operational' | 'degraded' | 'down') => [
      { part: 'positions', condition, latencyMs: null },
    ];
    await records.add(nowMs - 5 * MINUTE_MS, part('operational'), []);
    await records.add(nowMs - 4 * MINUTE_MS, part('degraded'), []);
    await records.add(nowMs - 3 * MINUTE_MS, part('down'), []);
    await records.add(nowMs - MINUTE_MS, part('operational'), []);
    const { parts } = await status();
    await app.close();
    const { days, availability } = parts.find(({ id }) => id === 'positions')!.history;
    const sum = (name: 'operational' | 'degraded' | 'down' | 'unrecorded'): number =>
      days.reduce((all, day) => all + day[name], 0);
    expect([sum('operational'), sum('degraded'), sum('down')]).toEqual([2, 1, 1]);
    const all = sum('unrecorded') + 4;
    expect(sum('unrecorded')).toBeGreaterThanOrEqual(1);
    expect(availability).toBeCloseTo(3 / all, 9);
  });

  it('keeps 90 days', async () => {
    const { app, records, recorder } = await started();
    const nowMs = Date.now();
    for (const days of [91, 90, 89, 1])
      await records.add(
        nowMs - days * DAY_MS,
        [{ part: 'platform', condition: 'operational', latencyMs: null }],
        [],
      );
    await recorder.record();
    const pool = new Pool({ connectionString: fixture.database.url });
    const { rows } = await pool.query<{ days: string }>(
      `SELECT count(DISTINCT day) AS days FROM gateway.status_days WHERE part = 'platform'`,
    );
    await pool.end();
    await app.close();
    expect(Number(rows[0]?.days)).toBe(3);
  });

  it('has no chains while market-data does not respond, and no record of them', async () => {
    chains = null;
    const { app, recorder, records, status } = await started();
    await recorder.record();
    expect(await status()).toMatchObject({ chains: [], markets: [], chainsReadAt: null });
    expect((await records.days(Date.now())).map(({ part }) => part)).not.toContain('chain:1');
    await app.close();
  });

  it('is the track record of simulation, which all readers share for a minute', async () => {
    const { app, origin } = await started();
    trackRecord = null;
    const unavailable = await fetch(origin + RECORD);
    expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '5']);
    trackRecord = { since: null, overall: [], groups: [], count: 0 };
    const first = await fetch(origin + RECORD);
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(await first.json()).toEqual(trackRecord);
    trackRecord = null;
    const again = await fetch(origin + RECORD, { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect(again.status).toBe(304);
    await app.close();
  });

  it('is limited for each client address, and takes no parameters', async () => {
    const { app, origin } = await started();
    const from = (address: string, path = STATUS): Promise<Response> =>
      fetch(origin + path, { headers: { 'x-forwarded-for': address } });
    const refused = await from('203.0.113.9', `${STATUS}?days=7`);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      400,
      'invalid_request',
    ]);
    const statuses = await Promise.all(
      Array.from({ length: 130 }, async () => (await from('203.0.113.7')).status),
    );
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect((await from('203.0.113.8')).status).toBe(200);
    await app.close();
  });
});
