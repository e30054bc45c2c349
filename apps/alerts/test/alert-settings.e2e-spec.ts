import type { AlertSettings } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { expectDocumented, samplePosition, sampleWallet } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';

jest.setTimeout(60_000);

describe('settings of alerts', () => {
  let harness: AlertsHarness;
  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const call = async (method: 'GET' | 'PATCH', accountId: string, body?: object) => {
    const response = await harness.call<AlertSettings>(method, '/v1/alerts/settings', accountId, body);
    expectDocumented(method, '/v1/alerts/settings', response);
    return response;
  };

  describe('GET /v1/alerts/settings', () => {
    it('200 with the defaults', async () => {
      expect(await call('GET', newAccount())).toMatchObject({
        status: 200,
        body: { minUsd: 10, targetHealthFactor: 1.5 },
      });
    });
  });

  describe('PATCH /v1/alerts/settings', () => {
    it('200 changes the given fields, only of the own account', async () => {
      const accountId = newAccount();
      expect((await call('PATCH', accountId, { minUsd: 250 })).body).toEqual({
        minUsd: 250,
        targetHealthFactor: 1.5,
      });
      expect((await call('PATCH', accountId, { targetHealthFactor: 2 })).body).toEqual({
        minUsd: 250,
        targetHealthFactor: 2,
      });
      expect((await call('GET', accountId)).body).toEqual({ minUsd: 250, targetHealthFactor: 2 });
      expect((await call('GET', newAccount())).body.minUsd).toBe(10);
    });

    it.each([
      ['minUsd', -1],
      ['minUsd', 1_000_001],
      ['minUsd', null],
      ['targetHealthFactor', 1],
      ['targetHealthFactor', 10.5],
      ['targetHealthFactor', '2'],
    ])('400 for %s %p', async (field, value) => {
      const { status, body } = await call('PATCH', newAccount(), { [field]: value });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(field);
    });

    it('resolves the alerts of positions that are now dust, and opens those of positions that no longer are', async () => {
      const accountId = newAccount();
      const wallet = sampleWallet(1);
      await harness.watch(accountId, wallet);
      const dust = { totalCollateralUsd: 60, totalDebtUsd: 50 };
      await harness.publisher.publish(
        outgoing('position.v1', samplePosition(wallet, 1, 'liquidatable', dust)),
      );
      await harness.changes(accountId, ['active liquidation_risk']);
      await call('PATCH', accountId, { minUsd: 100 });
      await harness.changes(accountId, ['active liquidation_risk', 'resolved liquidation_risk']);
      expect((await harness.list(accountId)).body.alerts).toMatchObject([{ resolveReason: 'dust' }]);
      await call('PATCH', accountId, { minUsd: 0 });
      await harness.changes(accountId, [
        'active liquidation_risk',
        'resolved liquidation_risk',
        'active liquidation_risk',
      ]);
    });
  });
});
