import path from 'node:path';
import {
  TransactionQueue,
  connectAnvil,
  deployDevnet,
  devnetAsset,
  registryOverlay,
  type DevnetAddresses,
} from '@plimsoll/devnet';
import { Multicall, createChainClient, mergeOverlay, loadRegistry, parseOverlay } from '@plimsoll/evm';
import { workspaceRoot } from '@plimsoll/local-parts';
import { createActivityReaders } from '@plimsoll/protocols';
import { createPrismaClient, migrate } from '@plimsoll/service-kit';
import { startOwnEvm, startOwnPostgres, waitFor } from '@plimsoll/testing';
import { Pool } from 'pg';
import { type Address, type Hex, encodeFunctionData, maxUint256, numberToHex, pad, parseAbi } from 'viem';
import { WhalesConfig } from '../../apps/whales/src/config';
import { PrismaClient } from '../../apps/whales/src/generated/prisma/client';
import { ChainIndexer } from '../../apps/whales/src/indexing/chain-indexer';
import { IndexStore } from '../../apps/whales/src/indexing/index-store';
import { RangeReader } from '../../apps/whales/src/indexing/range-reader';
import { RowBackfill } from '../../apps/whales/src/indexing/row-backfill';
import { RowBackfillStore } from '../../apps/whales/src/indexing/row-backfill.store';

const CHAIN_ID = 1;
const SUPPLIES = 3_000;
const SUPPLY_GAS = 450_000n;
const abi = parseAbi([
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
]);

/** Supplies on a local chain with the genuine Aave v3.0, from their logs to committed rows and events. */
export async function measureIndexing(): Promise<Record<string, unknown>> {
  const [node, postgres] = await Promise.all([startOwnEvm({ chainId: CHAIN_ID }), startOwnPostgres()]);
  const pool = new Pool({ connectionString: postgres.url, max: 4, options: '-c search_path=whales' });
  try {
    const addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
    await supplyMuch(node.url, addresses);
    await migrate(postgres.url, 'whales', path.join(workspaceRoot(), 'apps/whales/prisma/migrations'));
    let logs = 0;
    const inner = createChainClient({ chainId: CHAIN_ID, rpcUrl: node.url, timeoutMs: 20_000 });
    const request = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
      const response = await inner.request<T>(method, params);
      if (method === 'eth_getLogs') logs += (response as unknown[]).length;
      return response;
    };
    const client = { chainId: CHAIN_ID, request };
    const registry = mergeOverlay(await loadRegistry(), parseOverlay(registryOverlay(addresses)));
    const readers = createActivityReaders(registry, {
      client,
      multicall: new Multicall(client, addresses.multicall3),
    });
    const store = new IndexStore(
      pool,
      createPrismaClient(PrismaClient, pool, 'whales'),
      Object.assign(new WhalesConfig(), { WHALE_THRESHOLD_USD: 1_000 }),
    );
    const bounds = { backfillBlocks: 1_000_000, stepBlocks: 1_000 };
    const reader = new RangeReader(client, readers);
    const backfill = new RowBackfill(client, reader, new RowBackfillStore(pool, store), bounds);
    const indexer = new ChainIndexer(client, reader, store, backfill, bounds);
    const head = await client.request<{ number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex }>(
      'eth_getBlockByNumber',
      ['latest', false],
    );
    const begunMs = performance.now();
    indexer.offer({ ...head, number: BigInt(head.number), timestamp: BigInt(head.timestamp) });
    await waitFor(() => indexer.isCaughtUp, {
      timeoutMs: 60_000,
      intervalMs: 5,
      message: 'the index is complete',
    });
    const seconds = (performance.now() - begunMs) / 1_000;
    await indexer.close();
    const { rows } = await pool.query<{ activities: number; events: number }>(
      `SELECT (SELECT count(*)::int FROM activity WHERE wallet <> $1) AS activities,
         (SELECT count(*)::int FROM outbox) AS events`,
      [addresses.operator.toLowerCase()],
    );
    return {
      logs,
      seconds: Math.round(seconds * 1_000) / 1_000,
      logsPerSecond: Math.round(logs / seconds),
      ...rows[0],
    };
  } finally {
    await pool.end();
    await Promise.all([node.dispose(), postgres.dispose()]);
  }
}

async function supplyMuch(rpcUrl: string, addresses: DevnetAddresses): Promise<void> {
  const { operator, pool } = addresses;
  const queue = await TransactionQueue.open(connectAnvil(rpcUrl), [operator]);
  const token = devnetAsset(addresses, 'WETH').address;
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [operator, 10n ** 26n] });
  queue.call(operator, 'mint', token, mint, SUPPLY_GAS);
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [pool, maxUint256] });
  queue.call(operator, 'approve', token, approve, SUPPLY_GAS);
  for (let index = 1; index <= SUPPLIES; index += 1) {
    const wallet: Address = pad(numberToHex(index), { size: 20 });
    const args = [token, 10n ** 18n, wallet, 0] as const;
    const supply = encodeFunctionData({ abi, functionName: 'supply', args });
    queue.call(operator, 'supply', pool, supply, SUPPLY_GAS);
  }
  await queue.flush();
}
