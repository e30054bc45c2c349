import { randomBytes } from 'node:crypto';
import type {
  PositionDetail,
  PositionList,
  PositionReceipt,
  ProblemBody,
  ReceiptInclusion,
  StoredReceipt,
} from '@plimsoll/contracts';
import { SEED_PLANS } from '@plimsoll/devnet';
import { type ForecastContent, type Json, canonicalJson } from '@plimsoll/receipts';
import { type ReceiptKey, leafOf, verifyInclusion, verifyReceipt } from '@plimsoll/sdk/verify';
import { type Misbehaviour, type ProxyNode, startProxyNode, waitFor } from '@plimsoll/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Hex, decodeFunctionResult, encodeFunctionResult, parseAbi } from 'viem';
import { runReceiptKeys } from '../src/admin/receipt-keys';
import { ReceiptLog } from '../src/receipt-log/receipt-log';
import { ReceiptRoots } from '../src/receipt-log/receipt-roots';
import { ReceiptPartitions } from '../src/receipts/receipt-partitions';
import { type ChainFixture, startChain } from './chain-fixture';
import { addLiquity } from './liquity-fixture';
import { addMorpho, decimalsOf } from './morpho-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const secretKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const DAY_MS = 86_400_000;

describe('a position with a receipt', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let ids: Map<string, string>;
  const me = identityOf('pro');
  const keys = secretKey('first');

  const read = (id: string, query: string, as = me) =>
    service.call<PositionDetail>('GET', `/v1/positions/${id}?${query}`, as);
  const aave = () => ids.get('aave-v3')!;
  const receiptOf = async (id: string, form: string): Promise<PositionReceipt> => {
    const { status, body } = await read(id, `receipt=${form}`);
    expect({ status, body: status === 200 || body }).toEqual({ status: 200, body: true });
    return body.receipt!;
  };
  const published = async (): Promise<ReceiptKey[]> => {
    const response = await fetch(`${service.origin}/.well-known/plimsoll-keys.json`);
    return ((await response.json()) as { keys: ReceiptKey[] }).keys;
  };
  const verify = async (receipt: PositionReceipt, isAlone = false) =>
    verifyReceipt(JSON.stringify(receipt), {
      keys: await published(),
      ...(!isAlone && { rpcUrl: chain.node.url }),
    });
  const mine = () => chain.rpc('evm_mine', []);
  const admin = async (line: string): Promise<{ code: number; count?: number }> => {
    let text = '{}';
    const { DATABASE_URL } = service.config;
    const variables = { DATABASE_URL, RECEIPT_SECRET_KEYS: keys, SECRET_KEYS_KMS: '' };
    const code = await runReceiptKeys(line.split(' '), {
      config: () => variables,
      rotation: () => variables,
      out: (output) => (text = output),
      err: () => undefined,
    });
    const { count } = JSON.parse(text) as { count?: number };
    return { code, ...(count !== undefined && { count }) };
  };

  beforeAll(async () => {
    chain = await startChain(1, SEED_PLANS.slice(0, 2));
    const wallet = chain.wallets[0]!.address;
    const morpho = await addMorpho(chain);
    await morpho.supplyCollateral(wallet, morpho.markets[0]!, 4n * decimalsOf(chain, 'WETH'));
    await morpho.borrow(wallet, morpho.markets[0]!, 5_000n * decimalsOf(chain, 'USDC'));
    await addLiquity(chain, wallet);
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await service.start({ RECEIPT_SECRET_KEYS: keys });
    const { positions } = await waitFor(
      async () => {
        const list = await service.call<PositionList>('GET', `/v1/positions?wallet=${wallet}`, me);
        return list.body.positions.length === 3 && list.body;
      },
      { message: 'all three positions are read' },
    );
    ids = new Map(positions.map(({ id, protocol }) => [protocol, id]));
  }, 240_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  it('has none without the parameter, and stores none', async () => {
    const { body } = await read(aave(), '');
    expect(body).not.toHaveProperty('receipt');
    expect((await service.pool.query('SELECT FROM receipts')).rowCount).toBe(0);
  });

  it.each(['aave-v3', 'morpho-blue', 'liquity-v1'])(
    'of %s is equal to the wei on the node',
    async (protocol) => {
      const receipt = await receiptOf(ids.get(protocol)!, 'true');
      expect(receipt).not.toHaveProperty('results');
      expect(receipt.content.formula).toEqual({ name: protocol, version: 1 });
      expect(await verify(receipt)).toMatchObject({ code: null, isRead: true, isRecomputed: true });
    },
  );

  it('has the figures of the response', async () => {
    const { body } = await read(aave(), 'receipt=true');
    expect(body.receipt!.content.outputs.healthFactor).toBe(body.healthFactorRaw);
    expect(body.receipt!.content.block).toMatchObject({
      number: body.asOfBlock['1'],
      hash: body.blockHash['1'],
    });
  });

  it('with its results is the same receipt, and is recomputed without a node', async () => {
    const [short, full] = [await receiptOf(aave(), 'true'), await receiptOf(aave(), 'full')];
    expect(full).toEqual({ ...short, results: expect.any(Array) });
    expect(await verify(full, true)).toMatchObject({ code: null, isRead: false, isRecomputed: true });
    const results = [...full.results!];
    results[0] = `0x${'00'.repeat(32)}`;
    expect((await verify({ ...full, results }, true)).code).not.toBeNull();
  });

  it('is found by its hash as it was signed first, in canonical form', async () => {
    const receipt = await receiptOf(aave(), 'true');
    const path = `/v1/receipts/${receipt.hash}`;
    const response = await fetch(service.origin + path, { headers: service.headers('GET', path, me) });
    expect(await response.text()).toBe(canonicalJson(receipt as unknown as Json));
    expect(await receiptOf(aave(), 'true')).toEqual(receipt);
  });

  it('of another account is not found, and another account that reads the same gets its own', async () => {
    const other = identityOf('pro');
    const { hash } = await receiptOf(aave(), 'true');
    const before = await service.call<ProblemBody>('GET', `/v1/receipts/${hash}`, other);
    expect([before.status, before.body.code]).toEqual([404, 'not_found']);
    const { body } = await read(aave(), 'receipt=true', other);
    expect(body.receipt!.hash).toBe(hash);
    expect((await service.call('GET', `/v1/receipts/${hash}`, other)).status).toBe(200);
  });

  it.each(['x', '0'.repeat(63), 'Z'.repeat(64), '0'.repeat(64)])('%s is no receipt', async (hash) => {
    expect((await service.call('GET', `/v1/receipts/${hash}`, me)).status).toBe(404);
  });

  it('is refused in another form, with the field', async () => {
    const { status, body } = await service.call<ProblemBody>(
      'GET',
      `/v1/positions/${aave()}?receipt=false`,
      me,
    );
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field: 'receipt' }]);
  });

  it.each([
    [{}, 'content'],
    [{ content: {}, data: {} }, 'content.version'],
    [{ content: { version: 1, kind: 'position' }, data: {} }, 'content.kind'],
  ])('of a simulation is refused in another form, with the field: %j', async (parts, field) => {
    const { status, body } = await service.call<ProblemBody>('POST', '/inner/receipts', me, parts);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors).toMatchObject([{ field }]);
  });

  it('of forecasts is refused in another form, with the field', async () => {
    const { status, body } = await service.call<ProblemBody>('POST', '/inner/receipts/forecasts', me, {
      version: 1,
      kind: 'forecast',
      build: 1,
    });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors).toMatchObject([{ field: 'build' }]);
  });

  it('of forecasts has one signature, for accounts that watch the wallet', async () => {
    const watcher = identityOf('pro');
    // Without positions, so that no other test sees it followed.
    const address = `0x${'7'.repeat(40)}`;
    const content = forecastOf(address);
    const sign = () => service.call<{ hash: string }>('POST', '/inner/receipts/forecasts', me, content);
    const [first, second] = [await sign(), await sign()];
    expect([first.status, second.body]).toEqual([200, first.body]);
    const { hash } = first.body;
    const stored = await service.pool.query('SELECT FROM receipts WHERE hash = $1', [hash]);
    expect(stored.rowCount).toBe(1);
    const find = () => service.call<StoredReceipt>('GET', `/v1/receipts/${hash}`, watcher);
    expect((await find()).status).toBe(404);
    expect((await service.call('POST', '/v1/wallets', watcher, { address })).status).toBe(201);
    expect((await find()).body.content).toEqual(content);
    expect((await service.call('DELETE', `/v1/wallets/${address}`, watcher)).status).toBe(200);
    expect((await find()).status).toBe(404);
  });

  it('of one reading is stored once, also for requests at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => receiptOf(aave(), 'true')));
    for (const hash of new Set(made.map((receipt) => receipt.hash))) {
      const { rowCount } = await service.pool.query(
        'SELECT FROM receipts WHERE account_id = $1 AND hash = $2',
        [me.accountId, hash],
      );
      expect(rowCount).toBe(1);
    }
  });

  it('is in the log, with a proof for everyone who has it', async () => {
    const text = JSON.stringify(await receiptOf(aave(), 'true'));
    await service.part(ReceiptLog).append(1_000);
    await service.part(ReceiptRoots).publish(Date.now() + DAY_MS);
    const path = `/v1/receipts/inclusion?leaf=${await leafOf(text)}`;
    const { body } = await service.call<ReceiptInclusion>('GET', path, identityOf('open'));
    expect(await verifyInclusion(text, body, { keys: await published() })).toMatchObject({ ok: true });
  });

  it('is dropped with its day after 90 days', async () => {
    const partitions = service.part(ReceiptPartitions);
    const { hash } = await receiptOf(aave(), 'true');
    await partitions.drop(new Date(Date.now() + 90 * DAY_MS));
    expect((await service.call('GET', `/v1/receipts/${hash}`, me)).status).toBe(200);
    await partitions.drop(new Date(Date.now() + 92 * DAY_MS));
    expect((await service.call('GET', `/v1/receipts/${hash}`, me)).status).toBe(404);
    await partitions.make(new Date());
    await mine();
  });

  it('is not made by a service without secret keys', async () => {
    const app = await service.start({ RECEIPT_SECRET_KEYS: '' }, { consumes: false });
    const at = (query: string) =>
      service.request<ProblemBody>('GET', `/v1/positions/${aave()}${query}`, { as: me }, app);
    await waitFor(async () => (await at('')).status === 200, { message: 'the position is read' });
    const { status, body } = await at('?receipt=true');
    expect([status, body.code]).toEqual([503, 'upstream_unavailable']);
    expect(body.detail).toContain('RECEIPT_SECRET_KEYS');
    await service.stop(app);
  });

  it('of a former key is verified after a rotation, and the next one has the new key', async () => {
    const before = await receiptOf(aave(), 'true');
    const [first] = await published();
    expect(before.signature.keyId).toBe(first!.id);
    expect(await admin('receipt-keys rotate --after-seconds 0 --overlap-seconds 3600')).toMatchObject({
      code: 0,
      count: 2,
    });
    const after = await waitFor(
      async () => {
        await mine();
        const receipt = await receiptOf(aave(), 'true');
        return receipt.signature.keyId !== first!.id && receipt;
      },
      { message: 'a receipt has the new key' },
    );
    for (const receipt of [before, after]) expect(await verify(receipt)).toMatchObject({ code: null });
    const late = { ...before.signature, signedAt: (await published())[0]!.untilMs! + 1 };
    expect((await verify({ ...before, signature: late })).code).toBe('key_expired');
  });

  it('keeps public keys and deletes private ones after their end', async () => {
    await admin('receipt-keys rotate --after-seconds 0 --overlap-seconds 0');
    await admin('receipt-keys rotate --after-seconds 0 --overlap-seconds 0');
    const { rows } = await service.pool.query<{ keys: number; private: number }>(
      'SELECT count(*)::int AS keys, count(sealed)::int AS private FROM receipt_keys',
    );
    // The last one, and the one that ended with the last rotation.
    expect(rows).toEqual([{ keys: 4, private: 2 }]);
    expect(await admin('receipt-keys list')).toEqual({ code: 0, count: 4 });
  });

  it.each(['receipt-keys', 'receipt-keys drop', 'receipt-keys rotate --after-seconds soon', 'keys list'])(
    'the command %s is refused',
    async (line) => {
      expect(await admin(line)).toEqual({ code: 2 });
    },
  );

  it('is a 503 that says what to do when the node has removed the block', async () => {
    const snapshot = await chain.rpc('evm_snapshot', []);
    await mine();
    const { chainId, rpcUrl } = chain.endpoint;
    const over = {
      RECEIPT_SECRET_KEYS: keys,
      RPC_URL: { chains: [{ chainId, rpcUrl }], problem: null },
      // It does not learn of the blocks after its start.
      BLOCK_POLL_INTERVAL_MS: 60_000,
    };
    const app = await service.start(over, { consumes: false });
    const at = (query: string) =>
      service.request<ProblemBody>('GET', `/v1/positions/${aave()}${query}`, { as: me }, app);
    await waitFor(async () => (await at('')).status === 200, { message: 'the position is read' });
    await chain.rpc('evm_revert', [snapshot]);
    const { status, body } = await at('?receipt=true');
    expect([status, body.code]).toEqual([503, 'upstream_unavailable']);
    expect(body.detail).toContain(
      'The node may have removed the state of this block. Send the request again',
    );
    await service.stop(app);
  });

  describe('while the node misbehaves', () => {
    let node: ProxyNode;
    let app: NestFastifyApplication;
    /** Each has its own slot, which a late reading keeps. */
    const at = (query: string) =>
      service.request<PositionDetail>(
        'GET',
        `/v1/positions/${aave()}${query}`,
        { as: identityOf('pro') },
        app,
      );

    beforeAll(async () => {
      node = await startProxyNode(chain.node.url);
      const { chainId } = chain.endpoint;
      const over = {
        RECEIPT_SECRET_KEYS: keys,
        RPC_URL: { chains: [{ chainId, rpcUrl: node.url }], problem: null },
        RPC_TIMEOUT_MS: 20_000,
        // It reads no blocks after its start.
        BLOCK_POLL_INTERVAL_MS: 60_000,
      };
      app = await service.start(over, { consumes: false });
      await waitFor(async () => (await at('')).status === 200, { message: 'the position is read' });
    });
    afterAll(async () => {
      await service.stop(app);
      await node.close();
    });

    it.each<[string, number, string, Misbehaviour]>([
      ['is a 503 when it fails', 503, 'upstream_unavailable', { status: 500 }],
      ['is a 503 when it refuses calls', 503, 'upstream_unavailable', { error: -32_000 }],
      ['is a 502 when its results are larger than a receipt', 502, 'upstream_failed', { result: padded }],
      ['is a 504 when it sends nothing for five seconds', 504, 'upstream_timeout', 'silence'],
    ])('%s, and a receipt again afterwards', async (_, status, code, how) => {
      node.behave(how);
      const failed = await at('?receipt=true');
      expect([failed.status, failed.body.code]).toEqual([status, code]);
      node.behave('pass');
      const { body } = await at('?receipt=true');
      expect(await verify(body.receipt!)).toMatchObject({ code: null, isRecomputed: true });
    });
  });
});

