import { setTimeout as delay } from 'node:timers/promises';
import { type ForecastContent, type Json, wrongUnsignedForecastPart } from '@plimsoll/receipts';
import { Health } from '@plimsoll/service-kit';
import { waitFor } from '@plimsoll/testing';
import { DAY_MS, HOUR_MS, SETTLED_MS, TrackRecordFixture, positionState } from './track-record-fixture';

const WAIT = { timeoutMs: 30_000 };

describe('the track record', () => {
  let fixture: TrackRecordFixture;

  beforeEach(async () => {
    fixture = await TrackRecordFixture.create();
  }, 60_000);
  afterEach(() => fixture?.close(), 60_000);

  it('forecasts each position once an hour, and each forecast gets its outcome', async () => {
    const app = await fixture.start();
    const { nowMs } = fixture;
    const state = (name: string, sequence: number, over: Partial<Parameters<typeof positionState>[2]> = {}) =>
      positionState(name, sequence, { blockTimeMs: fixture.nowMs, ...over });
    await fixture.publish(
      state('falls', 1),
      state('stays', 1),
      state('repays', 1),
      state('dips', 1),
      state('without-debt', 1, { debtUsd: 0 }),
      state('under', 1, { debtUsd: 30_000 }),
    );
    await fixture.untilForecasts(12);
    const first = await fixture.forecasts();
    expect(first[0]).toMatchObject({
      asset: 'ETH',
      band: 'low',
      sequence: 1,
      slot: new Date(nowMs),
      outcome: null,
    });
    expect(first[0]!.health_factor).toBeCloseTo(1.546875, 9);
    const byHorizon = first.slice(0, 3).map(({ probability }) => probability);
    expect(byHorizon).toEqual(byHorizon.toSorted((a, b) => a - b));
    expect(byHorizon[2]).toBeGreaterThan(0);

    // The next hour.
    fixture.advance(HOUR_MS);
    await fixture.untilForecasts(24);
    await fixture.publish(
      state('falls', 2, { ethPriceUsd: 1_900 }),
      state('repays', 2, { debtUsd: 10_000 }),
      state('dips', 2, { ethPriceUsd: 1_900 }),
      state('dips', 3),
    );
    await fixture.untilForecasts(18, ({ outcome }) => outcome !== null);

    fixture.advance(DAY_MS + SETTLED_MS);
    await fixture.untilForecasts(2, ({ outcome }) => outcome === 'untouched');
    const made = (await fixture.forecasts()).filter(({ slot }) => slot.getTime() <= nowMs + HOUR_MS);
    const outcomes = (name: string) =>
      made
        .filter(({ position_id: id }) => id === state(name, 1).id)
        .map((each) => [each.horizon_days, each.outcome, each.outcome_reason]);
    const all = (outcome: string | null, reason: string | null = null) =>
      [1, 7, 30, 1, 7, 30].map((days) => [days, outcome, reason]);
    expect(outcomes('falls')).toEqual(all('liquidatable'));
    expect(outcomes('dips')).toEqual(all('liquidatable'));
    expect(outcomes('repays')).toEqual(all('censored', 'principal'));
    expect(outcomes('stays')).toEqual(
      all(null).map(([days]) => [days, days === 1 ? 'untouched' : null, null]),
    );

    const { body } = await fixture.trackRecord(app, '?protocol=aave-v3&asset=weth&horizonDays=1&band=low');
    expect(body.overall).toHaveLength(1);
    expect(body.groups).toHaveLength(1);
    const [group] = body.groups;
    expect(group).toMatchObject({ n: 6, censored: 2, observedRate: 4 / 6, observedRateHighest: 6 / 8 });
    const resolved = made.filter(
      ({ horizon_days: days, outcome }) => days === 1 && outcome !== 'censored' && outcome !== null,
    );
    const brier = resolved.reduce(
      (sum, { probability, outcome }) => sum + (probability - (outcome === 'liquidatable' ? 1 : 0)) ** 2 / 6,
      0,
    );
    expect(group!.brier).toBeCloseTo(brier, 12);
    expect(group!.pending).toBeGreaterThan(0);
    expect(body).toMatchObject({
      since: new Date(nowMs).toISOString(),
      reason: null,
      count: 1,
      models: [{ model: 'fhs', since: new Date(nowMs).toISOString() }],
      calibrationAlert: null,
    });
    const other = await fixture.trackRecord(app, '?protocol=compound-v3');
    expect(other.body).toMatchObject({ groups: [], since: null, reason: expect.any(String) as string });
    expect(other.body.overall.map(({ n, brier: none }) => [n, none])).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    expect((await fixture.trackRecord(app, '?horizonDays=2')).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'horizonDays' }],
    });
  }, 120_000);

  it('keeps forecasts that wait for their receipt, at most 12 hours', async () => {
    await fixture.start();
    await fixture.publish(positionState('waits', 1, { blockTimeMs: fixture.nowMs }));
    await fixture.untilForecasts(3);
    const waiting = () =>
      fixture.query<{ slot: Date; content: string; hash: string | null }>(
        'SELECT slot, content, hash FROM forecast_receipts ORDER BY slot',
      );
    const [first, ...others] = await waiting();
    expect([first!.hash, others]).toEqual([null, []]);
    const content = JSON.parse(first!.content) as ForecastContent;
    expect(wrongUnsignedForecastPart(content as unknown as Json)).toBeNull();
    const stored = await fixture.forecasts();
    expect(
      content.forecasts.map(({ horizonDays, probability }) => [horizonDays, Number(probability) / 1e18]),
    ).toEqual(stored.map((each) => [each.horizon_days, expect.closeTo(each.probability, 15)]));
    expect(content.madeAt).toBe(stored[0]!.made_at.getTime());

    fixture.advance(13 * HOUR_MS);
    await waitFor(async () => (await waiting()).every(({ slot }) => slot.getTime() > first!.slot.getTime()), {
      ...WAIT,
      message: 'the old one is no longer kept',
    });
    await fixture.untilForecasts(6);
  }, 60_000);

  it('a restart loses nothing: missed events are read from the log before any forecast ends as untouched', async () => {
    const first = await fixture.start();
    const start = fixture.nowMs;
    await fixture.publish(
      positionState('falls', 1, { blockTimeMs: start }),
      positionState('stays', 1, { blockTimeMs: start }),
    );
    await fixture.untilForecasts(6);
    await fixture.stop(first);

    await fixture.publish(
      positionState('falls', 2, { ethPriceUsd: 1_900, blockTimeMs: start + HOUR_MS }),
      positionState('falls', 3, { blockTimeMs: start + 2 * HOUR_MS }),
    );
    fixture.advance(DAY_MS + SETTLED_MS);
    await fixture.start();
    const { id } = positionState('falls', 1, { blockTimeMs: start });
    const isFirst = ({ slot }: { slot: Date }) => slot.getTime() === start;
    await fixture.untilForecasts(4, (each) => isFirst(each) && each.outcome !== null);
    const made = (await fixture.forecasts()).filter(isFirst);
    expect(made.filter((each) => each.position_id === id).map(({ outcome }) => outcome)).toEqual([
      'liquidatable',
      'liquidatable',
      'liquidatable',
    ]);
    expect(made.filter((each) => each.position_id !== id).map(({ outcome }) => outcome)).toEqual([
      'untouched',
      null,
      null,
    ]);
    await fixture.untilForecasts(6, (each) => !isFirst(each));
    const later = (await fixture.forecasts()).filter((each) => !isFirst(each) && each.position_id === id);
    expect(later.map(({ sequence, outcome }) => [sequence, outcome])).toEqual([
      [3, null],
      [3, null],
      [3, null],
    ]);
  }, 120_000);

  it('a late state corrects the outcome of a forecast that had ended untouched', async () => {
    await fixture.start();
    const start = fixture.nowMs;
    await fixture.publish(positionState('late', 1, { blockTimeMs: start }));
    await fixture.untilForecasts(3);
    fixture.advance(DAY_MS + SETTLED_MS);
    await fixture.untilForecasts(1, ({ outcome }) => outcome === 'untouched');
    await fixture.untilForecasts(3, ({ slot }) => slot.getTime() > start);
    await fixture.publish(positionState('late', 2, { ethPriceUsd: 1_900, blockTimeMs: start + HOUR_MS }));
    await fixture.untilForecasts(
      3,
      ({ slot, outcome }) => slot.getTime() === start && outcome === 'liquidatable',
    );
    // Forecasts of the old state from after the fall do not count.
    await fixture.untilForecasts(
      3,
      ({ slot, outcome_reason: reason }) => slot.getTime() > start && reason === 'stale',
    );
  }, 120_000);

  it('two instances store no forecast twice', async () => {
    const both = await Promise.all([fixture.start(), fixture.start()]);
    const names = Array.from({ length: 12 }, (_, i) => `shared-${i}`);
    await fixture.publish(...names.map((name) => positionState(name, 1, { blockTimeMs: fixture.nowMs })));
    await fixture.untilForecasts(36);
    fixture.advance(HOUR_MS);
    await fixture.untilForecasts(72);
    await delay(1_000);
    expect(await fixture.forecasts()).toHaveLength(72);
    const responses = await Promise.all(both.map((app) => fixture.trackRecord(app)));
    expect(responses.map(({ body }) => body.overall.map(({ pending }) => pending))).toEqual([
      [24, 24, 24],
      [24, 24, 24],
    ]);
  }, 120_000);
});

