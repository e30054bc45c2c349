import {
  type AlertItem,
  type AlertList,
  type PositionList,
  type StreamAlert,
  WEBHOOK_HEADERS,
  type WebhookEnvelope,
} from '@plimsoll/contracts';
import {
  type AnvilRpc,
  type SeedPlan,
  type SeededWallet,
  assetListing,
  connectAnvil,
  setPrice,
} from '@plimsoll/devnet';
import { startReceiver, type Receiver, waitFor } from '@plimsoll/testing';
import type { Hex } from 'viem';
import { apiClient, type ApiClient } from '../platform/api-client';
import { startOwnPlatform, type Platform } from '../platform/start-platform';
import { openStream, type StreamClient } from '../platform/stream-client';

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
const SEEDED_AT = 1.4;
const ALERT_EVENTS = ['alert.created', 'alert.escalated', 'alert.updated', 'alert.resolved'] as const;
type AlertEventName = (typeof ALERT_EVENTS)[number];

const plan: SeedPlan = {
  label: 'reorg',
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: SEEDED_AT,
  eMode: false,
};

interface ReceivedAlert {
  event: AlertEventName;
  alertId: string;
  type: string;
  reason: string | null;
}

describe('a reorg that undoes a fall: chain → positions → Kafka → alerts → webhook and stream', () => {
  let receiver: Receiver;
  let platform: Platform;
  let rpc: AnvilRpc;
  let api: ApiClient;
  let stream: StreamClient;
  let wallet: SeededWallet;

  beforeAll(async () => {
    receiver = await startReceiver();
    platform = await startOwnPlatform({}, { plans: [plan] });
    rpc = connectAnvil(platform.rpcUrl);
    const key = await platform.createKey('enterprise', 10_000);
    api = apiClient(platform.baseUrl, key);
    wallet = platform.wallets[0]!;
    expect((await api.post('/wallets', { address: wallet.address })).status).toBe(201);
    const url = `${receiver.url}/hook`;
    expect((await api.post('/webhooks', { url, events: ALERT_EVENTS })).status).toBe(201);
    stream = await openStream(`${platform.streamsUrl}/alerts`, key);
    await untilHealthFactor(SEEDED_AT);
  }, 180_000);

  afterAll(async () => {
    stream?.close();
    await platform?.stop();
    await receiver?.close();
  }, 60_000);

  const head = async (): Promise<number> => Number(await rpc.request<Hex>('eth_blockNumber', []));
  const fallTo = (healthFactor: number) =>
    setPrice(platform.rpcUrl, platform.devnet, 'WETH', (SEEDED_USD * healthFactor) / SEEDED_AT);

  async function untilHealthFactor(expected: number): Promise<void> {
    await waitFor(
      async () => {
        const { body } = await api.get<PositionList>(`/positions?wallet=${wallet.address}`);
        return Math.abs((body.positions[0]?.healthFactor ?? 0) - expected) < 1e-3;
      },
      { timeoutMs: 30_000, intervalMs: 100, message: `a health factor of ${expected}` },
    );
  }

  /** Alerts about the position only, because price moves open other alerts. */
  const ofPosition = async (): Promise<AlertItem[]> =>
    (await api.get<AlertList>('/alerts?limit=100')).body.alerts.filter(
      ({ positionId, type }) => positionId !== null && type !== 'rule_triggered',
    );
  const untilAlert = (message: string, fits: (alert: AlertItem) => boolean): Promise<AlertItem> =>
    waitFor(async () => (await ofPosition()).find(fits), { timeoutMs: 30_000, intervalMs: 100, message });

  /** The title of an alert's event, once a webhook and the stream have delivered it. */
  async function receivedAlert({ event, alertId, type, reason }: ReceivedAlert): Promise<string> {
    const dataOf = (body: Buffer) =>
      (JSON.parse(body.toString()) as WebhookEnvelope<'alert.resolved' | 'alert.updated'>).data as {
        alertId?: string;
        type: string;
        title: string;
        resolveReason?: string;
        reason?: string;
      };
    const said = (data: { resolveReason?: string; reason?: string }): string | null =>
      data.resolveReason ?? data.reason ?? null;
    const { body } = await receiver.waitForRequest((request) => {
      if (request.headers[WEBHOOK_HEADERS.event] !== event) return false;
      const data = dataOf(request.body);
      return data.alertId === alertId && data.type === type && said(data) === reason;
    }, 30_000);
    await stream.waitForFrame('event', ({ data }) => {
      const alert = data as StreamAlert;
      return (
        `alert.${alert.change}` === event &&
        alert.id === alertId &&
        alert.type === type &&
        said(alert) === reason
      );
    });
    return dataOf(body).title;
  }

  it('retracts the alert of a fall below 1', async () => {
    const before = await head();
    await fallTo(0.96);
    const alert = await untilAlert('the alert', ({ status }) => status === 'active');
    expect(alert).toMatchObject({ type: 'liquidation_risk', severity: 'critical', level: 'liquidatable' });
    expect(alert.healthFactor?.now).toBeLessThan(1);
    const { id: alertId, type } = alert;
    await receivedAlert({ event: 'alert.created', alertId, type, reason: null });

    await rpc.request('anvil_reorg', [(await head()) - before, []]);
    const retracted = await untilAlert(
      'it is retracted',
      ({ id, status }) => id === alertId && status === 'resolved',
    );
    expect(retracted.resolveReason).toBe('retracted');
    expect(await receivedAlert({ event: 'alert.resolved', alertId, type, reason: 'retracted' })).toContain(
      'Retracted',
    );
    await untilHealthFactor(SEEDED_AT);
    expect((await ofPosition()).map(({ id }) => id)).toEqual([alertId]);
  }, 120_000);

  it('retracts only the escalation if the position was in danger before', async () => {
    await fallTo(1.17);
    const warning = await untilAlert('the warning', ({ status }) => status === 'active');
    expect([warning.type, warning.severity]).toEqual(['health_factor_warning', 'high']);
    const snapshot = await rpc.request<Hex>('evm_snapshot', []);
    await fallTo(0.97);
    const risk = await untilAlert(
      'the alert',
      ({ type, status }) => type === 'liquidation_risk' && status === 'active',
    );
    await receivedAlert({ event: 'alert.created', alertId: risk.id, type: risk.type, reason: null });
    await receivedAlert({
      event: 'alert.resolved',
      alertId: warning.id,
      type: warning.type,
      reason: 'escalated',
    });

    expect(await rpc.request('evm_revert', [snapshot])).toBe(true);
    const corrected = await untilAlert(
      'the escalation is retracted',
      ({ id, severity }) => id === risk.id && severity === 'high',
    );
    expect(corrected).toMatchObject({ status: 'active', level: 'high' });
    expect(corrected.title).toContain('Correction');
    await receivedAlert({ event: 'alert.updated', alertId: risk.id, type: risk.type, reason: 'retracted' });
    await untilHealthFactor(1.17);
  }, 120_000);
});
