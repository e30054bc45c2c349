import { newId } from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import { findFreePort } from '@plimsoll/local-parts';
import {
  type ServiceProcess,
  createTestDatabase,
  identityHeaders,
  startProcess,
  testIdentityKeys,
  testKafka,
  waitFor,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { plainAuthorisationText } from '../src/submission/wallet-signature';
import { keeperSettings } from './keeper';
import { type KillPoint, startKillingNode } from './killing-node';
import type { LocalMarket } from './local-market';

/** Progress of an execution when its process was killed. */
export const KILLED_AT = ['not taken', 'accepted', 'signed', 'sent', 'included'] as const;
export type KilledAt = (typeof KILLED_AT)[number];

export interface EndedExecution {
  status: string;
  failureCode: string | null;
  healthFactorAfter: number;
}

/** The service with its own database, key and node, which is killed repeatedly. */
export interface KillScene {
  /**
   * Kills the service while these are executed, restarts it and waits for their end.
   * @returns the progress of each at the kill
   */
  kill(point: KillPoint, wallets: readonly SeededWallet[]): Promise<KilledAt[]>;
  ended(): Promise<EndedExecution[]>;
  close(): Promise<void>;
}

const HOURS_6_MS = 21_600_000;

/**
 * @param name of its key
 * @param upstreamOrigin origin of the test server for positions and market-data
 */
export async function openScene(
  market: LocalMarket,
  name: string,
  upstreamOrigin: string,
): Promise<KillScene> {
  const accountId = newId('acc');
  const identityKeys = testIdentityKeys();
  const [node, keeper, database, port] = await Promise.all([
    startKillingNode(market.node.url),
    keeperSettings(name),
    createTestDatabase(),
    findFreePort(),
  ]);
  const pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=execution' });
  pool.on('error', () => undefined);
  const kafka = testKafka();
  const environment = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    LOG_LEVEL: 'warn',
    IDENTITY_KEYS_FOLDER: identityKeys,
    DATABASE_URL: database.url,
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
    RPC_URL_1: node.url,
    REGISTRY_OVERLAY: market.overlayPath,
    UPSTREAM_POSITIONS: upstreamOrigin,
    UPSTREAM_MARKET_DATA: upstreamOrigin,
    MAX_BLOCK_AGE_SECONDS: '3600',
    ...keeper.settings,
    CONFIRMATIONS: '1:3',
    FOLLOW_POLL_MS: '50',
    LEASE_MS: '1000',
  };
  const start = (): Promise<ServiceProcess> => startProcess('execution', environment, 'live');
  let child = await start();

  async function submit(wallet: SeededWallet): Promise<void> {
    const message = plainAuthorisationText(accountId, { chainId: 1, wallet: wallet.address });
    const path = '/v1/execution/deleverage';
    const request = { service: 'execution', method: 'POST', path };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { ...identityHeaders(identityKeys, request, accountId), 'content-type': 'application/json' },
      body: JSON.stringify({
        positionId: market.venueOf(wallet.address).id,
        targetHealthFactor: 2,
        mode: 'submit',
        strategy: 'flash_loan_unwind',
        maxSlippageBps: 60,
        // The chain's clock is ahead of the machine's clock while blocks are mined.
        deadline: new Date(Date.now() + HOURS_6_MS).toISOString(),
        walletSignature: await privateKeyToAccount(wallet.privateKey).signMessage({ message }),
      }),
      signal: AbortSignal.timeout(60_000),
    });
    // A 409 means that it was accepted before, and is in flight or at its target.
    if (response.status !== 202 && response.status !== 409) throw new Error(`status ${response.status}`);
  }

  /** Returns the executions by wallet, without those that were not accepted. */
  async function found(wallets: readonly SeededWallet[]) {
    const { rows } = await pool.query<{ wallet: string; isOver: boolean; at: KilledAt }>(
      `SELECT wallet, status NOT IN ('pending', 'running') AS "isOver",
         CASE WHEN status = 'pending' THEN 'accepted' WHEN included_block IS NOT NULL THEN 'included'
           WHEN EXISTS (SELECT FROM transactions WHERE execution_id = executions.id AND sent_at IS NOT NULL) THEN 'sent'
           ELSE 'signed' END AS at
       FROM executions WHERE wallet = ANY($1)`,
      [wallets.map(({ address }) => address.toLowerCase())],
    );
    return new Map(rows.map((row) => [row.wallet, row]));
  }

  /** After a missing response, checks whether the request was accepted and repeats it only if not. */
  async function submitMissing(wallets: readonly SeededWallet[]): Promise<void> {
    const taken = await found(wallets);
    await Promise.all(wallets.filter(({ address }) => !taken.has(address.toLowerCase())).map(submit));
  }

  return {
    kill: async (point, wallets) => {
      let death: Promise<unknown> | undefined;
      node.arm(point, () => (death = child.end('SIGKILL')));
      // Repeated, because a dependency may respond late on a busy machine.
      await waitFor(
        async () => {
          await submitMissing(wallets).catch(() => undefined);
          return death !== undefined;
        },
        { timeoutMs: 90_000, intervalMs: 100, message: `killed at ${JSON.stringify(point)}` },
      );
      await death;
      node.disarm();
      const atKill = await found(wallets);
      child = await start();
      await waitFor(() => submitMissing(wallets).then(() => true), {
        timeoutMs: 60_000,
        intervalMs: 200,
        message: 'all are accepted',
      });
      await waitFor(
        async () => {
          const now = [...(await found(wallets)).values()];
          return now.length === wallets.length && now.every(({ isOver }) => isOver);
        },
        { timeoutMs: 60_000, intervalMs: 100, message: `all end after ${JSON.stringify(point)}` },
      );
      return wallets.map(({ address }) => atKill.get(address.toLowerCase())?.at ?? 'not taken');
    },
    ended: async () => {
      const { rows } = await pool.query<EndedExecution>(
        `SELECT status, failure_code AS "failureCode", health_factor_after AS "healthFactorAfter" FROM executions`,
      );
      return rows;
    },
    close: async () => {
      await child.end('SIGKILL');
      await node.close();
      await pool.end();
      await database.drop();
      await keeper.folder.remove();
    },
  };
}
