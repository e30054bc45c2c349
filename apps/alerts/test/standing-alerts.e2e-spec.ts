import { outgoing, tombstone } from '@plimsoll/event-bus';
import { walletKey } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import { samplePosition, sampleWallet, sampleWatch, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';

jest.setTimeout(60_000);

describe('standing alerts', () => {
  let harness: AlertsHarness;
  let wallets = 0;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  /** An account, a wallet that it may watch, and the wallet's position. */
  const scene = () => {
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    return {
      wallet,
      accountId,
      positionId: samplePosition(wallet, 1, 'low').id,
      watch: outgoing('wallet.v1', sampleWatch(accountId, wallet)),
      at: (...args: Parameters<typeof samplePosition> extends [string, ...infer R] ? R : never) =>
        outgoing('position.v1', samplePosition(wallet, ...args)),
    };
  };

  it('opens and resolves, with the position and the cause', async () => {
    const { wallet, accountId, positionId } = scene();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const position = samplePosition(wallet, 1, 'high');
    await harness.watch(accountId, wallet);
    await harness.publisher.publish(outgoing('position.v1', position, { requestId: 'req-1', traceparent }));
    await harness.changes(accountId, ['active health_factor_warning']);
    const created = harness.alerts.events.find(({ value }) => value?.accountId === accountId);
    expect(created).toMatchObject({
      requestId: 'req-1',
      value: {
        status: 'active',
        severity: 'high',
        confidenceScore: 0.9,
        position: { id: positionId, wallet, healthFactor: 1.2, band: 'high', collateralUsd: 7_500 },
        resolvedAt: null,
      },
    });
    expect(created?.traceparent?.slice(0, 35)).toBe(traceparent.slice(0, 35));

    await harness.publisher.publish(outgoing('position.v1', samplePosition(wallet, 2, 'moderate')));
    await harness.changes(accountId, ['active health_factor_warning', 'resolved health_factor_warning']);
  });

  it('has the same result whether the position or the watch arrives first', async () => {
    const first = scene();
    const second = scene();
    await harness.publisher.publish(first.at(1, 'critical'), second.watch);
    await harness.handled(first.positionId, 1);
    await harness.publisher.publish(first.watch, second.at(1, 'critical'));
    await harness.changes(first.accountId, ['active liquidation_risk']);
    await harness.changes(second.accountId, ['active liquidation_risk']);
  });

  it('processes the states of one batch in order', async () => {
    const { accountId, wallet, at } = scene();
    await harness.watch(accountId, wallet);
    await harness.publisher.publish(at(1, 'high'), at(2, 'critical'), at(3, 'high'), at(4, 'low'));
    await harness.changes(accountId, ['active health_factor_warning', 'resolved health_factor_warning']);
    await harness.changesBetween(accountId, ['escalated critical', 'updated high']);
  });

  it('opens a critical alert each time the health factor falls below 1, and lists its replacement', async () => {
    const { accountId, watch, at } = scene();
    await harness.publisher.publish(watch, at(1, 'critical'));
    await harness.changes(accountId, ['active liquidation_risk']);
    const held = { healthFactor: 1.005, healthFactorRaw: '1005000000000000000' };
    await harness.publisher.publish(
      at(2, 'liquidatable'),
      at(3, 'liquidatable', held),
      at(4, 'liquidatable'),
      at(5, 'low'),
    );
    const opened = 'active liquidation_risk';
    const resolved = 'resolved liquidation_risk';
    await harness.changes(accountId, [opened, resolved, opened, resolved, opened, resolved]);
    await harness.changesBetween(accountId, ['updated critical']);
    const { body } = await harness.list(accountId);
    const [last, second, first] = body.alerts;
    expect(body.alerts.map(({ resolveReason }) => resolveReason)).toEqual([
      'recovered',
      'escalated',
      'escalated',
    ]);
    expect(first).toMatchObject({ severity: 'critical', level: 'liquidatable', escalatedTo: second?.id });
    expect(second).toMatchObject({ healthFactor: { now: 0.97 }, revision: 3, escalatedTo: last?.id });
    expect(last).toMatchObject({ level: 'low', healthFactor: { now: 3 }, revision: 2 });
    expect(last).not.toHaveProperty('escalatedTo');
  });

  it('retracts the alert of a block that a reorg replaced', async () => {
    const { accountId, watch, at } = scene();
    await harness.publisher.publish(watch, at(1, 'high', { block: 200 }));
    await harness.changes(accountId, ['active health_factor_warning']);
    await harness.publisher.publish(at(2, 'critical', { block: 201 }));
    await harness.changesBetween(accountId, ['escalated critical']);
    await harness.publisher.publish(at(3, 'high', { block: 201, orphanedFrom: 201 }));
    await harness.changesBetween(accountId, ['escalated critical', 'updated high']);
    expect(harness.alertChanges.events.at(-1)?.value).toMatchObject({
      reason: 'retracted',
      previousLevel: 'critical',
      previousSeverity: 'critical',
      severity: 'high',
    });
    await harness.publisher.publish(at(4, 'moderate', { block: 200, orphanedFrom: 200 }));
    await harness.changes(accountId, ['active health_factor_warning', 'resolved health_factor_warning']);
    expect((await harness.list(accountId)).body.alerts).toMatchObject([{ resolveReason: 'retracted' }]);
  });

  it('ignores repeated and older events', async () => {
    const { accountId, positionId, watch, at } = scene();
    const high = at(5, 'high');
    await harness.publisher.publish(watch, high);
    await harness.changes(accountId, ['active health_factor_warning']);
    await harness.publisher.publish(high, at(4, 'low'), at(3, 'critical'), at(6, 'high'));
    await harness.handled(positionId, 6);
    expect(harness.published(accountId)).toEqual(['active health_factor_warning']);
    expect(await harness.query('SELECT 1 FROM alerts WHERE account_id = $1', [accountId])).toHaveLength(1);
  });

  it('resolves when the position is closed, and when the wallet is no longer watched', async () => {
    const closing = scene();
    const leaving = scene();
    const over = scene();
    await harness.publisher.publish(closing.watch, leaving.watch, over.watch);
    await harness.publisher.publish(
      closing.at(1, 'high'),
      leaving.at(1, 'liquidatable'),
      over.at(1, 'critical'),
    );
    await harness.changes(over.accountId, ['active liquidation_risk']);
    await harness.changes(leaving.accountId, ['active liquidation_risk']);
    await harness.publisher.publish(
      closing.at(2, 'none', { closed: true }),
      tombstone('wallet.v1', walletKey(leaving.accountId, leaving.wallet)),
      outgoing('wallet.v1', sampleWatch(over.accountId, over.wallet, false)),
    );
    await harness.changes(closing.accountId, [
      'active health_factor_warning',
      'resolved health_factor_warning',
    ]);
    await harness.changes(leaving.accountId, ['active liquidation_risk', 'resolved liquidation_risk']);
    await harness.changes(over.accountId, ['active liquidation_risk', 'resolved liquidation_risk']);
  });

  it('alerts every account that watches the wallet, and no other', async () => {
    const one = scene();
    const other = newAccount();
    const stranger = newAccount();
    await harness.publisher.publish(
      one.watch,
      outgoing('wallet.v1', sampleWatch(other, one.wallet)),
      outgoing('wallet.v1', sampleWatch(stranger, sampleWallet((wallets += 1)))),
    );
    await harness.publisher.publish(one.at(1, 'high'));
    await harness.changes(one.accountId, ['active health_factor_warning']);
    await harness.changes(other, ['active health_factor_warning']);
    expect(harness.published(stranger)).toEqual([]);
    expect((await harness.list(stranger)).body.alerts).toEqual([]);
  });

  describe('with a clock that the test sets', () => {
    let nowMs = Date.now();
    const takeClock = (): void => {
      harness.app.get(Clock).now = () => nowMs;
    };
    beforeAll(takeClock);
    afterAll(() => {
      harness.app.get(Clock).now = Date.now;
    });

    it('opens immediately for a position that recovered and falls again', async () => {
      const { accountId, wallet, at } = scene();
      await harness.watch(accountId, wallet);
      await harness.publisher.publish(at(1, 'high'), at(2, 'low'), at(3, 'high'));
      const opened = 'active health_factor_warning';
      await harness.changes(accountId, [opened, 'resolved health_factor_warning', opened]);
    });

    it('delays an alert by five minutes after its wallet was unwatched, over a restart, and then opens it', async () => {
      const { accountId, wallet, positionId, watch, at } = scene();
      await harness.publisher.publish(watch, at(1, 'high'));
      await harness.changes(accountId, ['active health_factor_warning']);
      await harness.publisher.publish(tombstone('wallet.v1', walletKey(accountId, wallet)));
      const once = ['active health_factor_warning', 'resolved health_factor_warning'];
      await harness.changes(accountId, once);
      await harness.watch(accountId, wallet);
      nowMs += 299_000;
      await harness.restart();
      takeClock();
      await harness.publisher.publish(at(4, 'high'));
      await harness.handled(positionId, 4);
      expect(harness.published(accountId)).toEqual(once);
      nowMs += 1_000;
      await harness.changes(accountId, [...once, 'active health_factor_warning']);
      expect(await harness.query('SELECT 1 FROM due_openings WHERE account_id = $1', [accountId])).toEqual(
        [],
      );
    });

    it('publishes the last figures of an open alert a minute after the previous ones, without another event', async () => {
      const { accountId, positionId, watch, at } = scene();
      const figure = (healthFactor: number) => ({
        healthFactor,
        healthFactorRaw: String(BigInt(Math.round(healthFactor * 1e4)) * 10n ** 14n),
      });
      await harness.publisher.publish(watch, at(1, 'high'));
      await harness.changes(accountId, ['active health_factor_warning']);
      await harness.publisher.publish(at(2, 'high', figure(1.19)), at(3, 'high', figure(1.18)));
      await harness.handled(positionId, 3);
      await harness.changesBetween(accountId, []);
      nowMs += 60_000;
      await harness.changesBetween(accountId, ['updated high']);
      expect(harness.alertChanges.events.at(-1)?.value?.position?.healthFactor).toBe(1.18);
      expect((await harness.list(accountId)).body.alerts).toMatchObject([
        { healthFactor: { now: 1.18 }, title: 'Health factor now 1.18 in Aave V3 on Ethereum', revision: 2 },
      ]);
    });

    it('forgets the delayed alert when the position recovers meanwhile', async () => {
      const { accountId, positionId, wallet, watch, at } = scene();
      await harness.publisher.publish(watch, at(1, 'high'));
      await harness.changes(accountId, ['active health_factor_warning']);
      await harness.publisher.publish(tombstone('wallet.v1', walletKey(accountId, wallet)));
      await harness.changes(accountId, ['active health_factor_warning', 'resolved health_factor_warning']);
      await harness.watch(accountId, wallet);
      await harness.publisher.publish(at(4, 'low'));
      await harness.handled(positionId, 4);
      nowMs += 300_000;
      await waitFor(
        async () =>
          (await harness.query('SELECT 1 FROM due_openings WHERE position_id = $1', [positionId])).length ===
          0,
        { message: 'nothing is delayed' },
      );
      expect(harness.published(accountId)).toHaveLength(2);
    });

    it('opens immediately within the cooldown when the level is worse than before', async () => {
      const { accountId, watch, at } = scene();
      await harness.publisher.publish(watch, at(1, 'critical'));
      await harness.changes(accountId, ['active liquidation_risk']);
      await harness.publisher.publish(at(2, 'low'), at(3, 'liquidatable'));
      await harness.changes(accountId, [
        'active liquidation_risk',
        'resolved liquidation_risk',
        'active liquidation_risk',
      ]);
    });
  });
});