function forecastOf(wallet: string): ForecastContent {
  const madeAt = 1_800_000_000_000;
  return {
    version: 1,
    kind: 'forecast',
    build: '1.0.0',
    chainId: 1,
    position: { id: 'pos_1', protocol: 'aave-v3', market: 'core', subId: '', wallet: wallet.toLowerCase() },
    block: { number: 1, hash: `0x${'1'.repeat(64)}`, timestamp: 1_799_999_990 },
    healthFactor: '1600000000000000000',
    model: { name: 'fhs', version: '2' },
    madeAt,
    forecasts: [{ horizonDays: 1, expiresAt: madeAt + DAY_MS, probability: '1', standardError: '0' }],
  };
}

/** Zeros after the first result of a multicall, which decoders ignore. */
const PADDING = '00'.repeat(1_200_000);
const multicall3 = parseAbi([
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3() returns (Result[] returnData)',
]);

function padded({ method }: { method: string }, honest: unknown): unknown {
  if (method !== 'eth_call') return honest;
  const functionName = 'aggregate3';
  const results = decodeFunctionResult({ abi: multicall3, functionName, data: honest as Hex });
  const result = results.map(({ success, returnData }, index) => {
    return { success, returnData: `${returnData}${index === 0 ? PADDING : ''}` as Hex };
  });
  return encodeFunctionResult({ abi: multicall3, functionName, result });
}
