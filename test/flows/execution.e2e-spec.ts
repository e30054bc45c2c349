import type { ExecutionAnswer, PositionList, PriceList, ProblemBody } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { type Hex, createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { apiClient, type ApiClient } from '../platform/api-client';
import { startOwnPlatform, type Platform } from '../platform/start-platform';

describe('an execution on the whole platform', () => {
  let platform: Platform;
  let api: ApiClient;

  beforeAll(async () => {
    platform = await startOwnPlatform();
    api = apiClient(platform.baseUrl, await platform.createKey('enterprise'));
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
  }, 60_000);

  it('is built through the gateway, is sent by a plain wallet, and ends at its predicted result', async () => {
    const wallet = platform.wallets.find(({ plan }) => plan.label === 'borrower at 1.5')!;
    const symbols = [...wallet.amounts.supplies, ...wallet.amounts.borrows].map(({ symbol }) => symbol);
    await waitFor(
      async () => (await api.get<PriceList>(`/prices?symbols=${symbols}`)).body.missing.length === 0,
      {
        message: 'the prices are known',
      },
    );
    const find = async () =>
      (await api.get<PositionList>(`/positions?wallet=${wallet.address}`)).body.positions[0]!;
    const { id } = await find();
    const body = { positionId: id, targetHealthFactor: 1.8, mode: 'build' };
    const { status, body: response } = await api.post<ExecutionAnswer>('/execution/deleverage', body);
    expect(status).toBe(202);
    const client = createWalletClient({
      account: privateKeyToAccount(wallet.privateKey),
      chain: mainnet,
      transport: http(platform.rpcUrl),
    }).extend(publicActions);
    for (const { to, data, value, gas } of response.execution.transactions) {
      const request = { to: to as Hex, data: data as Hex, value: BigInt(value), gas: BigInt(gas) };
      const hash = await client.sendTransaction(request);
      const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
      expect(receipt.status).toBe('success');
    }
    const after = await waitFor(
      async () => {
        const { healthFactor } = await find();
        return healthFactor !== null && healthFactor > 1.75 && healthFactor;
      },
      { message: 'the positions service has read it again' },
    );
    expect(Math.abs(after / 1.8 - 1)).toBeLessThan(1e-3);
    expect(Math.abs(after / response.execution.predictedHealthFactor! - 1)).toBeLessThan(1e-6);
  }, 60_000);

  it('403 below enterprise', async () => {
    const business = apiClient(platform.baseUrl, await platform.createKey('business'));
    const { status, body } = await business.get<ProblemBody>('/execution/status');
    expect([status, body.code]).toEqual([403, 'tier_required']);
  });
});
