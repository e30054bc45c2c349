import { createHmac } from 'node:crypto';
import {
  type AlertList,
  type CreatedWebhook,
  type PositionList,
  type StreamAlert,
  type StreamPosition,
  WEBHOOK_HEADERS,
  type WebhookEnvelope,
} from '@plimsoll/contracts';
import { assetListing, setPrice, type SeededWallet } from '@plimsoll/devnet';
import {
  createTestDatabase,
  startOwnKafka,
  startReceiver,
  testRedis,
  waitFor,
  type OwnPart,
  type ReceivedRequest,
  type Receiver,
  type TestDatabase,
} from '@plimsoll/testing';
import { apiClient, type ApiClient } from '../platform/api-client';
import { MOST_PACKAGE_BYTES } from '../../tools/image-tree/image-tree';
import { writeServiceImages, type ServiceImages } from '../platform/service-images';
import { SERVICES, startPlatform, type Platform } from '../platform/start-platform';
import { openStream } from '../platform/stream-client';

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
/** The price of ETH at which a position seeded at 1.4 falls to 1.18, into the band high. */
const SHOCKED_USD = SEEDED_USD * 0.845;

const envelope = (request: ReceivedRequest): WebhookEnvelope =>
  JSON.parse(request.body.toString()) as WebhookEnvelope;

/** A seeded wallet that holds only WETH against a stable debt, at this health factor. */
function borrowerAt(wallets: readonly SeededWallet[], healthFactor: number): SeededWallet {
  const found = wallets.find(
    ({ plan }) =>
      plan.healthFactor === healthFactor && plan.supplies.length === 1 && plan.supplies[0]?.symbol === 'WETH',
  );
  if (!found) throw new Error(`no seeded wallet with WETH alone at ${healthFactor}`);
  return found;
}

