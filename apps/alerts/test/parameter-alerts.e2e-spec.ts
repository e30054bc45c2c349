import { type ParameterChangeV1, type PositionV1, checksumAddress, walletKey } from '@plimsoll/contracts';
import { outgoing, tombstone } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { wethPosition } from './samples';

jest.setTimeout(60_000);

const HEARTBEAT_MS = 300_000;
const DAY_MS = 86_400_000;
const OPENED = 'active parameter_change';
const RESOLVED = 'resolved parameter_change';
const SOURCE = `0x${'d'.repeat(40)}`;
const TOKEN = `0x${'a'.repeat(40)}`;

type Change = ParameterChangeV1['changes'][number];
type Effect = ParameterChangeV1['effects'][number];

describe('alerts about announced changes of parameters', () => {
  let harness: AlertsHarness;
  let wallets = 7_000;
  let nowMs = Date.now();
  let markets = 0;
  let market = '';

  const takeClock = (): void => {
    harness.part(Clock).now = () => nowMs;
  };
  beforeAll(async () => {
    harness = await AlertsHarness.start();
    takeClock();
  }, 120_000);
  afterAll(() => harness.close());
  beforeEach(() => {
    market = `market ${(markets += 1)}`;
  });

  const change = (over: Partial<Change> = {}): Change => ({
    id: 'payload 7 weth',
    proposalId: 'payload 7',
    source: SOURCE,
    asset: 'WETH',
    token: TOKEN,
    values: [
      { parameter: 'max_ltv', from: '0.8', to: '0.78' },
      { parameter: 'liquidation_threshold', from: '0.83', to: '0.81' },
    ],
    earliestAt: '2026-11-28T12:00:00.000Z',
    expiresAt: '2026-12-05T12:00:00.000Z',
    isGradual: false,
    ...over,
  });
  /** positions states what governance of the market announced. */
  const state = async (over: Partial<ParameterChangeV1>, passedMs = HEARTBEAT_MS): Promise<void> => {
    nowMs += passedMs;
    const publishedAt = new Date(nowMs).toISOString();
    const event: ParameterChangeV1 = {
      protocol: 'aave-v3',
      chainId: 1,
      market,
      changes: [],
      ended: [],
      effects: [],
      block: 1,
      blockHash: `0x${'1'.repeat(64)}`,
      blockTime: publishedAt,
      publishedAt,
      heartbeatMs: HEARTBEAT_MS,
      ...over,
    };
    await harness.publisher.publish(outgoing('parameter-change.v1', event));
    const stored = 'SELECT 1 FROM parameter_changes WHERE market = $1 AND market_at >= $2';
    await waitFor(async () => (await harness.query(stored, [market, publishedAt])).length > 0, {
      message: `the statement of ${publishedAt} is handled`,
    });
  };
  const effect = (positionId: string, after: number | null = 1.2, changeId = 'payload 7 weth'): Effect => ({
    changeId,
    positionId,
    healthFactor: 1.25,
    healthFactorAfter: after,
  });
  /** An account that watches a wallet with a position. */
  const holder = async (over: Partial<PositionV1> = {}) => {
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    await harness.watch(accountId, wallet);
    const position = wethPosition(wallet, 1, 'low', 2_000, over);
    await harness.publisher.publish(outgoing('position.v1', position));
    await harness.handled(position.id, 1);
    return { accountId, wallet, id: position.id };
  };
  const endOf = (accountId: string) =>
    harness.alerts.events.findLast(({ value }) => value?.accountId === accountId)?.value;

  it('opens one alert for the affected wallet and none for the other, and resolves when the change is made', async () => {
    const [affected, other] = [await holder(), await holder()];
    await state({ changes: [change()], effects: [effect(affected.id)] });
    await harness.changes(affected.accountId, [OPENED]);
    const { body } = await harness.list(affected.accountId);
    expect(body.alerts).toEqual([
      expect.objectContaining({
        type: 'parameter_change',
        severity: 'medium',
        asset: 'ETH',
        positionId: affected.id,
        title: 'Aave V3 on Ethereum will change the liquidation threshold of ETH from 83 % to 81 %',
        message: expect.stringContaining('The change can be made from 2026-11-28 12:00 UTC on'),
        cause: expect.objectContaining({
          kind: 'parameter',
          asset: 'ETH',
          changePercent: expect.closeTo(-2.41, 2),
        }),
        affectedPositions: [
          expect.objectContaining({ positionId: affected.id, healthFactor: { before: 1.25, now: 1.2 } }),
        ],
        affectedTotal: 1,
        parameterChange: {
          proposalId: 'payload 7',
          source: checksumAddress(SOURCE),
          values: change().values,
          earliestAt: '2026-11-28T12:00:00.000Z',
          expiresAt: '2026-12-05T12:00:00.000Z',
          isGradual: false,
        },
      }),
    ]);
    await state({ changes: [change()], effects: [effect(affected.id, 1.19)] });
    await state({ ended: [{ proposalId: 'payload 7', end: 'executed' }] });
    await harness.changes(affected.accountId, [OPENED, RESOLVED]);
    expect(endOf(affected.accountId)?.title).toBe('Aave V3 on Ethereum changed ETH as announced');
    expect(harness.published(other.accountId)).toEqual([]);
  });

  it.each([
    ['cancelled', 'Aave V3 on Ethereum cancelled a change of ETH'],
    ['expired', 'A change of ETH in Aave V3 on Ethereum expired'],
  ] as const)('resolves when the change is %s', async (end, title) => {
    const { accountId, id } = await holder();
    await state({ changes: [change()], effects: [effect(id)] });
    await harness.changes(accountId, [OPENED]);
    await state({ ended: [{ proposalId: 'payload 7', end }] });
    await harness.changes(accountId, [OPENED, RESOLVED]);
    expect(endOf(accountId)?.title).toBe(title);
  });

  it('resolves a day after the market was stated last, and not before', async () => {
    const { accountId, id } = await holder();
    await state({ changes: [change({ expiresAt: null })], effects: [effect(id)] });
    await harness.changes(accountId, [OPENED]);
    nowMs += DAY_MS - HEARTBEAT_MS;
    // The poller ran meanwhile.
    const other = await holder();
    const silent = market;
    market = `market ${(markets += 1)}`;
    await state({ changes: [change()], effects: [effect(other.id)] }, 0);
    await harness.changes(other.accountId, [OPENED]);
    expect(harness.published(accountId)).toEqual([OPENED]);
    nowMs += 2 * HEARTBEAT_MS;
    await harness.changes(accountId, [OPENED, RESOLVED]);
    expect(endOf(accountId)?.message).toContain('its market is no longer read');
    // It is stated again.
    market = silent;
    await state({ changes: [change({ expiresAt: null })], effects: [effect(id)] });
    await harness.changes(accountId, [OPENED, RESOLVED, OPENED]);
  });

  it('resolves when the time of the change is over and its market is not stated', async () => {
    const { accountId, id } = await holder();
    const expiresAt = new Date(nowMs + 2 * HEARTBEAT_MS).toISOString();
    await state({ changes: [change({ expiresAt })], effects: [effect(id)] });
    await harness.changes(accountId, [OPENED]);
    nowMs += 4 * HEARTBEAT_MS;
    await harness.changes(accountId, [OPENED, RESOLVED]);
  });

  it('has one alert for each announcement, and the severity of its effect', async () => {
    const { accountId, id } = await holder();
    const later = change({ id: 'payload 8 weth', proposalId: 'payload 8' });
    await state({
      changes: [change(), later],
      effects: [effect(id, 0.98), effect(id, 1.3, 'payload 8 weth')],
    });
    await harness.changes(accountId, [OPENED, OPENED]);
    const { body } = await harness.list(accountId);
    expect(body.alerts.map(({ severity }) => severity).toSorted()).toEqual(['high', 'info']);
    await state({
      changes: [later],
      effects: [effect(id, 1.3, 'payload 8 weth')],
      ended: [{ proposalId: 'payload 7', end: 'executed' }],
    });
    await harness.changes(accountId, [OPENED, OPENED, RESOLVED]);
    expect((await harness.list(accountId, '?status=active')).body.alerts).toMatchObject([
      { severity: 'info' },
    ]);
  });

  it('has the same result when the position or the watch arrives last, and follows both', async () => {
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    const position = wethPosition(wallet, 1, 'low', 2_000);
    await state({ changes: [change()], effects: [effect(position.id)] });
    await harness.publisher.publish(outgoing('position.v1', position));
    await harness.watch(accountId, wallet);
    await harness.changes(accountId, [OPENED]);
    await harness.publisher.publish(tombstone('wallet.v1', walletKey(accountId, wallet)));
    await harness.changes(accountId, [OPENED, RESOLVED]);
    expect(endOf(accountId)?.title).toBe('An announced change of ETH no longer matters');
  });

  it('resolves after three heartbeats without the effect, and neither opens nor resolves while nothing is stated', async () => {
    const { accountId, id } = await holder();
    await state({ changes: [change()], effects: [effect(id)] });
    await harness.changes(accountId, [OPENED]);
    nowMs += 10 * HEARTBEAT_MS;
    const later = await holder();
    await state({ changes: [change()] }, 0);
    await harness.changes(accountId, [OPENED, RESOLVED]);
    expect(harness.published(later.accountId)).toEqual([]);
  });

  it('opens nothing for an effect of a market that is no longer stated', async () => {
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    const position = wethPosition(wallet, 1, 'low', 2_000);
    await state({ changes: [change()], effects: [effect(position.id)] });
    nowMs += 10 * HEARTBEAT_MS;
    await harness.publisher.publish(outgoing('position.v1', position));
    await harness.watch(accountId, wallet);
    const other = await holder();
    await state({ changes: [change({ id: 'x', proposalId: 'x' })], effects: [effect(other.id, 1.1, 'x')] });
    await harness.changes(other.accountId, [OPENED]);
    expect(harness.published(accountId)).toEqual([]);
  });
});
