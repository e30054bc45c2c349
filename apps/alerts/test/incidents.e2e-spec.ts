import { type IncidentAnswer, type IncidentList, derivedId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { wethPosition } from './samples';

jest.setTimeout(60_000);

describe('incidents', () => {
  let harness: AlertsHarness;
  let wallets = 0;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const listOf = async (accountId: string, query = '') =>
    (await harness.call<IncidentList>('GET', `/v1/incidents${query}`, accountId)).body;
  const detailOf = async (accountId: string, id: string) =>
    (await harness.call<IncidentAnswer>('GET', `/v1/incidents/${id}`, accountId)).body.incident;
  const watched = async (accountId: string): Promise<string> => {
    const wallet = sampleWallet((wallets += 1));
    await harness.watch(accountId, wallet);
    return wallet;
  };
  const at = (
    wallet: string,
    ...args: Parameters<typeof wethPosition> extends [string, ...infer R] ? R : never
  ) => outgoing('position.v1', wethPosition(wallet, ...args));

  it('is opened by a critical alert, described by its facts, and closed when all is resolved', async () => {
    const accountId = newAccount();
    const wallet = await watched(accountId);
    await harness.publisher.publish(at(wallet, 1, 'high', 1_500), at(wallet, 2, 'critical', 1_300));
    await harness.changes(accountId, ['active health_factor_warning']);
    await harness.changesBetween(accountId, ['escalated critical']);
    const [open] = (await listOf(accountId, '?status=open')).incidents;
    expect(open).toMatchObject({
      status: 'open',
      severity: 'critical',
      trigger: 'critical_alert',
      title: 'Liquidation risk in aave-v3 on chain 1',
      protocol: 'aave-v3',
      chainId: 1,
      alertCount: 1,
      closedAt: null,
    });
    // A liquidator repays a part and the position recovers in one event.
    await harness.publisher.publish(
      at(wallet, 3, 'liquidatable', 1_200),
      at(wallet, 4, 'low', 1_200, { weth: 6, usdc: 2_000 }),
    );
    await waitFor(async () => (await listOf(accountId, '?status=closed')).count === 1, {
      message: 'the incident is closed',
    });
    const incident = await detailOf(accountId, open!.id);
    expect(incident.timeline.map(({ type }) => type)).toEqual([
      'alert_opened',
      'alert_escalated',
      'band_changed',
      'alert_opened',
      'alert_resolved',
      'liquidation',
      'band_changed',
      'alert_resolved',
    ]);
    expect(incident.timeline[5]).toEqual({
      at: expect.stringMatching(/Z$/) as string,
      type: 'liquidation',
      message: 'Liquidation: about $8000.00 of debt repaid, $4800.00 of collateral taken',
      alertId: null,
      positionId: wethPosition(wallet, 1, 'low', 1).id,
      block: 104,
      band: 'low',
      healthFactor: 3,
      collateralUsd: 7_200,
      debtUsd: 2_000,
    });
    expect(incident.alertIds).toHaveLength(2);
    expect(incident.positionIds).toHaveLength(1);
    expect(incident.closedAt).not.toBeNull();
    const { body } = await harness.list(accountId);
    expect(body.alerts.map(({ incidentId }) => incidentId)).toEqual([incident.id, incident.id]);
  });

  it('is opened by the third alert of an account in one market within ten minutes', async () => {
    const accountId = newAccount();
    const three = [await watched(accountId), await watched(accountId), await watched(accountId)];
    for (const [i, wallet] of three.entries()) {
      expect((await listOf(accountId)).count).toBe(0);
      await harness.publisher.publish(at(wallet, 1, 'high', 1_500));
      await harness.changes(accountId, Array<string>(i + 1).fill('active health_factor_warning'));
    }
    const [run] = (await listOf(accountId)).incidents;
    expect(run).toMatchObject({ trigger: 'alert_run', severity: 'high', alertCount: 3 });
    const incident = await detailOf(accountId, run!.id);
    expect(incident.timeline.map(({ positionId }) => positionId)).toEqual(
      three.map((wallet) => wethPosition(wallet, 1, 'low', 1).id),
    );
  });

  describe('GET /v1/incidents', () => {
    it('200 page by page, newest first', async () => {
      const accountId = newAccount();
      const chains = [1, 10, 137];
      for (const chainId of chains) {
        const wallet = await watched(accountId);
        const id = derivedId('pos', wallet);
        await harness.publisher.publish(at(wallet, 1, 'critical', 1_300, { chainId, id }));
        await harness.handled(id, 1);
      }
      const seen: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: IncidentList = await listOf(accountId, `?limit=2&cursor=${cursor}`);
        seen.push(...page.incidents.map(({ chainId }) => chainId));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual([137, 10, 1]);
    });

    it('400 for an unknown status', async () => {
      const { status, body } = await harness.call('GET', '/v1/incidents?status=active', newAccount());
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'status']);
    });
  });

  describe('GET /v1/incidents/:id', () => {
    it("404 for another account's, and for an unknown one", async () => {
      const accountId = newAccount();
      const wallet = await watched(accountId);
      await harness.publisher.publish(at(wallet, 1, 'critical', 1_300));
      await harness.changes(accountId, ['active liquidation_risk']);
      const [incident] = (await listOf(accountId)).incidents;
      for (const [account, id] of [
        [newAccount(), incident!.id],
        [accountId, derivedId('inc', 'none')],
      ] as const) {
        const { status, body } = await harness.call('GET', `/v1/incidents/${id}`, account);
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
    });
  });
});
