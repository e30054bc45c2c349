import { type SeededFamilies, seedFamilies } from '@plimsoll/devnet';
import type { components } from '@plimsoll/sdk';
import { waitFor } from '@plimsoll/testing';
import type { Browser } from 'playwright-core';
import { formatUsd, shortened } from '../../apps/portal/src/design/format';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { PortalUser, startChromium } from './portal-browser';

const EMAIL = 'barbara@example.com';
const PASSWORD = 'correct horse battery staple';

type Schemas = components['schemas'];

describe('whales in the portal', () => {
  let platform: Platform;
  let browser: Browser;
  let barbara: PortalUser;
  let seeded: SeededFamilies;
  const faults: string[] = [];

  beforeAll(async () => {
    [platform, browser] = await Promise.all([
      startOwnPlatform({ WHALE_THRESHOLD_USD: '100000', CLUSTER_INTERVAL_MS: '500' }, { plans: [] }),
      startChromium(),
    ]);
    barbara = await PortalUser.open(browser, new URL(platform.baseUrl).origin);
    await barbara.signUp(EMAIL, PASSWORD);
    await barbara.heading('Make your first call');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  }, 60_000);

  const look = async (name: string): Promise<void> => {
    faults.push(...(await barbara.faults(name)));
  };
  const read = <T>(path: string): Promise<T> =>
    barbara.page.evaluate(async (to) => (await fetch(to)).json(), path) as Promise<T>;

  it('name the plans that they need', async () => {
    const { page } = barbara;
    await barbara.choose('link', 'Whales');
    await page.getByText('Whale activity begins with the business plan').waitFor();
    await look('whales-plan');
    await barbara.choose('link', 'Clusters');
    await page.getByText('Clusters begin with the pro plan').waitFor();
  }, 60_000);

  it('are empty before the first move, and show each move of the stream as the API has it', async () => {
    const { page } = barbara;
    await platform.admin('accounts', 'set-tier', '--email', EMAIL, '--tier', 'enterprise');
    await waitFor(
      async () =>
        (await read<{ account: { tier: string } }>('/account/v1/session')).account.tier === 'enterprise',
      { message: 'the plan' },
    );
    const subscribed = page.waitForEvent('websocket');
    await barbara.goto('/whales');
    await page.getByText('No large move was seen yet').waitFor();
    await look('whales-empty');
    await subscribed;
    seeded = await seedFamilies(platform.rpcUrl, platform.devnet);
    await waitFor(
      async () => {
        const { activity } = await read<Schemas['WhaleActivityList']>('/v1/whales/activity?limit=100');
        const rows = await page.locator('tr[data-row]').allInnerTexts();
        expect(activity.length).toBeGreaterThanOrEqual(seeded.families.flat().length);
        expect(rows).toHaveLength(activity.length);
        for (const [index, { action, asset, usdValue }] of activity.entries()) {
          expect(rows[index]).toContain(action);
          expect(rows[index]).toContain(asset);
          expect(rows[index]).toContain(formatUsd(usdValue));
        }
        return true;
      },
      { message: 'the moves of the API', timeoutMs: 60_000, intervalMs: 1_000 },
    );
    await look('whales');
    await page.getByLabel('Action').selectOption('transfer');
    await page
      .getByRole('row', { name: /supply/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?action=transfer');
  }, 180_000);

  it('have clusters with their wallets and evidence, reached by keyboard', async () => {
    const { page } = barbara;
    const { clusters } = await waitFor(
      async () => {
        const list = await read<Schemas['WhaleClusterList']>('/v1/whales/clusters');
        return list.clusters.length === seeded.families.length && list;
      },
      { message: 'a cluster for each family', timeoutMs: 60_000, intervalMs: 1_000 },
    );
    await barbara.goto('/whales?view=clusters');
    await page.getByRole('table', { name: 'Clusters' }).waitFor();
    await look('whales-clusters');
    const { id } = clusters[0]!;
    await barbara.choose('link', id);
    await barbara.heading('Cluster of wallets');
    await page.getByRole('img', { name: /wallets with \d+ lines of evidence/ }).waitFor();
    const { cluster } = await read<Schemas['WhaleClusterAnswer']>(`/v1/whales/clusters/${id}`);
    const wallets = await page.getByRole('table', { name: 'Wallets' }).locator('tbody tr').allInnerTexts();
    expect(wallets).toHaveLength(cluster.wallets.length);
    for (const [index, { wallet, valueUsd }] of cluster.wallets.entries()) {
      expect(wallets[index]).toContain(shortened(wallet));
      expect(wallets[index]).toContain(formatUsd(valueUsd));
    }
    expect(await page.getByRole('table', { name: 'Evidence' }).locator('tbody tr').count()).toBe(
      cluster.evidence.length,
    );
    await look('whales-cluster');
  }, 120_000);

  it('keep what they show while the browser is offline, and say so', async () => {
    const { page, context } = barbara;
    await barbara.goto('/whales');
    const rows = page.locator('tr[data-row]');
    await rows.first().waitFor();
    const count = await rows.count();
    await context.setOffline(true);
    await page.getByText('This browser is offline').waitFor();
    expect(await rows.count()).toBe(count);
    await look('whales-offline');
    await context.setOffline(false);
    await page.getByText('This browser is offline').waitFor({ state: 'detached' });
  }, 60_000);

  it('are accessible in these states, and keep the policy', () => {
    expect(faults).toEqual([]);
    expect(
      barbara.errors.filter(
        (error) => !/status of (401|403|404)|WebSocket|ERR_INTERNET_DISCONNECTED/.test(error),
      ),
    ).toEqual([]);
  });
});
