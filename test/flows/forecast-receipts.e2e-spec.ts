import type { ForecastRecordList, PositionList, ReceiptInclusion } from '@plimsoll/contracts';
import type { SeedPlan } from '@plimsoll/devnet';
import {
  type ForecastReceipt,
  type ReceiptKey,
  leafOf,
  verifyInclusion,
  verifyReceipt,
} from '@plimsoll/sdk/verify';
import { waitFor } from '@plimsoll/testing';
import { type ApiClient, apiClient } from '../platform/api-client';
import { type Platform, startOwnPlatform } from '../platform/start-platform';

const plan: SeedPlan = {
  label: 'forecast',
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: 1.6,
  eMode: false,
};

describe('the receipt of recorded forecasts: simulation → positions → log → verifier', () => {
  let platform: Platform;
  let api: ApiClient;
  let key: string;
  let id: string;

  beforeAll(async () => {
    platform = await startOwnPlatform({ TRACK_RECORD_ROUND_MS: '200' }, { plans: [plan] });
    key = await platform.createKey('enterprise', 10_000);
    api = apiClient(platform.baseUrl, key);
    const { address } = platform.wallets[0]!;
    expect((await api.post('/wallets', { address })).status).toBe(201);
    const [position] = await waitFor(
      async () => {
        const { body } = await api.get<PositionList>(`/positions?wallet=${address}`);
        return body.positions.length === 1 && body.positions;
      },
      { timeoutMs: 30_000, message: 'the position is read' },
    );
    id = position!.id;
  }, 180_000);

  afterAll(() => platform?.stop(), 60_000);

  it('is in the log before the outcome, for accounts that watch the wallet', async () => {
    const { forecasts } = await waitFor(
      async () => {
        const { body } = await api.get<ForecastRecordList>(`/positions/${id}/forecasts`);
        return body.count === 3 && body;
      },
      { timeoutMs: 60_000, message: 'the forecasts have a receipt' },
    );
    expect(forecasts.map(({ horizonDays, outcome }) => [horizonDays, outcome])).toEqual([
      [30, null],
      [7, null],
      [1, null],
    ]);
    const [hash, ...others] = new Set(forecasts.map(({ receiptHash }) => receiptHash));
    expect(others).toEqual([]);

    const path = `${platform.baseUrl}/receipts/${hash}`;
    const text = await (await fetch(path, { headers: { 'x-api-key': key } })).text();
    const published = await fetch(new URL('/.well-known/plimsoll-keys.json', platform.baseUrl));
    const { keys } = (await published.json()) as { keys: ReceiptKey[] };
    const outcome = await verifyReceipt(text, { keys, rpcUrl: platform.rpcUrl });
    expect(outcome).toMatchObject({ code: null, kind: 'forecast', isRead: true });
    const { content } = JSON.parse(text) as ForecastReceipt;
    expect(content.position.id).toBe(id);
    for (const { horizonDays, probability, expiresAt } of forecasts) {
      const stated = content.forecasts.find((each) => each.horizonDays === horizonDays)!;
      expect(Number(stated.probability) / 1e18).toBeCloseTo(probability, 15);
      expect(stated.expiresAt).toBe(Date.parse(expiresAt));
    }

    const leaf = await leafOf(text);
    const inclusion = await waitFor(
      async () => {
        const response = await api.get<ReceiptInclusion>(`/receipts/inclusion?leaf=${leaf}`);
        return response.status === 200 && response.body;
      },
      { timeoutMs: 150_000, intervalMs: 1_000, message: 'a root has the receipt' },
    );
    expect(await verifyInclusion(text, inclusion, { keys })).toMatchObject({ ok: true, code: null });
    const later = text.replace(/"probability":"\d+"/, '"probability":"1"');
    expect((await verifyReceipt(later, { keys })).code).toBe('hash_differs');

    const stranger = apiClient(platform.baseUrl, await platform.createKey('enterprise', 10_000));
    expect((await stranger.get<ForecastRecordList>(`/positions/${id}/forecasts`)).body).toMatchObject({
      forecasts: [],
      count: 0,
    });
    expect((await stranger.get(`/receipts/${hash}`)).status).toBe(404);
  }, 240_000);
});