describe('the main job: chain → positions → Kafka → alerts → signed webhook and stream', () => {
  let kafka: OwnPart;
  let database: TestDatabase;
  let images: ServiceImages;
  let platform: Platform;
  let receiver: Receiver;
  let key: string;
  let api: ApiClient;
  let webhook: CreatedWebhook['webhook'];
  let wallet: string;

  beforeAll(async () => {
    [kafka, database, receiver] = await Promise.all([startOwnKafka(), createTestDatabase(), startReceiver()]);
    // A package or file that an image lacks would fail here.
    images = await writeServiceImages(SERVICES);
    platform = await startPlatform(
      { databaseUrl: database.url, redisUrl: testRedis().url, kafkaBrokers: kafka.url },
      { REDIS_KEY_PREFIX: testRedis().keyPrefix },
      { images },
    );
    key = await platform.createKey('enterprise');
    api = apiClient(platform.baseUrl, key);
    wallet = borrowerAt(platform.wallets, 1.4).address;
    expect((await api.post('/wallets', { address: wallet })).status).toBe(201);
    const created = await api.post<CreatedWebhook>('/webhooks', {
      url: `${receiver.url}/hook`,
      events: ['alert.created', 'alert.resolved', 'position.updated', 'position.liquidation_risk'],
    });
    expect(created.status).toBe(201);
    webhook = created.body.webhook;
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
    images?.remove();
    await receiver?.close();
    await kafka?.dispose();
    await database?.drop();
  }, 60_000);

  const price = (usd: number) => setPrice(platform.rpcUrl, platform.devnet, 'WETH', usd);
  const allAlerts = async (status: string) =>
    (await api.get<AlertList>(`/alerts?status=${status}`)).body.alerts;
  /**
   * A fall of the price opens an alert about the asset too, which stays open as long as the price has moved
   * so far.
   */
  const alerts = async (status: string) =>
    (await allAlerts(status)).filter(({ positionId }) => positionId !== null);
  const isAboutPosition = (request: ReceivedRequest): boolean =>
    (envelope(request) as WebhookEnvelope<'alert.created'>).data.position !== null;
  const deliveryOf = (event: string, after: number) =>
    receiver.waitForRequest(
      (request) =>
        request.headers[WEBHOOK_HEADERS.event] === event &&
        request.receivedAtMs > after &&
        isAboutPosition(request),
      60_000,
    );

  it('runs from images whose packages take at most 120 MB', () => {
    expect(images.trees.map(({ app }) => app)).toEqual(SERVICES);
    expect(images.trees.filter(({ packageBytes }) => packageBytes > MOST_PACKAGE_BYTES)).toEqual([]);
  });

  it('serves the watched position with the figures of a stated block', async () => {
    const list = await waitFor(
      async () => {
        const { body } = await api.get<PositionList>('/positions');
        return body.positions.length === 1 && body;
      },
      { message: 'the watched position' },
    );
    expect(list.positions[0]).toMatchObject({ protocol: 'aave-v3', chainId: 1, riskLevel: 'moderate' });
    expect(list.positions[0]?.healthFactor).toBeCloseTo(1.4, 2);
    expect(list.asOfBlock['1']).toBeGreaterThan(0);
    expect(list.unreadable).toEqual([]);
  });

  it('a fall of ETH reaches webhook, stream and GET /v1/alerts; the recovery resolves it', async () => {
    const positions = await openStream(`${platform.streamsUrl}/positions`, key);
    const alertStream = await openStream(`${platform.streamsUrl}/alerts`, key);
    expect(positions.upgradeHeaders['x-service-tier']).toBe('enterprise');
    await positions.waitForFrame('snapshot');

    const before = performance.now();
    await price(SHOCKED_USD);
    const delivery = await deliveryOf('alert.created', before);
    const signature = createHmac('sha256', webhook.secret).update(delivery.body).digest('hex');
    expect(delivery.headers[WEBHOOK_HEADERS.signature]).toBe(signature);
    expect(delivery.headers['traceparent']).toMatch(/^00-/);
    expect(envelope(delivery)).toMatchObject({
      event: 'alert.created',
      webhookId: webhook.id,
      data: { type: 'health_factor_warning', alertType: 'danger', severity: 4 },
    });

    const frame = await positions.waitForFrame(
      'event',
      ({ data }) => (data as StreamPosition).band === 'high',
    );
    expect(frame.data).toMatchObject({ wallet, protocol: 'aave-v3' });
    await alertStream.waitForFrame(
      'event',
      ({ data }) => (data as StreamAlert).type === 'health_factor_warning',
    );
    expect(await alerts('active')).toMatchObject([
      {
        type: 'health_factor_warning',
        severity: 'high',
        positionId: (frame.data as StreamPosition).id,
      },
    ]);
    await deliveryOf('position.updated', before);
    await deliveryOf('position.liquidation_risk', before);
    await waitFor(
      async () =>
        (await allAlerts('active')).some(({ type, asset }) => type === 'price_move' && asset === 'ETH'),
      { message: 'the alert about the price' },
    );

    const fallen = performance.now();
    await price(SEEDED_USD);
    expect(envelope(await deliveryOf('alert.resolved', fallen)).data).toMatchObject({ alertType: 'safe' });
    expect(await alerts('active')).toEqual([]);
    expect(await alerts('resolved')).toHaveLength(1);
    positions.close();
    alertStream.close();
  }, 90_000);

  it('webhook-delivery is killed (-9) between the event and the delivery: it arrives after the restart', async () => {
    const other = borrowerAt(platform.wallets, 1.9).address;
    await api.post('/wallets', { address: other });
    await waitFor(async () => (await api.get<PositionList>('/positions')).body.positions.length === 2, {
      message: 'the second position',
    });
    await platform.services['webhook-delivery'].kill9();
    const before = performance.now();
    await price(SEEDED_USD * 0.55);
    await waitFor(async () => (await alerts('active')).length > 0, {
      timeoutMs: 30_000,
      message: 'an active alert',
    });
    expect(receiver.requests.filter(({ receivedAtMs }) => receivedAtMs > before)).toEqual([]);

    await platform.services['webhook-delivery'].start();
    const delivery = await deliveryOf('alert.created', before);
    expect(envelope(delivery).data).toMatchObject({ type: 'liquidation_risk', severity: 5 });
    await price(SEEDED_USD);
    await waitFor(async () => (await alerts('active')).length === 0, {
      timeoutMs: 30_000,
      message: 'no active alert',
    });
  }, 120_000);

  it('Kafka is killed (-9) between the event and the delivery: it arrives after the restart, once', async () => {
    const third = borrowerAt(platform.wallets, 2.75).address;
    await api.post('/wallets', { address: third });
    await waitFor(async () => (await api.get<PositionList>('/positions')).body.positions.length === 3, {
      message: 'the third position',
    });
    const before = performance.now();
    await kafka.kill9();
    await price(SEEDED_USD * 0.38);
    kafka = await kafka.restart();
    const isThird = (request: ReceivedRequest) => {
      if (request.headers[WEBHOOK_HEADERS.event] !== 'alert.created') return false;
      const { position, type } = (envelope(request) as WebhookEnvelope<'alert.created'>).data;
      return request.receivedAtMs > before && position?.wallet === third && type === 'liquidation_risk';
    };
    await receiver.waitForRequest(isThird, 90_000);
    expect(new Set(receiver.requests.filter(isThird).map((request) => envelope(request).eventId)).size).toBe(
      1,
    );
    expect(receiver.requests.filter(isThird)).toHaveLength(1);
  }, 180_000);
});
