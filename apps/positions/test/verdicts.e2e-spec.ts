import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { type ChainRecording, Multicall, parseHead } from '@plimsoll/evm';
import {
  type ProtocolReader,
  type RecordedReading,
  familyOf,
  logIndex,
  parseReading,
} from '@plimsoll/protocols';
import { Clock, IDEMPOTENCY_MIGRATION, OperationsServer, createPool, migrate } from '@plimsoll/service-kit';
import { type TestDatabase, createTestDatabase, replayClient } from '@plimsoll/testing';
import type { Pool } from 'pg';
import { type Address, type Hex, numberToHex, toFunctionSelector } from 'viem';
import { ExactCache } from '../src/figures/exact-cache';
import { operatorAlertsOpen, verdictMismatches } from '../src/metrics';
import { MismatchKeeper } from '../src/operators/mismatch-keeper';
import { MarketTracker } from '../src/tracking/market-tracker';
import type { PositionChange } from '../src/tracking/position-event';
import { MismatchStore } from '../src/verification/mismatch-store';
import { VerdictWatch } from '../src/verification/verdict-watch';
import { NO_RISK } from './follow-market';
import { ServiceFixture } from './service-fixture';

const RECORDING = 'liquity-v1/liquity-v1-redistributed';
const FILE = path.join(__dirname, '../../../test/recordings', `${RECORDING}.json.gz`);
const MIGRATIONS = path.join(__dirname, '../prisma/migrations');
const RATIO_OF = toFunctionSelector('function getCurrentICR(address,uint256)');
const WAD = 10n ** 18n;
/** The minimum ratio of Liquity v1, below which a trove is liquidated (MCR of liquity/dev). */
const MINIMUM_RATIO = (WAD * 110n) / 100n;
const BILLION = 10n ** 9n;
const SUBJECT = 'liquity-v1/1/healthFactor';

/** A recording in memory, in which the contract can state another ratio of a trove. */
class AlteredRecording {
  readonly reading: RecordedReading = parseReading(readFileSync(FILE));
  readonly chain: ChainRecording = this.reading.chain;
  readonly wallet: Address;
  /** The ratio that the contract stated, wad. */
  readonly ratio: bigint;
  private readonly call: { to: Address; data: Hex };

  constructor() {
    const to = this.reading.rows[0]!.contracts['troveManager'] as Address;
    const calls = Object.entries(this.chain.toJson().calls[to]!);
    const [data, result] = calls.find(
      ([data, result]) => data.startsWith(RATIO_OF) && result.startsWith('0x'),
    )!;
    this.call = { to, data: data as Hex };
    this.wallet = `0x${data.slice(RATIO_OF.length + 24, RATIO_OF.length + 64)}`;
    this.ratio = BigInt(result);
  }

  /** The contract now states a ratio that is larger by so many parts of 10⁹. @returns its health factor, wad */
  alter(parts: bigint): bigint {
    const ratio = this.ratio + (this.ratio * parts) / BILLION;
    this.chain.addCall(this.call, { ok: true, data: numberToHex(ratio, { size: 32 }) });
    return (ratio * WAD) / MINIMUM_RATIO;
  }

  reader(): ProtocolReader<unknown, unknown> {
    const { rows, usdOracles, nativeCurrency, chain } = this.reading;
    const client = replayClient(chain, RECORDING);
    const multicall = new Multicall(client, chain.multicall3);
    const parts = { client, multicall, index: logIndex(client), usdOracles, nativeCurrency };
    return familyOf(rows[0]!)!.makeReader(rows[0]!, parts);
  }
}

