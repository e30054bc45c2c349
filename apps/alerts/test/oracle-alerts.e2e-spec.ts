import { type PositionV1, positionId, walletKey } from '@plimsoll/contracts';
import { outgoing, tombstone } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { samplePrice, wethPosition } from './samples';

jest.setTimeout(60_000);

const MINUTE_MS = 60_000;
const CHANGES = ['active oracle_deviation', 'resolved oracle_deviation'];
const ORACLE = `0x${'b'.repeat(40)}`;
const TOKEN = `0x${'a'.repeat(40)}`;

describe('alerts about oracles', () => {
  let harness: AlertsHarness;
  let wallets = 5_000;
  let nowMs = Date.now();
  const takeClock = (): void => {
    harness.part(Clock).now = () => nowMs;
  };

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    takeClock();
  }, 120_000);
  afterAll(() => harness.close());
  beforeEach(async () => {
    nowMs += 24 * 60 * MINUTE_MS;
    await harness.query(
      'TRUNCATE prices, price_minutes, asset_conditions, positions, watches, oracle_prices',
    );
    await harness.query("DELETE FROM alerts WHERE type = 'oracle_deviation'");
  });

  /** The market trades ETH at a price from now on. */
  const market = async (usd: number, isStale = false): Promise<void> => {
    nowMs += 1_000;
    const event = samplePrice('ETH', usd, nowMs, { heartbeatMs: 24 * 60 * MINUTE_MS, isStale });
    await harness.publisher.publish(outgoing('price.v1', event));
    await harness.priced(event);
  };
  /** An oracle states prices for some minutes. */
  const oracle = async (usd: number, minutes = 1, address = ORACLE): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      nowMs += MINUTE_MS;
      const at = new Date(nowMs).toISOString();
      const event = {
        protocol: 'aave-v3',
        chainId: 1,
        market: address,
        prices: [{ asset: 'WETH', token: TOKEN, oracle: address, priceUsd: usd }],
        block: 1,
        blockHash: `0x${'1'.repeat(64)}`,
        blockTime: at,
        publishedAt: at,
        heartbeatMs: MINUTE_MS,
      };
      await harness.publisher.publish(outgoing('oracle-price.v1', event));
      const stored = 'SELECT 1 FROM oracle_prices WHERE oracle = $1 AND published_at >= $2';
      await waitFor(async () => (await harness.query(stored, [address, at])).length === 1, {
        message: `the price of ${at} is handled`,
      });
    }
  };
  /** An account that watches a wallet with a position. */
  const holder = async (over: Partial<PositionV1> & { weth?: number } = {}) => {
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    await harness.watch(accountId, wallet);
    const at = (sequence: number, more: Partial<PositionV1> = {}) =>
      outgoing('position.v1', wethPosition(wallet, sequence, 'low', 2_000, { ...over, ...more }));
    const { id } = wethPosition(wallet, 1, 'low', 2_000, over);
    await harness.publisher.publish(at(1));
    await harness.handled(id, 1);
    return { accountId, wallet, id, at };
  };

  it('opens one alert for each affected wallet, resolves when the price returns, and none for a blip', async () => {
    await market(2_000);
    const [one, two] = [await holder(), await holder()];
    const supplier = await holder({ healthFactor: null, healthFactorRaw: null });
    const elsewhere = await holder({ protocol: 'spark' });
    await oracle(2_000);
    await oracle(2_300, 4);
    await oracle(2_000);
    await oracle(2_100, 6);
    for (const { accountId } of [one, two]) await harness.changes(accountId, CHANGES.slice(0, 1));
    const { body } = await harness.list(one.accountId);
    expect(body.alerts).toEqual([
      expect.objectContaining({
        type: 'oracle_deviation',
        severity: 'medium',
        asset: 'ETH',
        positionId: one.id,
        protocol: 'aave-v3',
        chainId: 1,
        title: 'ETH trades 4.8 % below the oracle price of Aave V3 on Ethereum',
        cause: {
          kind: 'depeg',
          asset: 'ETH',
          changePercent: expect.closeTo(-4.7619, 3),
          fromUsd: 2_100,
          toUsd: 2_000,
        },
        affectedTotal: 1,
      }),
    ]);
    const { before, now } = body.alerts[0]!.affectedPositions![0]!.healthFactor;
    expect(now! / before!).toBeCloseTo(2_000 / 2_100, 6);
    await oracle(2_000);
    for (const { accountId } of [one, two]) await harness.changes(accountId, CHANGES);
    const [resolved] = (await harness.list(one.accountId)).body.alerts;
    expect(resolved).toMatchObject({ status: 'resolved' });
    for (const { accountId } of [supplier, elsewhere]) expect(harness.published(accountId)).toEqual([]);
  });

  it('opens for a frozen oracle when the market moves, gets worse, and stays while the market price is stale', async () => {
    await market(2_000);
    const { accountId } = await holder();
    await oracle(2_000);
    await market(1_950);
    await oracle(2_000, 6);
    await harness.changes(accountId, CHANGES.slice(0, 1));
    await market(1_890);
    await oracle(2_000);
    await harness.changes(accountId, [...CHANGES, CHANGES[0]!]);
    expect((await harness.list(accountId, '?status=active&type=oracle_deviation')).body.alerts).toMatchObject(
      [{ severity: 'high' }],
    );
    await market(2_000, true);
    await oracle(2_000);
    expect(harness.published(accountId).filter((each) => each.endsWith('oracle_deviation'))).toHaveLength(3);
  });

  it('has the same result when the position or the watch arrives last, and follows both', async () => {
    await market(2_000);
    await oracle(2_200, 6);
    const { accountId, wallet, at } = await holder();
    await harness.changes(accountId, CHANGES.slice(0, 1));
    await harness.restart(() => harness.query('TRUNCATE inbox').then(() => undefined));
    takeClock();
    await harness.publisher.publish(at(2, { closed: true, legs: [] }));
    await harness.changes(accountId, CHANGES);
    await harness.publisher.publish(at(3));
    await harness.changes(accountId, [...CHANGES, CHANGES[0]!]);
    await harness.publisher.publish(tombstone('wallet.v1', walletKey(accountId, wallet)));
    await harness.changes(accountId, [...CHANGES, ...CHANGES]);
    const [ended] = harness.alerts.events.filter(({ value }) => value?.accountId === accountId).slice(-1);
    expect(ended?.value?.title).toBe('The oracle price of ETH no longer matters');
  });

  it('opens nothing for a price that is no longer stated', async () => {
    await market(2_000);
    await oracle(2_200, 6);
    nowMs += 60 * MINUTE_MS;
    const { accountId } = await holder();
    const later = await holder();
    await oracle(2_000);
    await oracle(2_200, 6);
    await harness.changes(later.accountId, CHANGES.slice(0, 1));
    await harness.changes(accountId, CHANGES.slice(0, 1));
  });

  it('resolves a day after the oracle was stated last', async () => {
    await market(2_000);
    const { accountId } = await holder();
    await oracle(2_100, 6);
    await harness.changes(accountId, CHANGES.slice(0, 1));
    nowMs += 24 * 60 * MINUTE_MS + MINUTE_MS;
    await harness.changes(accountId, CHANGES);
    expect((await harness.list(accountId)).body.alerts[0]).toMatchObject({ status: 'resolved' });
  });

  it('judges each oracle of a protocol on its own', async () => {
    await market(2_000);
    const other = `0x${'c'.repeat(40)}`;
    const [first, second] = [await holder(), await holder()];
    const moved = wethPosition(second.wallet, 2, 'low', 2_000);
    await harness.publisher.publish(
      outgoing('position.v1', { ...moved, legs: moved.legs.map((leg) => ({ ...leg, oracle: other })) }),
    );
    await harness.handled(positionId({ ...moved, subId: '' }), 2);
    await oracle(2_200, 6);
    await oracle(2_000, 1, other);
    await harness.changes(first.accountId, CHANGES.slice(0, 1));
    expect(harness.published(second.accountId)).toEqual([]);
  });
});