describe('the selection of positions for the track record', () => {
  it('follows the positions with the lowest ranks, and those that have open forecasts', async () => {
    const fixture = await TrackRecordFixture.create({ TRACK_RECORD_POSITIONS: 3 });
    try {
      await fixture.start();
      const states = Array.from({ length: 20 }, (_, i) =>
        positionState(`drawn-${i}`, 1, { blockTimeMs: fixture.nowMs }),
      );
      await fixture.publish(...states);
      await waitFor(async () => (await fixture.forecasts().catch(() => [])).length >= 9, {
        ...WAIT,
        message: 'the panel has forecasts',
      });
      fixture.advance(HOUR_MS);
      await delay(2_000);
      const later = (await fixture.forecasts()).filter(({ slot }) => slot.getTime() === fixture.nowMs);
      const drawn = [...new Set(later.map(({ position_id: id }) => id))];
      const { rows } = await fixture.pool.query<{ id: string }>(
        'SELECT id FROM tracked_positions ORDER BY rank, id LIMIT 3',
      );
      expect(drawn.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    } finally {
      await fixture.close();
    }
  }, 120_000);
});

describe('while the database is unavailable', () => {
  it('503 only for the record; the service starts, is degraded and continues to simulate', async () => {
    const fixture = await TrackRecordFixture.create();
    try {
      const app = await fixture.start({ DATABASE_URL: 'postgresql://nobody:none@127.0.0.1:1/none' });
      const report = await app.get(Health).report(2_000);
      expect(report.status).toBe('degraded');
      expect(report.checks['postgres']).not.toBe('ok');
      expect(await fixture.trackRecord(app)).toMatchObject({
        status: 503,
        body: { code: 'upstream_unavailable' },
      });
      const scenarios = await fixture.request('GET', '/v1/simulate/scenarios', {}, app);
      expect(scenarios.status).toBe(200);
    } finally {
      await fixture.close();
    }
  }, 60_000);

  it('the record begins when the database is available', async () => {
    const fixture = await TrackRecordFixture.create();
    const url = new URL(fixture.config.DATABASE_URL);
    url.pathname += '_later';
    const name = url.pathname.slice(1);
    try {
      const app = await fixture.start({ DATABASE_URL: url.href });
      expect((await fixture.trackRecord(app)).status).toBe(503);
      await fixture.pool.query(`CREATE DATABASE ${name}`);
      await waitFor(async () => (await fixture.trackRecord(app)).status === 200, {
        ...WAIT,
        message: 'the record can be read',
      });
      await waitFor(async () => (await app.get(Health).report(2_000)).status === 'ready', {
        ...WAIT,
        message: 'the service is ready',
      });
      await fixture.stop(app);
    } finally {
      await fixture.pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await fixture.close();
    }
  }, 90_000);
});