describe('a contract that states another figure than ours', () => {
  let database: TestDatabase;
  let pool: Pool;
  let recording: AlteredRecording;
  let store: MismatchStore;
  let watch: VerdictWatch;
  let errors: jest.SpyInstance;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(database.url, 'positions', MIGRATIONS, [
      OUTBOX_MIGRATION,
      INBOX_MIGRATION,
      IDEMPOTENCY_MIGRATION,
    ]);
    // The pool ends before its connections are closed, so the database may be dropped under one.
    pool = createPool(database.url, 'positions', () => undefined);
  }, 60_000);
  beforeEach(async () => {
    await pool.query('TRUNCATE operator_alerts, verdict_mismatches');
    verdictMismatches.reset();
    operatorAlertsOpen.reset();
    recording = new AlteredRecording();
    store = new MismatchStore(pool, { serve: () => undefined });
    watch = new VerdictWatch(store, new Clock());
    errors = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  });
  afterEach(() => errors.mockRestore());
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  /** The tracker of the row after the recorded block, and the events of that block. */
  async function follow(): Promise<{ tracker: MarketTracker; changes: PositionChange[] }> {
    const tracker = new MarketTracker(recording.reader(), NO_RISK, watch.report);
    const changes: PositionChange[] = [];
    const block = parseHead(recording.chain.block);
    for await (const some of tracker.advance(block, recording.reading.wallets)) changes.push(...some);
    await watch.flush();
    return { tracker, changes };
  }
  const keeperOf = (tracker: MarketTracker): MismatchKeeper => {
    const chain = { chainId: 1, markets: [tracker], headFailure: null };
    const chains = { all: () => [chain] } as unknown as ConstructorParameters<typeof MismatchKeeper>[0];
    return new MismatchKeeper(chains, store, watch, pool, new Clock());
  };
  const counted = async () =>
    (await verdictMismatches.get()).values.map(({ labels, value }) => ({ ...labels, value }));
  const lines = (): unknown[] =>
    errors.mock.calls
      .map(([entry]) => entry as { msg: string })
      .filter(({ msg }) => msg.startsWith('a figure differs from the contract'));
  const openAlerts = async () => (await operatorAlertsOpen.get()).values.map(({ value }) => value);
  const alertRows = async () =>
    (
      await pool.query<{ subject: string; isOpen: boolean }>(
        'SELECT subject, resolved_at IS NULL AS "isOpen" FROM operator_alerts ORDER BY id',
      )
    ).rows;

  it('as recorded, nothing differs', async () => {
    const { changes } = await follow();
    expect(changes.length).toBeGreaterThan(150);
    expect(new Set(changes.map(({ after }) => after.event.verification))).toEqual(new Set(['contract']));
    expect(await counted()).toEqual([]);
    expect(lines()).toEqual([]);
    expect(await alertRows()).toEqual([]);
  });

  it.each([
    [2_000n, 'operator', [{ subject: SUBJECT, isOpen: true }]],
    [500n, 'rounding', []],
  ] as const)(
    'by %d parts of 10⁹: its figure is used, counted (%s) and logged once, and an alert opens only above one millionth',
    async (parts, severity, alerts) => {
      const stated = recording.alter(parts);
      const { changes } = await follow();
      const event = changes.find(({ key }) => key.wallet === recording.wallet)!.after.event;
      expect(event).toMatchObject({ healthFactorRaw: String(stated), verification: 'contract' });
      expect(await counted()).toEqual([{ family: 'liquity-v1', figure: 'healthFactor', severity, value: 1 }]);
      expect(lines()).toEqual([
        expect.objectContaining({
          family: 'liquity-v1',
          wallet: recording.wallet,
          contract: String(stated),
          others: 0,
        }),
      ]);
      expect(await alertRows()).toEqual(alerts);
    },
  );

  it('the alert names the finding and the next step, opens once, and resolves when a block agrees again', async () => {
    recording.alter(2_000n);
    await follow();
    const [alert] = await store.alerts.listOpen();
    expect(alert).toMatchObject({ kind: 'verdict_mismatch', subject: SUBJECT });
    expect(alert!.detail).toContain(recording.wallet);
    expect(alert!.detail).toContain('2.00e-6 of its value');
    expect(alert!.remedy).toContain('Call getCurrentICR for the wallet');
    expect(alert!.remedy).toContain('npm run doctor -- --chain 1 --verify FILE');
    expect(await openAlerts()).toEqual([1]);

    // An instance that starts finds it again.
    const { tracker } = await follow();
    await keeperOf(tracker).round();
    expect(await alertRows()).toEqual([{ subject: SUBJECT, isOpen: true }]);

    recording.alter(0n);
    await keeperOf(tracker).round();
    expect(await alertRows()).toEqual([{ subject: SUBJECT, isOpen: false }]);
    expect((await pool.query('SELECT 1 FROM verdict_mismatches')).rowCount).toBe(0);
    expect(await openAlerts()).toEqual([0]);

    recording.alter(2_000n);
    await follow();
    expect(await alertRows()).toEqual([
      { subject: SUBJECT, isOpen: false },
      { subject: SUBJECT, isOpen: true },
    ]);
  });

  it('an alert with several positions stays open until the last one agrees', async () => {
    recording.alter(2_000n);
    const { tracker } = await follow();
    const other = {
      ...(await store.list([1]))[0]!,
      wallet: recording.reading.wallets.find((each) => each !== recording.wallet)!,
    };
    await store.add([other], Date.now());
    await keeperOf(tracker).round();
    expect((await store.list([1])).map(({ wallet }) => wallet)).toEqual([recording.wallet]);
    expect(await alertRows()).toEqual([{ subject: SUBJECT, isOpen: true }]);
  });

  it('a market that cannot be read now resolves nothing', async () => {
    recording.alter(2_000n);
    const { tracker } = await follow();
    recording.alter(0n);
    tracker.failure = 'rpc_unavailable';
    await keeperOf(tracker).round();
    expect(await alertRows()).toEqual([{ subject: SUBJECT, isOpen: true }]);
  });

  it('mismatches that cannot be stored wait, and are stored later', async () => {
    await pool.query('ALTER TABLE operator_alerts RENAME TO operator_alerts_gone');
    recording.alter(2_000n);
    await follow();
    await pool.query('ALTER TABLE operator_alerts_gone RENAME TO operator_alerts');
    expect(await alertRows()).toEqual([]);
    await watch.flush();
    expect(await alertRows()).toEqual([{ subject: SUBJECT, isOpen: true }]);
  });

  it('a request for a wallet that no account watches reports it too', async () => {
    const stated = recording.alter(2_000n);
    const cache = new ExactCache(watch.report);
    const read = await cache.read(recording.reader(), [recording.wallet], parseHead(recording.chain.block));
    expect(read.get(recording.wallet)).toMatchObject({
      held: [{ healthFactorRaw: stated, verification: 'contract' }],
    });
    await watch.flush();
    expect(await alertRows()).toEqual([{ subject: SUBJECT, isOpen: true }]);
  });
});

describe('the service', () => {
  it('serves its open alerts to operators', async () => {
    const service = await ServiceFixture.withoutNode();
    try {
      await service.start();
      await service.query(
        `INSERT INTO operator_alerts (kind, subject, detail, remedy, opened_at)
         VALUES ('verdict_mismatch', $1, 'It differs.', 'Compare it.', now())`,
        [SUBJECT],
      );
      const response = await fetch(`${service.app.get(OperationsServer).origin}/operator-alerts`);
      expect(await response.json()).toEqual({
        alerts: [expect.objectContaining({ subject: SUBJECT, detail: 'It differs.', remedy: 'Compare it.' })],
      });
    } finally {
      await service.close();
    }
  }, 60_000);
});
