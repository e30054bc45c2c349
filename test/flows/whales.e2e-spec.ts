import type {
  AlertList,
  ProblemBody,
  StreamWhale,
  WhaleActivityList,
  WhaleClusterAnswer,
  WhaleClusterList,
} from '@plimsoll/contracts';
import { type SeededFamilies, seedFamilies } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import { apiClient, type ApiClient } from '../platform/api-client';
import { startOwnPlatform, type Platform } from '../platform/start-platform';
import { openStream } from '../platform/stream-client';

/**
 * Supplies of the families and of other wallets, one that is paid for another in each family, and a moved
 * position.
 */
const MOVES = 13 + 9 + 3 + 3;

describe('whales: chain → activity → whale.v1 → API, stream and alert', () => {
  let platform: Platform;
  let key: string;
  let api: ApiClient;
  let seeded: SeededFamilies;

  beforeAll(async () => {
    platform = await startOwnPlatform(
      { WHALE_THRESHOLD_USD: '100000', CLUSTER_INTERVAL_MS: '500' },
      { plans: [] },
    );
    key = await platform.createKey('enterprise');
    api = apiClient(platform.baseUrl, key);
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
  }, 60_000);

  const moves = async (): Promise<WhaleActivityList['activity']> => {
    const { body } = await api.get<WhaleActivityList>('/whales/activity?limit=200');
    const own = new Set(
      [...seeded.families.flat(), ...seeded.strangers].map((wallet) => wallet.toLowerCase()),
    );
    return body.activity.filter(({ wallet }) => own.has(wallet.toLowerCase()));
  };

  it('finds every move once although the service is killed meanwhile, and streams each once', async () => {
    const stream = await openStream(`${platform.streamsUrl}/whales`, key);
    const { whales } = platform.services;
    const seeding = seedFamilies(platform.rpcUrl, platform.devnet);
    for (let kills = 0; kills < 3; kills += 1) {
      await whales.kill9();
      await whales.start();
    }
    seeded = await seeding;
    await waitFor(async () => (await moves()).length >= MOVES, { timeoutMs: 30_000, message: 'all moves' });
    const found = await moves();
    expect(found).toHaveLength(MOVES);
    expect(new Set(found.map(({ id }) => id)).size).toBe(MOVES);
    const ids = new Set(found.map(({ id }) => id));
    const streamed = (): string[] =>
      stream.frames.flatMap(({ frame }) => {
        if (frame.type !== 'event') return [];
        const { id } = frame.data as StreamWhale;
        return ids.has(id) ? [id] : [];
      });
    await waitFor(() => streamed().length >= MOVES, { timeoutMs: 30_000, message: 'all are streamed' });
    expect(streamed().sort()).toEqual([...ids].sort());
    stream.close();
  }, 120_000);

  it('lists the families as clusters, without other wallets', async () => {
    const expected = seeded.families.map((family) => [...family].sort()).sort();
    const clusters = await waitFor(
      async () => {
        const { body } = await api.get<WhaleClusterList>('/whales/clusters');
        const read = await Promise.all(
          body.clusters.map(({ id }) => api.get<WhaleClusterAnswer>(`/whales/clusters/${id}`)),
        );
        const wallets = read.map((response) =>
          response.status === 200 ? response.body.cluster.wallets.map(({ wallet }) => wallet).sort() : [],
        );
        return JSON.stringify(wallets.sort()) === JSON.stringify(expected) && wallets;
      },
      { timeoutMs: 30_000, message: 'the families' },
    );
    expect(clusters).toHaveLength(seeded.families.length);
  }, 60_000);

  it('notifies the accounts that watch the wallet of a move', async () => {
    const wallet = seeded.strangers[0]!;
    expect((await api.post('/wallets', { address: wallet })).status).toBe(201);
    // All of them repeat their act.
    await seedFamilies(platform.rpcUrl, platform.devnet);
    await waitFor(
      async () =>
        (await api.get<AlertList>('/alerts?status=active')).body.alerts.some(
          ({ type }) => type === 'whale_move',
        ),
      { timeoutMs: 30_000, message: 'the alert' },
    );
  }, 60_000);

  it('shows clusters from the pro tier on, activity and evidence from business on', async () => {
    const keys = await Promise.all([platform.createKey('pro'), platform.createKey('open')]);
    const [pro, open] = keys.map((each) => apiClient(platform.baseUrl, each)) as [ApiClient, ApiClient];
    expect((await pro.get<WhaleClusterList>('/whales/clusters')).status).toBe(200);
    for (const [client, url] of [
      [pro, '/whales/activity'],
      [pro, '/whales/clusters/wc_0000000000000000000000'],
      [open, '/whales/clusters'],
    ] as const) {
      const { status, body } = await client.get<ProblemBody>(url);
      expect([status, body.code]).toEqual([403, 'tier_required']);
    }
  }, 60_000);
});
