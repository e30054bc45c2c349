import { randomBytes } from 'node:crypto';
import { type CreatedWebhook, newId } from '@plimsoll/contracts';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import {
  createTestFolder,
  identityHeaders,
  startOwnKafka,
  startOwnPostgres,
  testIdentityKeys,
  waitFor,
  type OwnPart,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { startService, type ServiceProcess } from '../../test/platform/service-process';
import { buildApps } from '../../tools/local-stack/services/build';
import type { ServiceContext } from '../../tools/local-stack/services/service-environment';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';
import { treeCpuMs } from '../flow/process-usage';
import { type AlertPublisher, startAlertPublisher } from './publisher';
import { type BenchReceiver, startBenchReceiver } from './receiver';

export const PARTITIONS = 2;
/**
 * Its image sets no arguments of Node. The small heap of `npm start`, for many services on one machine, costs
 * a quarter more.
 */
const AS_DEPLOYED: readonly string[] = [];

/** CPU time of a delivery's parts, milliseconds. */
export interface CpuMs {
  service: number;
  postgres: number;
  kafka: number;
}

export interface BenchAccount {
  accountId: string;
  webhookIds: string[];
}

/** The built service with its own Postgres and Kafka, and a receiver in another process. */
export interface TestBed {
  service: ServiceProcess;
  kafka: Pick<OwnPart, 'kill9' | 'url'>;
  receiver: BenchReceiver;
  publisher: AlertPublisher;
  /** Connected to the service's schema. */
  pool: Pool;
  /** Creates endpoints of a new account for alert.created, on these paths of the receiver. */
  register(paths: readonly string[]): Promise<BenchAccount>;
  /** Deletes the endpoints of an account. Their pending deliveries are skipped. */
  unregister(account: BenchAccount): Promise<void>;
  /** Call it after the kill. Resolves when it is ready. */
  restartKafka(): Promise<void>;
  cpuMs(): Promise<CpuMs>;
  /** Resolves when no delivery is due or under way, and delivery.v1 has been published. */
  settled(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** @param env variables of the service beside those of the stack */
export async function startTestBed(env: Record<string, string> = {}): Promise<TestBed> {
  console.error('building the services');
  await buildApps(stackPaths(workspaceRoot()));
  console.error('starting Postgres, Kafka and the service');
  const toClose: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const work of toClose.toReversed()) await work();
  };
  try {
    return { ...(await start(env, (work) => toClose.push(work))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param atEnd receives a function that closes each part; the last one started is closed first */
async function start(
  env: Record<string, string>,
  atEnd: (work: () => unknown) => void,
): Promise<Omit<TestBed, 'close'>> {
  const folder = await createTestFolder();
  atEnd(() => folder.remove());
  const postgres = await startOwnPostgres('plimsoll');
  atEnd(() => postgres.dispose());
  let kafka = await startOwnKafka();
  atEnd(() => kafka.dispose());
  const receiver = await startBenchReceiver();
  atEnd(() => receiver.close());
  const secret = (): string => `bench:${randomBytes(32).toString('base64')}`;
  const context: ServiceContext = {
    databaseUrl: postgres.url,
    redisUrl: '',
    kafkaBrokers: kafka.url,
    rpcUrls: new Map(),
    registryOverlay: '',
    ports: new Map([['webhook-delivery', await findFreePort()]]),
    secrets: { identityKeys: testIdentityKeys(), webhookSecretKeys: secret() },
  };
  const environment = { LOG_LEVEL: 'warn', ...env };
  const service = await startService('webhook-delivery', context, folder.path, environment, {
    nodeArgs: AS_DEPLOYED,
  });
  atEnd(() => service.stop());
  const publisher = await startAlertPublisher(kafka.url, PARTITIONS);
  atEnd(() => publisher.close());
  const pool = new Pool({
    connectionString: postgres.url,
    max: 1,
    options: '-c search_path=webhook_delivery',
  });
  pool.on('error', () => undefined);
  atEnd(() => pool.end());
  return {
    service,
    kafka: { url: kafka.url, kill9: () => kafka.kill9() },
    restartKafka: async () => {
      kafka = await kafka.restart();
    },
    receiver,
    publisher,
    pool,
    ...registration(service.url, receiver.url, context.secrets.identityKeys),
    cpuMs: async () => ({
      service: await treeCpuMs(service.pid()),
      postgres: await treeCpuMs(postgres.pid),
      kafka: await treeCpuMs(kafka.pid),
    }),
    settled: (timeoutMs) => settled(pool, timeoutMs),
  };
}

function registration(
  serviceUrl: string,
  receiverUrl: string,
  identityKeys: string,
): Pick<TestBed, 'register' | 'unregister'> {
  const call = async (method: string, path: string, accountId: string, body?: object): Promise<unknown> => {
    const request = { service: 'webhook-delivery', method, path: `/v1/webhooks${path}` };
    const response = await fetch(serviceUrl + request.path, {
      method,
      headers: { ...identityHeaders(identityKeys, request, accountId), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    register: async (paths) => {
      const accountId = newId('acc');
      const webhookIds: string[] = [];
      for (const path of paths) {
        const body = { url: receiverUrl + path, events: ['alert.created'] };
        const { webhook } = (await call('POST', '', accountId, body)) as CreatedWebhook;
        webhookIds.push(webhook.id);
      }
      return { accountId, webhookIds };
    },
    unregister: async ({ accountId, webhookIds }) => {
      for (const id of webhookIds) await call('DELETE', `/${id}`, accountId);
    },
  };
}

/** Retries that wait for their time do not count. */
const UNSETTLED = `
SELECT EXISTS (SELECT FROM leases) OR EXISTS (SELECT FROM deliveries WHERE due_at IS NOT NULL AND state = 'pending')
    OR EXISTS (SELECT FROM waiting_events) OR EXISTS (SELECT FROM outbox) AS open`;

async function settled(pool: Pool, timeoutMs: number): Promise<void> {
  const isSettled = async (): Promise<boolean> =>
    (await pool.query<{ open: boolean }>(UNSETTLED)).rows[0]?.open === false;
  await waitFor(isSettled, { timeoutMs, intervalMs: 50, message: 'no delivery is due or in progress' });
}
