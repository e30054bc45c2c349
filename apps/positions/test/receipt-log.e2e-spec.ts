import { createHash, randomBytes } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type {
  ProblemBody,
  ReceiptConsistency,
  ReceiptInclusion,
  ReceiptRootList,
  ReceiptRootV1,
} from '@plimsoll/contracts';
import type { EventCollector } from '@plimsoll/testing';
import { isConsistent, isIncluded, rootOfNodes, signedRoot } from '@plimsoll/receipts';
import { waitFor } from '@plimsoll/testing';
import fc from 'fast-check';
import { ReceiptLog } from '../src/receipt-log/receipt-log';
import { ReceiptLogKeeper } from '../src/receipt-log/receipt-log-keeper';
import { ReceiptRoots } from '../src/receipt-log/receipt-roots';
import { ReceiptsRepository } from '../src/receipts/receipts.repository';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const HOUR_MS = 3_600_000;
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex');
const leafAt = (index: number): Uint8Array => sha256(Buffer.from(`leaf ${index}`));

describe('the log of receipts', () => {
  let service: ServiceFixture;
  let second: NestFastifyApplication;
  let events: EventCollector<'receipt-root.v1'>;
  let hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
  /** The leaves so far, in their order. */
  const leaves: Uint8Array[] = [];
  const me = identityOf('open');
  const settings = { RECEIPT_SECRET_KEYS: `first:${randomBytes(32).toString('base64')}` };

  const get = <T>(path: string) => service.call<T & ProblemBody>('GET', `/v1/receipts/${path}`, me);
  const log = () => service.part(ReceiptLog);
  const roots = () => service.part(ReceiptRoots);
  const rootOf = (size = leaves.length): Uint8Array => rootOfNodes(sha256, leaves.slice(0, size));
  const count = async (table: string): Promise<number> =>
    Number((await service.query<{ count: string }>(`SELECT count(*) FROM ${table}`))[0]!.count);
  async function wait(many: number, from = leaves.length): Promise<void> {
    const added = Array.from({ length: many }, (_, index) => leafAt(from + index));
    await service.query('INSERT INTO receipt_log_waiting (leaf) SELECT unnest($1::bytea[])', [added]);
    leaves.push(...added);
  }
  /** Publishes the next hour. */
  const publish = () => roots().publish((hour += HOUR_MS));
  /** Runs work up to its first wait for the table, and then ends its connection as a crash does. */
  async function crashAt(table: string, work: () => Promise<unknown>): Promise<void> {
    const holder = await service.pool.connect();
    try {
      await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
      const outcome = work().then(
        () => 'done',
        () => 'failed',
      );
      await waitFor(
        async () =>
          (
            await service.query<{ ended: boolean }>(
              `SELECT pg_terminate_backend(pid) AS ended FROM pg_locks
               WHERE relation = $1::regclass AND NOT granted`,
              [table],
            )
          )[0]?.ended,
        { message: 'the work waits for the table' },
      );
      expect(await outcome).toBe('failed');
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  }

  beforeAll(async () => {
    service = await ServiceFixture.withoutNode();
    events = await service.collect('receipt-root.v1');
    await service.start(settings, { consumes: false });
    second = await service.start(settings, { consumes: false });
    // The tests decide when a round runs.
    for (const app of [service.app, second]) await app.get(ReceiptLogKeeper).beforeApplicationShutdown();
  }, 120_000);
  afterAll(() => service?.close(), 60_000);

  it('has no root while it is empty, and says when one follows', async () => {
    expect(await publish()).toBeNull();
    expect((await get<ReceiptRootList>('roots')).body).toEqual({ roots: [], count: 0, nextCursor: null });
    const { status, body } = await get(`inclusion?leaf=${hex(leafAt(0))}`);
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(body.detail).toContain('in the next root');
  });

  it('has a receipt once that was stored twice, and a leaf once that two receipts have', async () => {
    const receipt = { hash: 'ab'.repeat(32), body: '{}', leaf: leafAt(0) };
    const store = (accountId: string) =>
      service.part(ReceiptsRepository).store(accountId, receipt, new Date());
    await store('acc_a');
    await store('acc_a');
    await store('acc_b');
    expect(await count('receipt_log_waiting')).toBe(2);
    expect(await log().append(10)).toBe(2);
    leaves.push(leafAt(0));
    await store('acc_c');
    expect(await log().append(10)).toBe(1);
    expect(await count('receipt_log_nodes')).toBe(1);
  });

  it('publishes one root an hour, whichever instance does it', async () => {
    await wait(2);
    hour += HOUR_MS;
    const both = [service.app, second].flatMap((app) => [
      app.get(ReceiptLog).append(10),
      app.get(ReceiptRoots).publish(hour + 1_000),
      app.get(ReceiptRoots).publish(hour + HOUR_MS - 1),
    ]);
    await Promise.all(both);
    expect(await count('receipt_roots')).toBe(1);
    const [root] = (await get<ReceiptRootList>('roots')).body.roots;
    expect(root!.rootHash).toBe(hex(rootOf(root!.size)));
    const published = await waitFor(() => events.events[0]?.value, { message: 'the root is published' });
    expect(published).toEqual(root satisfies ReceiptRootV1 | undefined);
    expect(events.events).toHaveLength(1);
  });

  it('keeps every receipt when an instance crashes while it logs', async () => {
    await wait(300);
    await crashAt('receipt_log_nodes', () => second.get(ReceiptLog).append(1_000));
    expect(await count('receipt_log_waiting')).toBe(300);
    expect(await log().append(1_000)).toBe(300);
    expect((await publish())?.rootHash).toBe(hex(rootOf()));
  });

  it('publishes the root and its event when an instance crashes between the two', async () => {
    await wait(1);
    await log().append(10);
    const before = await count('receipt_roots');
    hour += HOUR_MS;
    await crashAt('outbox', () => second.get(ReceiptRoots).publish(hour));
    expect(await count('receipt_roots')).toBe(before);
    const root = await roots().publish(hour);
    await waitFor(() => events.events.some(({ value }) => value?.size === root!.size), {
      message: 'the event of the root',
    });
    expect(await count('receipt_roots')).toBe(before + 1);
  });

  it('logs a bounded number in a transaction, oldest first', async () => {
    await wait(5);
    expect([await log().append(3), await log().append(3), await log().append(3)]).toEqual([3, 2, 0]);
    expect((await publish())?.rootHash).toBe(hex(rootOf()));
  });

  it('proves every receipt for every root, and that each root continues the ones before', async () => {
    for (const many of [90, 120, 515, 1]) {
      await wait(many);
      await log().append(1_000);
      await publish();
    }
    const { roots: all } = (await get<ReceiptRootList>('roots')).body;
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: all.length - 1 }),
        fc.nat({ max: all.length - 1 }),
        fc.nat(),
        async (a, b, at) => {
          const [later, earlier] = [all[Math.min(a, b)]!, all[Math.max(a, b)]!];
          const { size, rootHash } = earlier;
          const head = { size, root: bytes(rootHash) };
          const leaf = leaves[at % size]!;
          const inclusion = (await get<ReceiptInclusion>(`inclusion?leaf=${hex(leaf)}&size=${size}`)).body;
          expect([inclusion.index, inclusion.root]).toEqual([at % size, earlier]);
          const proof = inclusion.proof.map(bytes);
          expect(await isIncluded(sha256, { ...head, leaf, index: at % size }, proof)).toBe(true);
          const path = `consistency?earlier=${size}&later=${later.size}`;
          const consistency = (await get<ReceiptConsistency>(path)).body;
          expect(consistency).toMatchObject({ earlier, later });
          const target = { size: later.size, root: bytes(later.rootHash) };
          expect(await isConsistent(sha256, head, target, consistency.proof.map(bytes))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('proves for the first root with the receipt, and from a root to the newest, unless sizes are named', async () => {
    const all = (await get<ReceiptRootList>('roots')).body.roots;
    const [newest, first] = [all[0], all.at(-1)];
    const inclusion = await get<ReceiptInclusion>(`inclusion?leaf=${hex(leafAt(0))}`);
    expect(inclusion.body.root).toEqual(first);
    const { body } = await get<ReceiptConsistency>(`consistency?earlier=${newest!.size}`);
    expect(body).toEqual({ earlier: newest, later: newest, proof: [] });
  });

  it('lists roots by pages, newest first', async () => {
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body }: { body: ReceiptRootList } = await get<ReceiptRootList>(`roots?limit=2${query}`);
      sizes.push(...body.roots.map(({ size }) => size));
      cursor = body.nextCursor;
    }
    expect(sizes).toHaveLength(await count('receipt_roots'));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  it.each([
    ['inclusion', 'leaf'],
    ['inclusion?leaf=AB', 'leaf'],
    [`inclusion?leaf=${'a'.repeat(64)}&size=0`, 'size'],
    ['consistency', 'earlier'],
    ['consistency?earlier=0', 'earlier'],
    ['consistency?earlier=1.5', 'earlier'],
  ])('refuses %s with the field', async (path, field) => {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field }]);
  });

  it('has no proof for an unknown leaf, a later leaf or a size without a root', async () => {
    const [newest, before] = (await get<ReceiptRootList>('roots')).body.roots;
    const last = hex(leaves.at(-1)!);
    for (const path of [
      `inclusion?leaf=${'0'.repeat(64)}`,
      `inclusion?leaf=${last}&size=${before!.size}`,
      `inclusion?leaf=${last}&size=${newest!.size + 1}`,
      `consistency?earlier=${newest!.size + 1}`,
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    const path = `consistency?earlier=${newest!.size}&later=${before!.size}`;
    expect((await get(path)).body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'later' }] });
  });

  it('signs roots with a published key', async () => {
    const response = await fetch(`${service.origin}/.well-known/plimsoll-keys.json`);
    const { keys } = (await response.json()) as { keys: { id: string; publicKey: string }[] };
    const [{ size, rootHash, signature }] = (await get<ReceiptRootList>('roots')).body.roots as [
      ReceiptRootV1,
    ];
    const { publicKey } = keys.find(({ id }) => id === signature.keyId)!;
    const key = await crypto.subtle.importKey('raw', Buffer.from(publicKey, 'base64url'), 'Ed25519', false, [
      'verify',
    ]);
    const text = Buffer.from(signedRoot(size, rootHash, signature.keyId, signature.signedAt));
    const value = Buffer.from(signature.value, 'base64url');
    expect(await crypto.subtle.verify('Ed25519', key, value, text)).toBe(true);
  });

  it('proves the first and the last of 70,000 receipts, with at most 250 bytes for each', async () => {
    await wait(70_000 - leaves.length);
    await log().append(100_000);
    const root = (await publish())!;
    expect(root).toMatchObject({ size: 70_000, rootHash: hex(rootOf()) });
    for (const index of [0, 65_535, 65_536, 69_999]) {
      const { proof } = (await get<ReceiptInclusion>(`inclusion?size=70000&leaf=${hex(leaves[index]!)}`))
        .body;
      const statement = { leaf: leaves[index]!, index, size: 70_000, root: rootOf() };
      expect(await isIncluded(sha256, statement, proof.map(bytes))).toBe(true);
    }
    const [{ size }] = (await service.query<{ size: string }>(
      "SELECT pg_total_relation_size('receipt_log_nodes') AS size",
    )) as [{ size: string }];
    expect(Number(size) / 70_000).toBeLessThan(250);
  });
});
