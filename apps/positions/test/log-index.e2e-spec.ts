import path from 'node:path';
import { SEED_PLANS } from '@plimsoll/devnet';
import { type BlockRef, type ChainClient, createChainClient } from '@plimsoll/evm';
import type { IndexSource } from '@plimsoll/protocols';
import { createPrismaClient, migrate } from '@plimsoll/service-kit';
import { createTestDatabase, waitFor } from '@plimsoll/testing';
import { Pool } from 'pg';
import {
  type Address,
  type Hex,
  encodeFunctionData,
  numberToHex,
  parseAbi,
  slice,
  toEventSelector,
} from 'viem';
import { PrismaClient } from '../src/generated/prisma/client';
import { HoldingsIndexRepository } from '../src/indexing/holdings-index.repository';
import { LogIndex, type LogIndexBounds } from '../src/indexing/log-index';
import { type ChainFixture, startChain } from './chain-fixture';
import { type MorphoFixture, addMorpho } from './morpho-fixture';

jest.setTimeout(30_000);

const ONE = 10n ** 18n;
const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)',
]);
const wallet = (digit: number): Address => `0x${String(digit).repeat(40)}`;

let chain: ChainFixture;
let morpho: MorphoFixture;
let pool: Pool;
let repository: HoldingsIndexRepository;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: IndexSource;
/** First blocks of the requested log ranges. */
let requestedFrom: bigint[] = [];

/** An index after a start of the service, on the existing database. */
function startIndex(bounds?: LogIndexBounds): LogIndex {
  const inner = createChainClient({ chainId: 1, rpcUrl: chain.node.url });
  const client: ChainClient = {
    chainId: 1,
    request: async <T>(method: string, params: readonly unknown[]): Promise<T> => {
      if (method === 'eth_getLogs') requestedFrom.push(BigInt((params[0] as { fromBlock: Hex }).fromBlock));
      return inner.request<T>(method, params);
    },
  };
  return new LogIndex(client, repository, bounds);
}

const rowOf = (market: string) => ({
  protocol: 'morpho-blue',
  family: 'morpho-blue',
  chainId: 1,
  market,
  contracts: {},
});

