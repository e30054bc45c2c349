import { newId } from '@plimsoll/contracts';
import type { SeedPlan, SeededWallet } from '@plimsoll/devnet';
import { runOutcomes } from '@plimsoll/executor';
import { findFreePort } from '@plimsoll/local-parts';
import {
  type TestDatabase,
  createTestDatabase,
  identityHeaders,
  testIdentityKeys,
  testKafka,
  waitFor,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { type Log, hexToNumber } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { authorisationText } from '../src/submission/authorisations';
import { KEEPER, keeperSettings } from './keeper';
import { type KillPoint, type KillingNode, startKillingNode } from './killing-node';
import { type LocalMarket, startMarket } from './local-market';
import { type ServiceProcess, startProcess } from './service-process';
import { type TestUpstream, startUpstream } from './upstream';
import { writePolicy } from './write-policy';

/** Executions that are under way when a process is killed. */
const EACH = 5;
/** Moments in the life of an execution: planned, priced for gas, signed, on its way, sent, followed, confirmed. */
const POINTS: readonly KillPoint[] = [
  { method: 'eth_simulateV1', nth: 3, when: 'before' },
  { method: 'eth_simulateV1', nth: 8, when: 'after' },
  { method: 'eth_maxPriorityFeePerGas', nth: 1, when: 'after' },
  { method: 'eth_getTransactionCount', nth: 2, when: 'after' },
  { method: 'eth_sendRawTransaction', nth: 1, when: 'before' },
  { method: 'eth_sendRawTransaction', nth: 1, when: 'after' },
  { method: 'eth_sendRawTransaction', nth: 3, when: 'before' },
  { method: 'eth_sendRawTransaction', nth: 4, when: 'after' },
  { method: 'eth_getTransactionReceipt', nth: 4, when: 'before' },
  { method: 'eth_getTransactionReceipt', nth: 7, when: 'after' },
];
const COUNT = POINTS.length * EACH;

const plan = (index: number): SeedPlan => ({
  label: `kill ${index}`,
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: 1.1,
  eMode: false,
});

describe(`${COUNT} executions, the process killed ${POINTS.length} times`, () => {
  const accountId = newId('acc');
  const identityKeys = testIdentityKeys();
  let market: LocalMarket;
  let node: KillingNode;
  let upstream: TestUpstream;
  let database: TestDatabase;
  let pool: Pool;
  let environment: Record<string, string>;
  let child: ServiceProcess | undefined;
  let port: number;
  let clean: () => Promise<void>;

  beforeAll(async () => {
    market = await startMarket(
      Array.from({ length: COUNT }, (_, index) => plan(index)),
      { keeper: KEEPER.address },
    );
    for (const wallet of market.wallets) await writePolicy(market, wallet, ['flash_loan_unwind']);
    node = await startKillingNode(market.node.url);
    upstream = await startUpstream();
    for (const [symbol, price] of market.prices()) upstream.prices.set(symbol, price);
    for (const { address } of market.wallets) {
      const place = market.placeOf(address);
      upstream.places.set(place.id, place);
    }
    const keeper = await keeperSettings();
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=execution' });
    pool.on('error', () => undefined);
    const kafka = testKafka();
    environment = {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'warn',
      IDENTITY_KEYS: identityKeys,
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.brokers.join(','),
      KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
      RPC_URL_1: node.url,
      REGISTRY_OVERLAY: market.overlayPath,
      UPSTREAM_POSITIONS: upstream.origin,
      UPSTREAM_MARKET_DATA: upstream.origin,
      MAX_BLOCK_AGE_SECONDS: '3600',
      ...keeper.settings,
      CONFIRMATIONS: '1:3',
      FOLLOW_POLL_MS: '50',
      LEASE_MS: '1000',
    };
    clean = () => keeper.folder.remove();
  }, 180_000);

  afterAll(async () => {
    await child?.end('SIGKILL');
    await node?.close();
    await upstream?.close();
    await pool?.end();
    await database?.drop();
    await market?.close();
    await clean?.();
  });

  const start = async (): Promise<void> => {
    port = await findFreePort();
    child = await startProcess({ ...environment, PORT: String(port) });
  };

  async function submit(wallet: SeededWallet): Promise<void> {
    const message = authorisationText(accountId, { chainId: 1, wallet: wallet.address });
    const response = await fetch(`http://127.0.0.1:${port}/v1/execution/deleverage`, {
      method: 'POST',
      headers: {
        ...identityHeaders(identityKeys, accountId),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        positionId: market.placeOf(wallet.address).id,
        targetHealthFactor: 2,
        mode: 'submit',
        strategy: 'flash_loan_unwind',
        maxSlippageBps: 60,
        walletSignature: await privateKeyToAccount(wallet.privateKey).signMessage({ message }),
      }),
      signal: AbortSignal.timeout(20_000),
    });
    // A 409 says that it was taken, and is under way or at its target.
    if (response.status !== 202 && response.status !== 409) throw new Error(`status ${response.status}`);
  }

  const open = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: string }>(
      `SELECT count(*) FROM executions WHERE status IN ('pending', 'running')`,
    );
    return Number(rows[0]!.count);
  };

  /** Whoever was not answered looks whether it was taken, and asks again only where it was not. */
  async function submitMissing(wallets: readonly SeededWallet[]): Promise<void> {
    const { rows } = await pool.query<{ wallet: string }>('SELECT wallet FROM executions');
    const taken = new Set(rows.map(({ wallet }) => wallet.toLowerCase()));
    await Promise.all(wallets.filter(({ address }) => !taken.has(address.toLowerCase())).map(submit));
  }

  it('none is sent twice, none is lost, and all end at their target', async () => {
    for (const [round, point] of POINTS.entries()) {
      const wallets = market.wallets.slice(round * EACH, (round + 1) * EACH);
      await start();
      await market.rpc.request('evm_setAutomine', [false]);
      let isKilled = false;
      node.arm(point, () => {
        isKilled = true;
        void child?.end('SIGKILL');
      });
      await Promise.all(wallets.map((wallet) => submit(wallet).catch(() => undefined)));
      await waitFor(
        async () => {
          if (!isKilled) await market.mine();
          return isKilled;
        },
        { timeoutMs: 60_000, intervalMs: 200, message: `the process is killed at ${JSON.stringify(point)}` },
      );
      await child?.end('SIGKILL');
      node.disarm();
      await market.rpc.request('evm_setAutomine', [true]);
      await start();
      await waitFor(
        async () => {
          await submitMissing(wallets);
          return true;
        },
        { timeoutMs: 60_000, intervalMs: 200, message: 'all are accepted' },
      );
      await waitFor(
        async () => {
          await market.mine();
          return (await open()) === 0;
        },
        { timeoutMs: 60_000, intervalMs: 100, message: 'all come to their end' },
      );
      await child?.end('SIGKILL');
    }

    const { rows } = await pool.query<{ status: string; failure_code: string | null; after: number }>(
      'SELECT status, failure_code, health_factor_after AS after FROM executions',
    );
    expect(rows).toHaveLength(COUNT);
    expect(rows.filter(({ status }) => status !== 'completed')).toEqual([]);
    for (const { after } of rows) expect(Math.abs(after / 2 - 1)).toBeLessThan(1e-3);

    const logs = await market.rpc.request<Log[]>('eth_getLogs', [
      { address: market.executor!.aaveV3, fromBlock: '0x0', toBlock: 'latest' },
    ]);
    const runs = runOutcomes(market.executor!.aaveV3, logs);
    expect(runs).toHaveLength(COUNT);
    expect(new Set(runs.map(({ owner }) => owner)).size).toBe(COUNT);

    // As many transactions as executions: no nonce was used for nothing, none was left out.
    const used = await market.rpc.request<`0x${string}`>('eth_getTransactionCount', [
      KEEPER.address,
      'latest',
    ]);
    expect(hexToNumber(used)).toBe(COUNT);
  }, 600_000);
});
