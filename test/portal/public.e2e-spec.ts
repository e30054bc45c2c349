import type { components } from '@plimsoll/sdk';
import { waitFor } from '@plimsoll/testing';
import { Pool } from 'pg';
import type { Browser, Locator } from 'playwright-core';
import { availabilityText, minutesText, sumOf } from '../../apps/portal/src/public/availability';
import { calibrationOf } from '../../apps/portal/src/public/calibration';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { PortalUser, setHidden, startChromium } from './portal-browser';

type Schemas = components['schemas'];

/** The address of the browser has this many requests in a minute. */
const PER_MINUTE = 60;
const WINDOW_MS = 75_000;
/** The gateway reads the record again after a minute. */
const SHARED_MS = 75_000;
const RECORDED_MS = 60_000;
/** The browser logs the faults that the tests cause. */
const EXPECTED = /status of (429|503)|ERR_INTERNET_DISCONNECTED/;

/** Sums of forecasts with outcomes, as simulation keeps them after a week. */
const SEED = `
INSERT INTO simulation.forecast_totals
SELECT 'aave-v3', asset, 7, band, $1, $2, 0, forecasts, events, forecasts * p, forecasts * p * (1 - p),
  events * (1 - p)^2 + (forecasts - events) * p^2, -events * ln(p) - (forecasts - events) * ln(1 - p), censored, censored * p,
  now(), now() - interval '30 days'
FROM (VALUES ('ETH', 'critical', 400::bigint, 61::bigint, 0.16::float8, 40::bigint), ('BTC', 'critical', 100, 12, 0.1, 0),
  ('ETH', 'high', 900, 31, 0.03, 25), ('ETH', 'moderate', 2400, 9, 0.004, 10)) AS seed (asset, band, forecasts, events, p, censored)`;

