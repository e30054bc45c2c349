import {
  type AlertItem,
  type AlertList,
  type StoredReceipt,
  type StreamAlert,
  type StreamPosition,
  WEBHOOK_HEADERS,
  type WebhookEnvelope,
} from '@plimsoll/contracts';
import { type SeedPlan, assetListing, setPrice } from '@plimsoll/devnet';
import { type ReceiptKey, verifyReceipt } from '@plimsoll/sdk/verify';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { type ApiClient, apiClient } from '../platform/api-client';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { type StreamClient, openStream } from '../platform/stream-client';

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
const SEEDED_AT = 1.4;
const plan: SeedPlan = {
  label: 'proof',
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: SEEDED_AT,
  eMode: false,
};

describe('the receipt of an alert: chain → positions → alerts → REST, webhook and stream → node', () => {
  let receiver: Receiver;
  let platform: Platform;
  let api: ApiClient;
  const streams: StreamClient[] = [];
  let wallet: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    platform = await startOwnPlatform({}, { plans: [plan] });
    const key = await platform.createKey('enterprise', 10_000);
    api = apiClient(platform.baseUrl, key);
    wallet = platform.wallets[0]!.address;
    expect((await api.post('/wallets', { address: wallet })).status).toBe(201);
    const events = ['alert.created', 'position.updated', 'position.liquidation_risk'];
    expect((await api.post('/webhooks', { url: `${receiver.url}/hook`, events })).status).toBe(201);
    for (const name of ['alerts', 'positions'])
      streams.push(await openStream(`${platform.streamsUrl}/${name}`, key));
    await waitFor(
      async () =>
        (await api.get<{ positions: unknown[] }>(`/positions?wallet=${wallet}`)).body.positions.length,
      { timeoutMs: 30_000, message: 'the position is read' },
    );
  }, 180_000);

  afterAll(async () => {
    for (const stream of streams) stream.close();
    await platform?.stop();
    await receiver?.close();
  }, 60_000);

  const webhookOf = async (event: string): Promise<{ receiptHash?: string | null }> => {
    const { body } = await receiver.waitForRequest((request) => {
      if (request.headers[WEBHOOK_HEADERS.event] !== event) return false;
      const { data } = JSON.parse(request.body.toString()) as WebhookEnvelope<'alert.created'>;
      return (
        data.receiptHash !== undefined && (event !== 'alert.created' || data.type === 'liquidation_risk')
      );
    }, 30_000);
    return (JSON.parse(body.toString()) as WebhookEnvelope<'alert.created'>).data;
  };

  it('is the same everywhere, and equal to the wei on the node', async () => {
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', (SEEDED_USD * 0.96) / SEEDED_AT);
    const alert = await waitFor(
      async () =>
        (await api.get<AlertList>('/alerts?limit=100')).body.alerts.find(
          ({ type }) => type === 'liquidation_risk',
        ),
      { timeoutMs: 30_000, intervalMs: 100, message: 'the alert' },
    );
    const receiptHash = alert.receiptHash;
    expect(receiptHash).toMatch(/^[0-9a-f]{64}$/);
    for (const event of ['alert.created', 'position.updated', 'position.liquidation_risk'])
      expect([event, (await webhookOf(event)).receiptHash]).toEqual([event, receiptHash]);
    await streams[0]!.waitForFrame('event', ({ data }) => {
      const { id, receiptHash: own } = data as StreamAlert;
      return id === alert.id && own === receiptHash;
    });
    await streams[1]!.waitForFrame(
      'event',
      ({ data }) => (data as StreamPosition).receiptHash === receiptHash,
    );

    const { status, body } = await api.get<StoredReceipt>(`/receipts/${receiptHash}`);
    expect(status).toBe(200);
    const { keys } = (await (
      await fetch(new URL('/.well-known/plimsoll-keys.json', platform.baseUrl))
    ).json()) as { keys: ReceiptKey[] };
    const outcome = await verifyReceipt(JSON.stringify(body), { keys, rpcUrl: platform.rpcUrl });
    expect(outcome).toMatchObject({ code: null, kind: 'crossing', isRead: true, isRecomputed: true });
    expect(outcome.steps.at(-1)!.detail).toContain(
      `(liquidatable) at block ${blockOf(body)}, across 1 and 1.1 and 1.25`,
    );
  }, 120_000);

  it('is null for alerts with another cause', async () => {
    const others = await waitFor(
      async () => {
        const { alerts } = (await api.get<AlertList>('/alerts?type=price_move')).body;
        return alerts.length > 0 && alerts;
      },
      { timeoutMs: 30_000, message: 'the price moved' },
    );
    expect(others.map(({ receiptHash }: AlertItem) => receiptHash)).toEqual(others.map(() => null));
  }, 60_000);
});

function blockOf({ content }: StoredReceipt): number {
  if (content.kind !== 'crossing') throw new Error(`${content.kind} is no crossing`);
  return content.after.block.number;
}
