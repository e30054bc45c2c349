import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomBits } from '@plimsoll/risk-math';
import { waitFor } from '@plimsoll/testing';
import { OperationsServer } from '@plimsoll/service-kit';
import { MODEL_VERSION } from '../src/track-record/forecast-model';
import { DAY_MS, HOUR_MS, TrackRecordFixture, positionState } from './track-record-fixture';

const DAYS = 60;
const POSITIONS = 40;
const WAIT = { timeoutMs: 30_000 };

describe('alerts from recorded outcomes', () => {
  let fixture: TrackRecordFixture;
  let app: NestFastifyApplication;

  beforeEach(async () => {
    fixture = await TrackRecordFixture.create({ TRACK_RECORD_RAW_DAYS: 365 });
    app = await fixture.start();
    await waitFor(async () => (await fixture.trackRecord(app)).status === 200, {
      ...WAIT,
      message: 'the tables exist',
    });
  }, 60_000);
  afterEach(() => fixture?.close(), 60_000);

  /** One-day forecasts of 60 days, with `truth` times as many liquidations as predicted. */
  async function record(seed: number, truth: number): Promise<void> {
    const bits = randomBits(seed);
    const uniform = (): number => bits() / 2 ** 32;
    const rows = Array.from({ length: DAYS * POSITIONS }, (_, i) => {
      const slot = fixture.nowMs - (DAYS + 1 - Math.floor(i / POSITIONS)) * DAY_MS;
      const probability = 0.1 * uniform();
      return {
        id: positionState(`recorded-${i % POSITIONS}`, 1, { blockTimeMs: slot }).id,
        slot: new Date(slot),
        expires: new Date(slot + DAY_MS),
        probability,
        outcome: uniform() < probability * truth ? 'liquidatable' : 'untouched',
      };
    });
    await fixture.pool.query(
      `INSERT INTO forecasts (position_id, horizon_days, slot, made_at, expires_at, sequence, block, chain_id, protocol,
         asset, band, health_factor, model, model_version, probability, standard_error, outcome, resolved_at)
       SELECT id, 1, slot, slot, expires, 1, 1, 1, 'aave-v3', 'ETH', 'high', 1.2, 'fhs', $1, probability, 0, outcome, expires
       FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::float8[], $6::text[])
         AS row (id, slot, expires, probability, outcome)`,
      [
        MODEL_VERSION,
        rows.map(({ id }) => id),
        rows.map(({ slot }) => slot),
        rows.map(({ expires }) => expires),
        rows.map(({ probability }) => probability),
        rows.map(({ outcome }) => outcome),
      ],
    );
  }
  const untilCohorts = (count: number) =>
    waitFor(async () => (await fixture.pool.query('SELECT 1 FROM calibration_cohorts')).rowCount === count, {
      ...WAIT,
      message: `${count} cohorts`,
    });
  const openGauge = async (): Promise<string | undefined> => {
    const metrics = await fetch(`${app.get(OperationsServer).origin}/metrics`, {
      signal: AbortSignal.timeout(5_000),
    });
    return /^simulation_operator_alerts_open\{kind="calibration"\} (\d+)$/m.exec(await metrics.text())?.[1];
  };

  it('matching outcomes open nothing', async () => {
    await record(1, 1);
    await untilCohorts(DAYS);
    fixture.advance(HOUR_MS);
    const { body } = await fixture.trackRecord(app, '?horizonDays=1');
    expect(body.calibrationAlert).toBeNull();
    const [overall] = body.overall;
    expect(overall).toMatchObject({ n: DAYS * POSITIONS, censored: 0, pending: 0 });
    expect(overall!.ece).toBeLessThan(2.5 * overall!.expectedEce!);
    const off = Math.abs(overall!.observedRate! - overall!.meanForecast!);
    expect(off).toBeLessThan(3 * overall!.standardError!);
  }, 60_000);

  it('diverging outcomes open one alert, which describes them, and which resolves when they are no longer of this model', async () => {
    await record(2, 5);
    await untilCohorts(DAYS);
    await waitFor(async () => (await fixture.trackRecord(app)).body.calibrationAlert !== null, {
      ...WAIT,
      message: 'the alert is open',
    });
    const { body } = await fixture.trackRecord(app, '?protocol=another');
    expect(body.calibrationAlert).toEqual({
      since: new Date(fixture.nowMs).toISOString(),
      reason: expect.stringMatching(/^Forecasts over 1 day are too low: .* was forecast/) as string,
    });
    await waitFor(async () => (await openGauge()) === '1', { ...WAIT, message: 'the metric shows it' });
    expect((await fixture.pool.query('SELECT * FROM operator_alerts')).rows).toHaveLength(1);

    await fixture.pool.query('UPDATE forecasts SET model_version = $1', ['earlier']);
    await fixture.pool.query('UPDATE calibration_cohorts SET model_version = $1', ['earlier']);
    await waitFor(async () => (await openGauge()) === '0', { ...WAIT, message: 'the alert is resolved' });
    expect((await fixture.trackRecord(app)).body.calibrationAlert).toBeNull();
    const { rows } = await fixture.pool.query('SELECT resolved_at FROM operator_alerts');
    expect(rows).toEqual([{ resolved_at: new Date(fixture.nowMs) }]);
  }, 60_000);

  it('figures stay the same when old forecasts become sums by day', async () => {
    await record(3, 1);
    await untilCohorts(DAYS);
    const before = (await fixture.trackRecord(app)).body;
    await fixture.stop(app);
    app = await fixture.start({ TRACK_RECORD_RAW_DAYS: 30 });
    await waitFor(
      async () => {
        const { rows } = await fixture.pool.query<{ left: number }>(
          'SELECT count(*)::int AS left FROM forecasts',
        );
        return rows[0]!.left === 30 * POSITIONS;
      },
      { ...WAIT, message: 'old forecasts are aggregated' },
    );
    const after = (await fixture.trackRecord(app)).body;
    const figures = ({ overall, groups }: typeof before) =>
      [...overall, ...groups].map((each) =>
        Object.fromEntries(
          Object.entries(each).map(([name, value]) => [
            name,
            typeof value === 'number' ? Number(value.toPrecision(9)) : value,
          ]),
        ),
      );
    expect(figures(after)).toEqual(figures(before));
    expect(after.since!.slice(0, 10)).toBe(before.since!.slice(0, 10));
    expect(after.updatedAt).toBe(before.updatedAt);
  }, 60_000);
});
