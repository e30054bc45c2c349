import { walletKey } from '@plimsoll/contracts';
import { outgoing, tombstone } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { sampleWallet, sampleWatch, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { samplePrice, wethPosition } from './samples';

jest.setTimeout(60_000);

const MINUTE_MS = 60_000;
const MOVED = ['active price_move', 'resolved price_move'];
const DEPEG = ['active depeg', 'resolved depeg'];
const STALE = ['active oracle_stale', 'resolved oracle_stale'];

describe('alerts about assets', () => {
  let harness: AlertsHarness;
  let wallets = 0;
  let nowMs = Date.now();
  const takeClock = (): void => {
    harness.part(Clock).now = () => nowMs;
  };

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    takeClock();
  }, 120_000);
  afterAll(() => harness.close());
  // A price change of one test must not affect the next one.
  beforeEach(async () => {
    nowMs += 24 * 60 * MINUTE_MS;
    await harness.query('TRUNCATE prices, price_minutes, asset_conditions, positions, watches');
  });

  /** Publishes a price of a moment, which becomes now. */
  const price = async (usd: number, laterMs = 1_000, over: Parameters<typeof samplePrice>[3] = {}) => {
    nowMs += laterMs;
    const event = samplePrice('ETH', usd, nowMs, { heartbeatMs: 60 * MINUTE_MS, ...over });
    await harness.publisher.publish(outgoing('price.v1', event));
    await harness.priced(event);
    return event;
  };
  /** An account that watches a wallet with a position of WETH. */
  const holder = async () => {
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    await harness.watch(accountId, wallet);
    const { id } = wethPosition(wallet, 1, 'low', 2_000);
    const at = (sequence: number, over: Parameters<typeof wethPosition>[4] = {}) =>
      outgoing('position.v1', wethPosition(wallet, sequence, 'low', 2_000, over));
    await harness.publisher.publish(at(1));
    await harness.handled(id, 1);
    return { accountId, wallet, id, at };
  };

  describe('price_move', () => {
    it('opens for holders of the asset as WETH, once for all positions, gets worse, and resolves over time', async () => {
      await price(2_000);
      const { accountId, wallet } = await holder();
      const second = wethPosition(wallet, 1, 'low', 2_000, { chainId: 10, id: 'pos_AAAAAAAAAAAAAAAAAAAAAA' });
      await harness.publisher.publish(outgoing('position.v1', second));
      await harness.handled(second.id, 1);
      const stranger = newAccount();
      await harness.watch(stranger, sampleWallet((wallets += 1)));
      await price(1_801);
      await price(1_799);
      await harness.changes(accountId, MOVED.slice(0, 1));
      const published = harness.alerts.events.find(({ value }) => value?.accountId === accountId);
      expect(published?.value).toMatchObject({
        asset: 'ETH',
        position: null,
        severity: 'medium',
        confidenceScore: 0.75,
        title: 'ETH fell 10.1 % within an hour',
      });
      const { body } = await harness.list(accountId);
      expect(body.alerts).toEqual([
        expect.objectContaining({ type: 'price_move', asset: 'ETH', positionId: null }),
      ]);
      await price(1_600);
      const worse = [...MOVED, MOVED[0]!];
      await harness.changes(accountId, worse);
      expect(
        (await harness.list(accountId, '?status=active')).body.alerts.map(({ severity }) => severity),
      ).toEqual(['high']);
      // The difference from the earlier price stays the same within the hour.
      await price(1_600, 50 * MINUTE_MS);
      await price(1_600, 11 * MINUTE_MS);
      await harness.changes(accountId, [...worse, 'resolved price_move']);
      expect(harness.published(stranger)).toEqual([]);
    });

    it('lists the affected positions with the names that the account gave to the wallets', async () => {
      await price(2_000);
      const { accountId, wallet, id } = await holder();
      const label = 'Cold storage';
      await harness.publisher.publish(outgoing('wallet.v1', { ...sampleWatch(accountId, wallet), label }));
      await waitFor(
        async () => (await harness.query('SELECT 1 FROM watches WHERE label = $1', [label])).length === 1,
        { message: 'the name is stored' },
      );
      await price(1_700);
      await harness.changes(accountId, MOVED.slice(0, 1));
      const published = harness.alerts.events.find(({ value }) => value?.accountId === accountId);
      const content = published?.value?.content;
      expect(content).toMatchObject({
        affectedPositions: [{ positionId: id, walletLabel: label }],
        affectedTotal: 1,
      });
      const { body } = await harness.list(accountId);
      expect(body.alerts[0]?.affectedPositions).toEqual(content?.affectedPositions);
      expect(body.alerts[0]?.message).toContain(`of wallet ${label} (0x`);
    });

    it('reaches every account, however many, in transactions of a bounded size', async () => {
      await price(2_000);
      await harness.query(`
        INSERT INTO watches (wallet, account_id, watching, changed_at)
        SELECT '0x' || lpad(to_hex(n), 40, '0'), 'acc_' || lpad(n::text, 22, 'm'), true, now()
        FROM generate_series(1, 12000) AS n`);
      await harness.query(`
        INSERT INTO positions (id, sequence, wallet, protocol, chain_id, health_factor, collateral_usd, debt_usd, band,
          closed, assets)
        SELECT 'pos_' || lpad(n::text, 22, 'm'), 1, '0x' || lpad(to_hex(n), 40, '0'), 'aave-v3', 1, 2, 1, 1, 'low',
          false, '["ETH"]'
        FROM generate_series(1, 12000) AS n`);
      await price(1_700);
      const sizes = async () => {
        const rows = await harness.query<{ size: number }>(
          `SELECT count(*)::int AS size FROM alerts WHERE account_id LIKE 'acc_mm%' GROUP BY xmin::text ORDER BY 1 DESC`,
        );
        return rows.map(({ size }) => size);
      };
      await waitFor(async () => (await sizes()).reduce((sum, size) => sum + size, 0) === 12_000, {
        timeoutMs: 30_000,
        message: 'every account has the alert',
      });
      expect(await sizes()).toEqual([10_000, 2_000]);
      // Must run before the clock moves on. Otherwise all accounts get another alert, about the missing
      // price.
      await harness.query('TRUNCATE prices, asset_conditions, positions, watches');
      await harness.query(`DELETE FROM alerts WHERE account_id LIKE 'acc_mm%'`);
    });

    it('waits for a cooldown of five minutes, and is published immediately when it is worse', async () => {
      await price(2_000);
      const { accountId } = await holder();
      await price(1_790);
      await price(1_900);
      await harness.changes(accountId, MOVED);
      await price(1_790);
      expect(harness.published(accountId)).toEqual(MOVED);
      await price(1_790, 5 * MINUTE_MS);
      await harness.changes(accountId, [...MOVED, MOVED[0]!]);
      await price(1_900);
      await price(1_590);
      await harness.changes(accountId, [...MOVED, ...MOVED, MOVED[0]!]);
    });

    it('has the same result whether the price, the watch or the position arrives last', async () => {
      await price(2_000);
      await price(2_300);
      const late = await holder();
      await harness.changes(late.accountId, MOVED.slice(0, 1));
      const other = newAccount();
      await harness.publisher.publish(outgoing('wallet.v1', sampleWatch(other, late.wallet)));
      await harness.changes(other, MOVED.slice(0, 1));
      await harness.publisher.publish(tombstone('wallet.v1', walletKey(other, late.wallet)));
      await harness.changes(other, MOVED);
      expect(harness.published(late.accountId)).toEqual(MOVED.slice(0, 1));
      await harness.publisher.publish(late.at(2, { closed: true, legs: [] }));
      await harness.changes(late.accountId, MOVED);
    });

    it('ignores repeated prices over a restart, and older ones', async () => {
      const first = await price(2_000);
      const { accountId } = await holder();
      const low = await price(1_700);
      await harness.changes(accountId, MOVED.slice(0, 1));
      await harness.restart(() => harness.query('TRUNCATE inbox').then(() => undefined));
      takeClock();
      const older = samplePrice('ETH', 2_000, Date.parse(low.publishedAt) - 500);
      const events = [first, low, older, first].map((event) => outgoing('price.v1', event));
      await harness.publisher.publish(...events);
      await price(1_700);
      expect(harness.published(accountId)).toEqual(MOVED.slice(0, 1));
    });

    it('is not evaluated with a stale price', async () => {
      await price(2_000);
      const { accountId } = await holder();
      await price(1_000, 1_000, { isStale: true });
      await harness.changes(accountId, STALE.slice(0, 1));
      await price(2_000);
      await harness.changes(accountId, STALE);
    });
  });

  describe('oracle_stale', () => {
    it('opens when prices stop, also for debtors of the asset, and resolves with the next price', async () => {
      await price(2_000, 1_000, { heartbeatMs: MINUTE_MS });
      const { accountId } = await holder();
      nowMs += 2 * MINUTE_MS;
      await harness.changes(accountId, STALE.slice(0, 1));
      const { body } = await harness.list(accountId, '?status=active');
      expect(body.alerts).toEqual([
        expect.objectContaining({ type: 'oracle_stale', severity: 'medium', asset: 'ETH', positionId: null }),
      ]);
      await price(2_000);
      await harness.changes(accountId, STALE);
      const usdc = samplePrice('USDC', 1, (nowMs += 1_000), { isStale: true });
      await harness.publisher.publish(outgoing('price.v1', usdc));
      await harness.changes(accountId, [...STALE, STALE[0]!]);
    });

    it('opens again after its cooldown when prices stopped again meanwhile', async () => {
      const often = { heartbeatMs: MINUTE_MS };
      await price(2_000, 1_000, often);
      const { accountId } = await holder();
      nowMs += 2 * MINUTE_MS;
      await harness.changes(accountId, STALE.slice(0, 1));
      await price(2_000, 1_000, often);
      await harness.changes(accountId, STALE);
      nowMs += 2 * MINUTE_MS;
      const silent = `SELECT 1 FROM prices WHERE asset = 'ETH' AND is_stale`;
      await waitFor(async () => (await harness.query(silent)).length === 1, {
        message: 'the missing heartbeat is detected',
      });
      expect(harness.published(accountId)).toEqual(STALE);
      nowMs += 3 * MINUTE_MS;
      await harness.changes(accountId, [...STALE, STALE[0]!]);
    });

    it('keeps one alert for each asset of an account', async () => {
      const { accountId } = await holder();
      const stale = { isStale: true };
      await price(2_000, 1_000, stale);
      await harness.publisher.publish(outgoing('price.v1', samplePrice('USDC', 1, (nowMs += 1_000), stale)));
      await harness.changes(accountId, [STALE[0]!, STALE[0]!]);
      const { body } = await harness.list(accountId, '?status=active');
      expect(body.alerts.map(({ asset }) => asset).sort()).toEqual(['ETH', 'USDC']);
    });
  });

  describe('depeg', () => {
    const often = { heartbeatMs: MINUTE_MS };
    /** Publishes a price of USDC, which the positions of holders owe. */
    const usdc = async (
      priceUsd: number,
      laterMs = MINUTE_MS,
      over: Parameters<typeof samplePrice>[3] = {},
    ) => {
      nowMs += laterMs;
      const pegDeviationPercent = (priceUsd - 1) * 100;
      const event = samplePrice('USDC', priceUsd, nowMs, { ...often, pegDeviationPercent, ...over });
      await harness.publisher.publish(outgoing('price.v1', event));
      await harness.priced(event);
    };
    const minutesAt = async (priceUsd: number, minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) await usdc(priceUsd);
    };

    it('opens after five minutes with the affected positions, gets worse at once, and resolves near the target', async () => {
      await usdc(1);
      const { accountId, id } = await holder();
      const stranger = newAccount();
      await harness.watch(stranger, sampleWallet((wallets += 1)));
      await minutesAt(0.97, 5);
      expect(harness.published(accountId)).toEqual([]);
      await usdc(0.97);
      await harness.changes(accountId, DEPEG.slice(0, 1));
      const { body } = await harness.list(accountId, '?status=active&type=depeg');
      expect(body.alerts).toEqual([
        expect.objectContaining({
          type: 'depeg',
          severity: 'medium',
          asset: 'USDC',
          positionId: null,
          title: 'USDC 3.0 % below its target of $1.0000',
          cause: {
            kind: 'depeg',
            asset: 'USDC',
            changePercent: expect.closeTo(-3, 6),
            fromUsd: 1,
            toUsd: 0.97,
          },
          affectedTotal: 1,
          affectedPositions: [
            expect.objectContaining({
              positionId: id,
              healthFactor: { before: expect.any(Number), now: expect.any(Number) },
            }),
          ],
        }),
      ]);
      const [affected] = body.alerts[0]!.affectedPositions!;
      // A debt that is worth less: 1 / 0.97.
      expect(affected!.healthFactor.now! / affected!.healthFactor.before!).toBeCloseTo(1 / 0.97, 6);
      await usdc(0.94);
      await harness.changes(accountId, [...DEPEG, DEPEG[0]!]);
      await usdc(0.985);
      await usdc(0.9905);
      await harness.changes(accountId, [...DEPEG, ...DEPEG]);
      expect(harness.published(stranger)).toEqual([]);
    });

    it('opens after no shorter deviation, also over a restart and a stale price', async () => {
      await usdc(1);
      const { accountId } = await holder();
      await minutesAt(0.95, 5);
      await usdc(0.985);
      await minutesAt(0.95, 3);
      await harness.restart(() => Promise.resolve());
      takeClock();
      await minutesAt(0.95, 2);
      await usdc(0.95, MINUTE_MS, { isStale: true });
      await harness.changes(accountId, STALE.slice(0, 1));
      await minutesAt(0.95, 5);
      await harness.changes(accountId, STALE);
      await usdc(0.95);
      await harness.changes(accountId, [...STALE, DEPEG[0]!]);
    });

    it('stays while the price is stale, and has the same result when a holder arrives last', async () => {
      await usdc(1);
      await minutesAt(1.03, 6);
      const { accountId } = await holder();
      await harness.changes(accountId, DEPEG.slice(0, 1));
      await usdc(1, MINUTE_MS, { isStale: true });
      await harness.changes(accountId, [DEPEG[0]!, STALE[0]!]);
      await usdc(1.015);
      await harness.changes(accountId, [DEPEG[0]!, ...STALE]);
      await usdc(1.005);
      await harness.changes(accountId, [DEPEG[0]!, ...STALE, DEPEG[1]!]);
    });
  });
});
