import { createHash, randomBytes } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ProblemBody, ReceiptInclusion, ReceiptRootList } from '@plimsoll/contracts';
import type { LogRoot } from '@plimsoll/receipts';
import { type ReceiptKey, verifyAnchor } from '@plimsoll/sdk/verify';
import { type Hex, numberToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ReceiptAnchors } from '../src/receipt-log/receipt-anchors';
import { ReceiptLog } from '../src/receipt-log/receipt-log';
import { ReceiptLogKeeper } from '../src/receipt-log/receipt-log-keeper';
import { ReceiptRoots } from '../src/receipt-log/receipt-roots';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

const CHAIN_ID = 31_337;
const HOUR_MS = 3_600_000;
const ETHER = 10n ** 18n;
const leafAt = (index: number): Buffer => createHash('sha256').update(`leaf ${index}`).digest();

describe('roots on a chain', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let second: NestFastifyApplication;
  let frugal: NestFastifyApplication;
  let off: NestFastifyApplication;
  let hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
  let leaves = 0;
  const me = identityOf('open');
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey).address.toLowerCase();
  const RECEIPT_SECRET_KEYS = `first:${randomBytes(32).toString('base64')}`;

  const round = (app: NestFastifyApplication = service.app) => app.get(ReceiptAnchors).round();
  const sent = async (): Promise<number> =>
    Number(await chain.rpc<Hex>('eth_getTransactionCount', [account, 'latest']));
  const get = <T>(path: string) => service.call<T & ProblemBody>('GET', `/v1/receipts/${path}`, me);
  const keys = async (): Promise<readonly ReceiptKey[]> =>
    (await service.call<{ keys: ReceiptKey[] }>('GET', '/.well-known/plimsoll-keys.json', me)).body.keys;
  const newest = async (): Promise<LogRoot> => (await get<ReceiptRootList>('roots')).body.roots[0]!;
  /** Publishes the root of the next hour, with another receipt. */
  async function publish(): Promise<LogRoot> {
    await service.query('INSERT INTO receipt_log_waiting (leaf) VALUES ($1)', [leafAt(leaves++)]);
    await service.part(ReceiptLog).append(10);
    return (await service.part(ReceiptRoots).publish((hour += HOUR_MS)))!;
  }

  beforeAll(async () => {
    chain = await startChain(CHAIN_ID);
    await chain.rpc('anvil_setBalance', [account, numberToHex(ETHER)]);
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    const settings = { RECEIPT_SECRET_KEYS, ANCHOR_CHAIN_ID: CHAIN_ID, ANCHOR_PRIVATE_KEY: privateKey };
    await service.start(settings, { consumes: false });
    second = await service.start(settings, { consumes: false });
    frugal = await service.start({ ...settings, ANCHOR_MAX_COST_GWEI: 1 }, { consumes: false });
    off = await service.start({ RECEIPT_SECRET_KEYS }, { consumes: false });
    // The tests decide when a round runs.
    for (const app of [service.app, second, frugal, off])
      for (const part of [ReceiptLogKeeper, ReceiptAnchors]) await app.get(part).beforeApplicationShutdown();
  }, 240_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  it('are not written without a chain and a key, and not above the cost', async () => {
    await publish();
    await round(off);
    await round(frugal);
    expect(await sent()).toBe(0);
    expect(await newest()).not.toHaveProperty('anchor');
    const { status, body } = await get(`inclusion?leaf=${leafAt(0).toString('hex')}&anchored=true`);
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(await verifyAnchor(await newest(), { keys: await keys(), rpcUrl: chain.node.url })).toMatchObject({
      code: 'anchor_missing',
    });
  });

  it('are written once, whichever instance does it, and verify on a node', async () => {
    await Promise.all([round(), round(second)]);
    await Promise.all([round(), round(second)]);
    expect(await sent()).toBe(1);
    const root = await newest();
    expect(root.anchor).toMatchObject({ chainId: CHAIN_ID, account });
    const outcome = await verifyAnchor(root, { keys: await keys(), rpcUrl: chain.node.url });
    expect([outcome.code, outcome.detail]).toEqual([null, expect.stringContaining(`by ${account} in block`)]);
    await round();
    expect(await sent()).toBe(1);
  });

  it('that wait are replaced by a newer one with a higher fee, which has their receipts', async () => {
    await chain.rpc('evm_setAutomine', [false]);
    const waiting = await publish();
    await round();
    const latest = await publish();
    await round();
    await chain.rpc('evm_setAutomine', [true]);
    await chain.rpc('evm_mine', []);
    await round();
    expect(await sent()).toBe(2);
    const leaf = leafAt(waiting.size - 1).toString('hex');
    const first = await get<ReceiptInclusion>(`inclusion?leaf=${leaf}`);
    expect([first.body.root.size, first.body.root.anchor]).toEqual([waiting.size, undefined]);
    const { body } = await get<ReceiptInclusion>(`inclusion?leaf=${leaf}&anchored=true`);
    expect(body.root.size).toBe(latest.size);
    expect(await verifyAnchor(body.root, { keys: await keys(), rpcUrl: chain.node.url })).toMatchObject({
      code: null,
    });
  });

  it('that were stored and not sent are sent by the next round', async () => {
    await chain.rpc('anvil_setBalance', [account, '0x0']);
    await publish();
    await expect(round()).rejects.toThrow();
    await chain.rpc('anvil_setBalance', [account, numberToHex(ETHER)]);
    await round();
    await round();
    expect((await newest()).anchor).toMatchObject({ account });
  });

  it('lose their mark after a reorg, and are written again', async () => {
    const snapshot = await chain.rpc('evm_snapshot', []);
    const count = await sent();
    const root = await publish();
    await round();
    await round();
    expect((await newest()).anchor).toMatchObject({ account });
    await chain.rpc('evm_revert', [snapshot]);
    expect(await sent()).toBe(count);
    const codeOf = async () =>
      (await verifyAnchor(await newest(), { keys: await keys(), rpcUrl: chain.node.url })).code;
    expect(await codeOf()).toBe('anchor_unknown');
    await round();
    expect(await newest()).toEqual(root);
    await round();
    expect([await sent(), await codeOf()]).toEqual([count + 1, null]);
    await round();
    expect(await sent()).toBe(count + 1);
  });

  it('are written once when a reorg removed two of them', async () => {
    const snapshot = await chain.rpc('evm_snapshot', []);
    const count = await sent();
    for (let many = 0; many < 2; many += 1) {
      await publish();
      await round();
      await round();
    }
    expect(await sent()).toBe(count + 2);
    await chain.rpc('evm_revert', [snapshot]);
    for (let many = 0; many < 4; many += 1) await round();
    expect([await sent(), (await newest()).anchor?.account]).toEqual([count + 1, account]);
  });

  it('are marked however long they waited for a block', async () => {
    await chain.rpc('evm_setAutomine', [false]);
    const { size } = await publish();
    await round();
    const moved = await service.query<{ hash: string }>(
      `UPDATE receipt_anchors SET signed_at = signed_at - interval '3 days'
       WHERE hour = (SELECT hour FROM receipt_roots WHERE size = $1) RETURNING hash`,
      [size],
    );
    expect(moved).toHaveLength(1);
    await chain.rpc('evm_setAutomine', [true]);
    await chain.rpc('evm_mine', []);
    await round();
    expect((await newest()).anchor?.transactionHash).toBe(moved[0]!.hash);
  });

  it('are final below 64 blocks, with those that they replaced', async () => {
    const open = () => service.query<object>('SELECT FROM receipt_anchors WHERE NOT is_final');
    expect((await open()).length).toBeGreaterThan(0);
    for (let block = 0; block < 64; block += 1) await chain.rpc('evm_mine', []);
    await round();
    expect(await open()).toEqual([]);
    expect((await newest()).anchor).toMatchObject({ account });
  });

  it('name each tampering', async () => {
    const root = await newest();
    const anchor = root.anchor!;
    const other = (await get<ReceiptRootList>('roots')).body.roots.find(
      (each) => each.anchor && each.size !== root.size,
    )!;
    const codeOf = async (changed: object, rpcUrl = chain.node.url) =>
      (await verifyAnchor(changed, { keys: await keys(), rpcUrl })).code;
    const changedAnchor = (over: Partial<typeof anchor>) =>
      codeOf({ ...root, anchor: { ...anchor, ...over } });
    expect(await changedAnchor({ transactionHash: other.anchor!.transactionHash })).toBe('anchor_differs');
    expect(await changedAnchor({ account: `0x${'1'.repeat(40)}` })).toBe('anchor_differs');
    expect(await changedAnchor({ transactionHash: `0x${'1'.repeat(64)}` })).toBe('anchor_unknown');
    expect(await changedAnchor({ chainId: 1 })).toBe('chain_differs');
    expect(await codeOf({ ...root, size: root.size + 1 })).toBe('signature_invalid');
    expect(await codeOf({ ...root, anchor: { ...anchor, note: 1 } })).toBe('schema_invalid');
    expect(await codeOf(root, 'http://127.0.0.1:1')).toBe('node_failed');
  });

  it('are one of both: a size, or a root on a chain', async () => {
    const { status, body } = await get(`inclusion?leaf=${leafAt(0).toString('hex')}&size=1&anchored=true`);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });
});
