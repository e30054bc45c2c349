import { randomBytes } from 'node:crypto';
import {
  type PositionV1,
  type ReceiptInclusion,
  type StoredReceipt,
  ownReceiptHash,
} from '@plimsoll/contracts';
import { type SeedPlan, assetListing, setPrice } from '@plimsoll/devnet';
import {
  type CrossingReceipt,
  type ReceiptKey,
  leafOf,
  verifyInclusion,
  verifyReceipt,
} from '@plimsoll/sdk/verify';
import { waitFor } from '@plimsoll/testing';
import { ReceiptLog } from '../src/receipt-log/receipt-log';
import { ReceiptRoots } from '../src/receipt-log/receipt-roots';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
const SEEDED_AT = 1.4;
const DAY_MS = 86_400_000;
const PLAN: SeedPlan = {
  label: 'crossing',
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: SEEDED_AT,
  eMode: false,
};

describe('the receipt of a crossing', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let wallet: string;
  const me = identityOf('pro');
  const settings = { RECEIPT_SECRET_KEYS: `first:${randomBytes(32).toString('base64')}` };

  const fallTo = (healthFactor: number) =>
    setPrice(chain.node.url, chain.addresses, 'WETH', (SEEDED_USD * healthFactor) / SEEDED_AT);
  const near = (healthFactor: number) => (event: PositionV1) =>
    Math.abs((event.healthFactor ?? 0) - healthFactor) < 1e-3;
  const moveTo = async (healthFactor: number): Promise<PositionV1> => {
    await fallTo(healthFactor);
    return service.waitForPosition(wallet, near(healthFactor));
  };
  const read = (hash: string, as = me) => service.call<StoredReceipt>('GET', `/v1/receipts/${hash}`, as);
  const receiptOf = async (event: PositionV1): Promise<CrossingReceipt> => {
    const { status, body } = await read(ownReceiptHash(event)!);
    expect(status).toBe(200);
    return body as unknown as CrossingReceipt;
  };
  const published = async (): Promise<ReceiptKey[]> => {
    const response = await fetch(`${service.origin}/.well-known/plimsoll-keys.json`);
    return ((await response.json()) as { keys: ReceiptKey[] }).keys;
  };
  const count = async (table: string): Promise<number> =>
    (await service.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`))[0]!.count;

  beforeAll(async () => {
    chain = await startChain(1, [PLAN]);
    wallet = chain.wallets[0]!.address;
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await service.start(settings);
    expect((await service.call('POST', '/v1/wallets', me, { address: wallet })).status).toBe(201);
    await service.waitForPosition(wallet, ({ reason }) => reason === 'discovered');
  }, 240_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  it('is none for a safe position that is first read, and for a change within its band', async () => {
    const first = service.events.positions[0]!.value!;
    expect(first).not.toHaveProperty('receiptHash');
    const second = await moveTo(1.38);
    expect([second.band, second.receiptHash]).toEqual(['moderate', undefined]);
    expect(await count('receipts')).toBe(0);
  });

  it('has both readings, equal to the wei on the node, and names the crossing', async () => {
    const event = await moveTo(1.05);
    expect([event.band, event.previousBand]).toEqual(['critical', 'moderate']);
    const receipt = await receiptOf(event);
    expect(receipt.hash).toBe(event.receiptHash);
    const { before, after, formula } = receipt.content;
    expect(formula).toEqual({ name: 'aave-v3', version: 1 });
    expect([before!.level, after.level]).toEqual(['moderate', 'critical']);
    expect(after.outputs.healthFactor).toBe(event.healthFactorRaw);
    expect(after.block).toMatchObject({ number: event.block, hash: event.blockHash });
    expect(before!.block.number).toBeLessThan(after.block.number);
    const outcome = await verifyReceipt(JSON.stringify(receipt), {
      keys: await published(),
      rpcUrl: chain.node.url,
    });
    expect(outcome).toMatchObject({ code: null, kind: 'crossing', isRead: true, isRecomputed: true });
    expect(outcome.steps.map(({ name }) => name)).toEqual([
      'form',
      'hash',
      'signature',
      'block',
      'figures',
      'crossing',
    ]);
    expect(outcome.steps.at(-1)!.detail).toMatch(
      /^health factor 1\.3[78]\d* \(moderate\) at block \d+, then 1\.0[45]\d* \(critical\) at block \d+, across 1\.1 and 1\.25$/,
    );
  });

  it('stays in later events of the same band, with the sequence of its own', async () => {
    const crossing = service.events.positions.at(-1)!.value!;
    const later = await moveTo(1.06);
    expect(later.receiptHash).toBe(crossing.receiptHash);
    expect(later.receiptSequence).toBe(crossing.sequence);
    expect(ownReceiptHash(later)).toBeNull();
    const stored = await service.query<{ hash: string }>(
      `SELECT event->>'receiptHash' AS hash FROM positions WHERE wallet = $1 AND sequence = $2`,
      [wallet.toLowerCase(), later.sequence],
    );
    expect(stored).toEqual([{ hash: crossing.receiptHash }]);
  });

  it('is readable only for accounts that watch the wallet', async () => {
    const hash = service.events.positions.at(-1)!.value!.receiptHash!;
    const other = identityOf('pro');
    expect((await read(hash, other)).status).toBe(404);
    expect((await service.call('POST', '/v1/wallets', other, { address: wallet })).status).toBe(201);
    expect((await read(hash, other)).status).toBe(200);
  });

  it('of a recovery has the health factor past the hysteresis', async () => {
    const receipt = await receiptOf(await moveTo(1.6));
    expect(receipt.content.after.level).toBe('low');
    const outcome = await verifyReceipt(JSON.stringify(receipt), {
      keys: await published(),
      rpcUrl: chain.node.url,
    });
    expect(outcome).toMatchObject({ code: null, isRecomputed: true });
  });

  it('is in the log', async () => {
    const text = JSON.stringify(await receiptOf(service.events.positions.at(-1)!.value!));
    await service.part(ReceiptLog).append(1_000);
    await service.part(ReceiptRoots).publish(Date.now() + DAY_MS);
    const path = `/v1/receipts/inclusion?leaf=${await leafOf(text)}`;
    const { body } = await service.call<ReceiptInclusion>('GET', path, identityOf('open'));
    expect(await verifyInclusion(text, body, { keys: await published() })).toMatchObject({ ok: true });
  });

  it.each(['receipts', 'outbox'])(
    'and its event survive a crash together, while %s is written',
    async (table) => {
      const events = service.events.positions.length;
      const receipts = await count('receipts');
      const holder = await service.pool.connect();
      const target = table === 'receipts' ? 1.2 : 0.97;
      try {
        await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
        await fallTo(target);
        await waitFor(
          async () =>
            (
              await service.query<{ ended: boolean }>(
                `SELECT pg_terminate_backend(pid) AS ended FROM pg_locks AS waiting
               WHERE relation = $1::regclass AND NOT granted AND EXISTS (
                 SELECT FROM pg_locks AS held
                 WHERE held.pid = waiting.pid AND held.relation = 'positions'::regclass AND held.granted)`,
                [table],
              )
            )[0]?.ended,
          { message: `the transaction waits for ${table}` },
        );
        expect(await count('receipts')).toBe(receipts);
        expect(service.events.positions.length).toBe(events);
      } finally {
        await holder.query('ROLLBACK');
        holder.release();
      }
      const event = await service.waitForPosition(wallet, near(target));
      expect((await receiptOf(event)).content.after.outputs.healthFactor).toBe(event.healthFactorRaw);
      expect(await count('receipts')).toBe(receipts + 1);
    },
  );

  it('is none without secret keys, and events do not wait for one', async () => {
    await service.stop();
    await service.start({ RECEIPT_SECRET_KEYS: '' });
    const event = await moveTo(1.7);
    expect([event.previousBand, event.band]).toEqual(['liquidatable', 'low']);
    expect(event).not.toHaveProperty('receiptHash');
  });
});