async function head(): Promise<BlockRef> {
  const block = await chain.rpc<{ number: Hex; hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  return { number: BigInt(block.number), hash: block.hash, timestamp: BigInt(block.timestamp) };
}

/** A contract that does nothing. */
async function deploy(): Promise<Address> {
  const transaction = { from: wallet(9), data: '0x600160005360016000f3' };
  const { contractAddress } = await chain.rpc<{ contractAddress: Address }>('eth_sendTransactionSync', [
    transaction,
  ]);
  return contractAddress;
}

const mine = (blocks: number): Promise<unknown> => chain.rpc('anvil_mine', [numberToHex(blocks)]);

/** Replaces blocks by the same number of others, of which the first has a supply for the wallet. */
async function reorgWithSupply(depth: number, holder: Address, market: number): Promise<void> {
  const { params } = morpho.markets[market]!;
  const data = encodeFunctionData({
    abi,
    functionName: 'supplyCollateral',
    args: [params, 1n, holder, '0x'],
  });
  const call = { from: wallet(9), to: morpho.morpho, data, gas: numberToHex(500_000n) };
  await chain.rpc('anvil_reorg', [depth, [[call, 0]]]);
}

beforeAll(async () => {
  chain = await startChain(1, SEED_PLANS.slice(0, 1));
  morpho = await addMorpho(chain);
  database = await createTestDatabase();
  await migrate(database.url, 'positions', path.join(__dirname, '../prisma/migrations'));
  pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=positions' });
  repository = new HoldingsIndexRepository(pool, createPrismaClient(PrismaClient, pool, 'positions'));
  source = {
    addresses: [morpho.morpho],
    topics: [toEventSelector('SupplyCollateral(bytes32,address,address,uint256)')],
    entriesOf: ({ topics }) => [{ wallet: slice(topics[3]!, 12), subId: topics[1]! }],
  };
  // Enough of both tokens for the blocks that a reorg inserts.
  for (const market of morpho.markets) await morpho.supplyCollateral(wallet(9), market, ONE);
  for (const { params } of morpho.markets) {
    const token = parseAbi([
      'function mint(address account, uint256 value) returns (bool)',
      'function approve(address spender, uint256 value) returns (bool)',
    ]);
    for (const [functionName, first] of [
      ['mint', wallet(9)],
      ['approve', morpho.morpho],
    ] as const) {
      const data = encodeFunctionData({ abi: token, functionName, args: [first, ONE] });
      await chain.rpc('eth_sendTransactionSync', [{ from: wallet(9), to: params.collateralToken, data }]);
    }
  }
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await database?.drop();
  await chain?.close();
});

describe('LogIndex', () => {
  it('finds every market in which a wallet acted, and continues after a restart from its cursor', async () => {
    const row = rowOf('restart');
    await morpho.supplyCollateral(wallet(1), morpho.markets[0]!, ONE);
    await mine(100);
    const before = await head();
    const first = await startIndex().subIdsOf(row, source, [wallet(1), wallet(2)], before);
    expect(first).toEqual(new Map([[wallet(1), [morpho.markets[0]!.id]]]));

    await morpho.supplyCollateral(wallet(1), morpho.markets[1]!, ONE);
    requestedFrom = [];
    const again = await startIndex().subIdsOf(row, source, [wallet(1)], await head());
    expect(new Set(again.get(wallet(1)))).toEqual(new Set(morpho.markets.map(({ id }) => id)));
    expect(requestedFrom).toEqual([before.number - 64n + 1n]);
  });

  it('requests no logs of a head that it has read', async () => {
    const [index, row, block] = [startIndex(), rowOf('twice'), await head()];
    await index.subIdsOf(row, source, [wallet(1)], block);
    requestedFrom = [];
    await index.subIdsOf(row, source, [wallet(2)], block);
    expect(requestedFrom).toEqual([]);
  });

  it('a reorg of unsettled blocks: the logs of the new branch are found, though the head is no higher', async () => {
    const [index, row] = [startIndex(), rowOf('reorg')];
    await mine(5);
    const before = await head();
    await index.subIdsOf(row, source, [wallet(3)], before);
    await reorgWithSupply(4, wallet(3), 0);
    const after = await head();
    expect(after.number).toBeLessThanOrEqual(before.number);
    expect(await index.subIdsOf(row, source, [wallet(3)], after)).toEqual(
      new Map([[wallet(3), [morpho.markets[0]!.id]]]),
    );
  });

  it('a reorg below the settled blocks moves the cursor back, also after a restart', async () => {
    const row = rowOf('deep');
    const bounds = { confirmations: 1n, maxWaitBlocks: 4_000n };
    await mine(10);
    await startIndex(bounds).subIdsOf(row, source, [wallet(4)], await head());
    await reorgWithSupply(8, wallet(4), 1);
    expect(await startIndex(bounds).subIdsOf(row, source, [wallet(4)], await head())).toEqual(
      new Map([[wallet(4), [morpho.markets[1]!.id]]]),
    );
  });

  it('a wide gap: index_behind until it is read in the background', async () => {
    const [index, row] = [startIndex({ confirmations: 4n, maxWaitBlocks: 10n }), rowOf('wide')];
    await mine(50);
    const block = await head();
    await expect(index.subIdsOf(row, source, [wallet(1)], block)).rejects.toMatchObject({
      code: 'index_behind',
    });
    const found = await waitFor(() => index.subIdsOf(row, source, [wallet(1)], block).catch(() => null), {
      message: 'the gap is read',
    });
    expect(found.get(wallet(1))).toHaveLength(2);
  });

  it('contracts that are added to a source: the logs of the others are not read again', async () => {
    const index = startIndex({ confirmations: 1n, maxWaitBlocks: 4_000n });
    await mine(20);
    const before = await head();
    await index.subIdsOf(rowOf('grown'), source, [wallet(1)], before);
    const grown = { ...source, addresses: [...source.addresses, await deploy()] };
    requestedFrom = [];
    const found = await index.subIdsOf(rowOf('grown'), grown, [wallet(1)], await head());
    expect(found.get(wallet(1))).toHaveLength(2);
    expect(requestedFrom).toEqual([before.number]);
    // Nor does the next block read the source that it was before.
    await mine(1);
    requestedFrom = [];
    await index.prepare([wallet(1)], await head());
    expect(requestedFrom).toEqual([before.number + 1n]);
  });

  it('prepares no source that is read at times of its own', async () => {
    const index = startIndex();
    const occasional = { ...source, isOccasional: true };
    const found = await index.subIdsOf(rowOf('occasional'), occasional, [wallet(1)], await head());
    expect(found.get(wallet(1))).toHaveLength(2);
    await mine(1);
    requestedFrom = [];
    await index.prepare([wallet(1)], await head());
    expect(requestedFrom).toEqual([]);
    await index.subIdsOf(rowOf('occasional'), occasional, [wallet(1)], await head());
    expect(requestedFrom).toHaveLength(1);
  });

  it('a contract that is added to a source has its logs read from its first block on', async () => {
    const row = rowOf('older');
    const later = { ...source, addresses: [await deploy()] };
    expect(await startIndex().subIdsOf(row, later, [wallet(1)], await head())).toEqual(new Map());
    const grown = { ...source, addresses: [...later.addresses, morpho.morpho] };
    const found = await startIndex().subIdsOf(row, grown, [wallet(1)], await head());
    expect(found.get(wallet(1))).toHaveLength(2);
  });

  it('a head whose branch was removed: block_gone, and nothing counts as read', async () => {
    const [index, row] = [startIndex(), rowOf('gone')];
    await mine(3);
    const gone = await head();
    await reorgWithSupply(2, wallet(5), 0);
    await expect(index.subIdsOf(row, source, [wallet(1)], gone)).rejects.toMatchObject({
      code: 'block_gone',
    });
  });
});