describe('pages that everyone may read', () => {
  let platform: Platform;
  let origin: string;
  let browser: Browser;
  let visitor: PortalUser;
  const faults: string[] = [];

  beforeAll(async () => {
    [platform, browser] = await Promise.all([
      startOwnPlatform({ TRACK_RECORD_CACHE_MS: '0' }),
      startChromium(),
    ]);
    origin = new URL(platform.baseUrl).origin;
    visitor = await PortalUser.open(browser, origin);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  }, 60_000);

  const look = async (name: string): Promise<void> => {
    faults.push(...(await visitor.faults(name)));
  };
  const read = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${origin}/public/v1/${path}`)).json()) as T;
  const rowsOf = async (table: string): Promise<string[][]> => {
    const rows: Locator = visitor.page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
    return rows.evaluateAll((each: { cells: ArrayLike<{ innerText: string }> }[]) =>
      each.map(({ cells }) => Array.from(cells, ({ innerText }) => innerText.replaceAll(/\s+/g, ' ').trim())),
    );
  };

  it('are reached from the log-in by keyboard, without an account', async () => {
    await visitor.goto('/log-in');
    await visitor.choose('link', 'Status');
    await visitor.heading('Status');
    await visitor.choose('link', 'Track record');
    await visitor.heading('Track record');
    await visitor.choose('link', 'Status');
    await visitor.heading('Status');
    expect(new URL(visitor.page.url()).pathname).toBe('/portal/status');
  }, 60_000);

  it('show each service, chain and market as the API has it, from the first record on', async () => {
    const { page } = visitor;
    await waitFor(async () => (await read<Schemas['PublicStatus']>('status')).recordedSince !== null, {
      message: 'a first record',
      timeoutMs: RECORDED_MS,
      intervalMs: 2_000,
    });
    await page.reload();
    await page.getByText('Recorded every minute since').waitFor();
    await waitFor(
      async () => {
        const status = await read<Schemas['PublicStatus']>('status');
        const services = (await rowsOf('Services')).map(([, now, , ...figures]) => [now, ...figures]);
        expect(services).toEqual(
          status.parts.map(({ condition, history: { availability, days } }) => [
            condition,
            availabilityText(availability),
            minutesText(sumOf(days, 'down')),
            minutesText(sumOf(days, 'unrecorded')),
          ]),
        );
        const [chain] = await rowsOf('Chains');
        expect(chain?.slice(0, 2)).toEqual([status.chains[0]?.name, 'operational']);
        expect(status.chains[0]).toMatchObject({
          lagBlocks: 0,
          eventLatencyMs: expect.any(Number) as number,
        });
        expect((await rowsOf('Protocols')).map(([name, , now]) => [name, now]).sort()).toEqual(
          status.markets.map(({ protocolName, market }) => [`${protocolName} ${market}`, 'read']).sort(),
        );
        return true;
      },
      { message: 'the page with the figures of the API', timeoutMs: 60_000, intervalMs: 3_000 },
    );
    expect(await page.getByRole('img', { name: /^API and portal by day: 1 of 90 days/ }).count()).toBe(1);
    await look('status');
  }, 180_000);

  it('name a service that is down, and the chains while they cannot be read, and record it', async () => {
    const { page } = visitor;
    await platform.services['market-data'].stop();
    await page.getByText('Some parts have a problem').waitFor({ timeout: 60_000 });
    await page.getByRole('row', { name: /Prices and markets down/ }).waitFor();
    await page.getByText('The states of the chains cannot be read at the moment').first().waitFor();
    await look('status-down');
    await waitFor(
      async () => {
        const row = (await rowsOf('Services')).find(([name]) => name === 'Prices and markets');
        return /^[1-9]\d* min$/.test(row?.[4] ?? '');
      },
      { message: 'a recorded minute', timeoutMs: 120_000, intervalMs: 1_000 },
    );
    await platform.services['market-data'].start();
    await page.getByRole('row', { name: /Prices and markets operational/ }).waitFor({ timeout: 60_000 });
  }, 300_000);

  it('read nothing while they are hidden', async () => {
    const other = await visitor.another();
    const { page } = other;
    await page.clock.install();
    await other.goto('/status');
    await page.getByRole('table', { name: 'Services' }).waitFor();
    const sent: string[] = [];
    page.on('request', (request) => request.url().includes('/public/') && sent.push(request.url()));
    await setHidden(page, true);
    await page.clock.runFor(180_000);
    expect(sent).toEqual([]);
    const again = page.waitForResponse((response) => response.url().endsWith('/public/v1/status'));
    await setHidden(page, false);
    await page.clock.runFor(20_000);
    await again;
    visitor.errors.push(...other.errors);
    await page.close();
  }, 60_000);

  it('keep what they show while the browser is offline, and say so', async () => {
    const { page, context } = visitor;
    await context.setOffline(true);
    await page.getByText('This browser is offline').waitFor();
    expect(await page.getByRole('table', { name: 'Services' }).count()).toBe(1);
    await look('status-offline');
    await context.setOffline(false);
    await page.getByText('This browser is offline').waitFor({ state: 'detached' });
  }, 60_000);

  it('show that they read, and say when a limit is reached', async () => {
    const { page } = visitor;
    const held: (() => void)[] = [];
    const reads = '**/public/v1/**';
    await page.route(reads, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    for (const [path, heading] of [
      ['/status', 'Status'],
      ['/track-record', 'Track record'],
    ] as const) {
      await visitor.goto(path);
      await visitor.heading(heading);
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      faults.push(...(await visitor.violations(`loading${path.replaceAll('/', '-')}`)));
      await page.unroute(reads);
      const statuses = await Promise.all(
        Array.from(
          { length: 2 * PER_MINUTE + 10 },
          async () => (await fetch(`${origin}/public/v1${path}`)).status,
        ),
      );
      expect(statuses).toContain(429);
      await visitor.goto(path);
      await page.getByText('Too many requests').waitFor();
      await page.getByText(/Possible again in \d+ s/).waitFor();
      faults.push(...(await visitor.violations(`limit${path.replaceAll('/', '-')}`)));
      await page.getByText(/Possible again in/).waitFor({ state: 'detached', timeout: WINDOW_MS });
      await page.route(reads, async (route) => {
        await new Promise<void>((resolve) => held.push(resolve));
        await route.continue().catch(() => undefined);
      });
    }
    for (const release of held) release();
    await page.unroute(reads);
  }, 300_000);

  it('say that no forecast has an outcome yet, and compare them with their outcomes once there are some', async () => {
    const { page } = visitor;
    await visitor.goto('/track-record');
    const before = await read<Schemas['TrackRecord']>('track-record');
    await page.getByText(before.reason ?? '').waitFor();
    expect((await rowsOf('Scores by horizon')).map(([, , n, pending]) => [n, pending])).toEqual(
      before.overall.map(({ n, pending }) => [String(n), String(pending)]),
    );
    await look('track-record-pending');

    const version = before.overall[0]?.modelVersion;
    const pool = new Pool({ connectionString: platform.databaseUrl });
    await pool.query(SEED, [version, 'fhs']);
    await pool.end();
    await waitFor(
      async () => (await read<Schemas['TrackRecord']>('track-record')).overall.some(({ n }) => n > 0),
      { message: 'the outcomes', timeoutMs: SHARED_MS, intervalMs: 3_000 },
    );
    await visitor.goto('/track-record?horizon=1');
    await visitor.tabToElement(page.getByRole('combobox'));
    await page.keyboard.type('7');
    await page
      .getByRole('img', { name: /Forecast and observed share of liquidations within 7 days/ })
      .waitFor();
    expect(new URL(page.url()).search).toBe('?horizon=7');
    const { groups, overall } = await read<Schemas['TrackRecord']>('track-record');
    const expected = calibrationOf(groups, 7, version ?? '');
    expect(expected.map(({ n }) => n)).toEqual(expect.arrayContaining([500, 900, 2_400]));
    const percent = (value: number | null): string =>
      value === null ? 'none yet' : `${(value * 100).toFixed(value < 0.1 ? 2 : 1)} %`;
    expect(
      (await rowsOf('Calibration by health factor')).map(([, n, forecast, observed]) => [
        n,
        forecast,
        observed,
      ]),
    ).toEqual(
      expected.map(({ n, meanForecast, observedRate }) => [
        n.toLocaleString('en-US'),
        percent(meanForecast),
        percent(observedRate),
      ]),
    );
    const week = overall.find(({ horizonDays }) => horizonDays === 7);
    expect((await rowsOf('Scores by horizon')).find(([name]) => name === '7 days')?.slice(4, 7)).toEqual([
      percent(week?.meanForecast ?? null),
      percent(week?.observedRate ?? null),
      week?.brier?.toFixed(4),
    ]);
    await look('track-record');
  }, 240_000);

  it('are accessible in these states, and keep the policy', () => {
    expect(faults).toEqual([]);
    expect(visitor.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
  });
});
