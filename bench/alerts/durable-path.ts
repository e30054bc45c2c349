import { EVENTS, newId } from '@plimsoll/contracts';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import {
  type OwnPart,
  createTestFolder,
  startOwnKafka,
  startOwnPostgres,
  testIdentityKeys,
  waitFor,
} from '@plimsoll/testing';
import { Kafka, Partitioners, logLevel } from '@plimsoll/kafkajs';
import { Pool } from 'pg';
import { buildApps } from '../../tools/local-stack/services/build';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';
import { type ServiceProcess, startService } from '../../test/platform/service-process';
import { processTreeCpuMs } from './process-tree';
import { ACCOUNT, ethUsdAt, idOf, isWatched, ruleOf, stateOf, walletOf } from './scene';

const BATCH = 500;
/** Newest events that are awaited. They cover every partition. */
const NEWEST = 300;
const DRAIN_TIMEOUT_MS = 150_000;
const TOPIC = 'position.v1';

const progress = (line: string): void => console.error(line);

/**
 * The built service with its own Postgres and Kafka, all rules in its table and all positions known: events
 * of positions from the topic to the commit.
 */
export async function measureDurablePath(positions: number, events: number): Promise<object> {
  progress('building the services');
  await buildApps(stackPaths(workspaceRoot()));
  progress('starting Postgres and Kafka');
  const folder = await createTestFolder();
  const [postgres, kafka] = await Promise.all([startOwnPostgres('plimsoll'), startOwnKafka()]);
  try {
    const service = await startService(
      'alerts',
      {
        databaseUrl: postgres.url,
        redisUrl: '',
        kafkaBrokers: kafka.url,
        rpcUrls: new Map(),
        registryOverlay: '',
        ports: new Map([
          ['alerts', await findFreePort()],
          ['positions', 1],
          ['webhook-delivery', 2],
          ['simulation', 3],
          ['execution', 4],
        ]),
        secrets: { identityKeys: testIdentityKeys(), webhookSecretKeys: '' },
      },
      folder.path,
      { LOG_LEVEL: 'warn' },
    );
    try {
      return await drain(service, { postgres, kafka }, positions, events);
    } finally {
      await service.stop();
    }
  } finally {
    await Promise.all([postgres.dispose(), kafka.dispose()]);
    await folder.remove();
  }
}

async function drain(
  service: ServiceProcess,
  { postgres, kafka }: { postgres: OwnPart; kafka: OwnPart },
  positions: number,
  events: number,
): Promise<object> {
  const pool = new Pool({ connectionString: postgres.url, max: 1, options: '-c search_path=alerts' });
  try {
    progress(`writing ${positions} positions and rules`);
    await seed(pool, positions);
    const before = await alertChanges(pool);
    progress(`publishing ${events} events`);
    const cpu = (): Record<string, number> => ({
      service: processTreeCpuMs(service.pid()),
      postgres: processTreeCpuMs(postgres.pid),
      kafka: processTreeCpuMs(kafka.pid),
    });
    await service.stop();
    await publish(kafka.url, positions, events);
    await service.start();
    const cpuBefore = cpu();
    const began = performance.now();
    // The service handles a partition in order, so the newest events of all partitions are the last to be
    // handled. A count of all positions would cost more than the work that is measured.
    const newest = Array.from({ length: Math.min(events, NEWEST) }, (_, i) => events - 1 - i);
    const ids = newest.map((event) => idOf(event % positions));
    const sequences = newest.map((event) => sequenceOf(event, positions));
    await waitFor(
      async () => {
        const sql = `SELECT count(*)::int AS done FROM positions AS p
          JOIN unnest($1::text[], $2::int[]) AS newest (id, sequence) ON p.id = newest.id
          WHERE p.sequence >= newest.sequence`;
        return (await pool.query<{ done: number }>(sql, [ids, sequences])).rows[0]?.done === ids.length;
      },
      { timeoutMs: DRAIN_TIMEOUT_MS, intervalMs: 100, message: 'all events are handled' },
    );
    const seconds = (performance.now() - began) / 1_000;
    const cpuAfter = cpu();
    return {
      rules: positions,
      positions,
      events,
      eventsPerSecond: Math.round(events / seconds),
      cpuUsPerEvent: Object.fromEntries(
        Object.entries(cpuAfter).map(([name, ms]) => [
          name,
          Math.round(((ms - cpuBefore[name]!) * 1_000) / events),
        ]),
      ),
      alertsOpenedOrResolved: (await alertChanges(pool)) - before,
    };
  } finally {
    await pool.end();
  }
}

async function seed(pool: Pool, positions: number): Promise<void> {
  const atMs = Date.now();
  for (let from = 0; from < positions; from += 5_000) {
    const numbers = Array.from({ length: Math.min(5_000, positions - from) }, (_, i) => from + i);
    const rules = numbers.map(ruleOf);
    await pool.query(
      `INSERT INTO rules SELECT id, $1, position_id, 'Bench', condition_type, condition_value, asset, 'alert', NULL,
         true, now(), now()
       FROM unnest($2::text[], $3::text[], $4::text[], $5::float8[], $6::text[])
         AS rule (id, position_id, condition_type, condition_value, asset)`,
      [
        ACCOUNT,
        rules.map(({ id }) => id),
        rules.map(({ positionId }) => positionId),
        rules.map(({ conditionType }) => conditionType),
        rules.map(({ conditionValue }) => conditionValue),
        rules.map(({ asset }) => asset),
      ],
    );
    const states = numbers.map((number) => stateOf(number, 1, 1_600, atMs));
    await pool.query(
      `INSERT INTO positions (id, sequence, wallet, protocol, chain_id, health_factor, collateral_usd, debt_usd, band,
         closed)
       SELECT state->>'id', 1, state->>'wallet', state->>'protocol', 1, (state->>'healthFactor')::float8,
         (state->>'totalCollateralUsd')::float8, (state->>'totalDebtUsd')::float8, state->>'band', false
       FROM unnest($1::jsonb[]) AS state`,
      [states.map((state) => JSON.stringify(state))],
    );
    await pool.query('INSERT INTO watches SELECT wallet, $2, true, now() FROM unnest($1::text[]) AS wallet', [
      numbers.filter(isWatched).map(walletOf),
      ACCOUNT,
    ]);
  }
  await pool.query('ANALYZE');
}

/** Each round of events raises the sequence of every position. The seeded states have sequence 1. */
const sequenceOf = (event: number, positions: number): number => 2 + Math.floor(event / positions);

async function publish(broker: string, positions: number, events: number): Promise<void> {
  const kafka = new Kafka({ brokers: [broker], clientId: 'bench', logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  for (let from = 0; from < events; from += BATCH) {
    const messages = Array.from({ length: Math.min(BATCH, events - from) }, (_, i) => {
      const position = (from + i) % positions;
      const sequence = sequenceOf(from + i, positions);
      const value = stateOf(position, sequence, ethUsdAt(position, sequence), Date.now());
      const key = EVENTS[TOPIC].keyOf(value);
      const headers = {
        ce_specversion: '1.0',
        ce_id: newId('evt'),
        ce_type: TOPIC,
        ce_source: '/bench',
        ce_time: new Date().toISOString(),
        ce_subject: key,
        'content-type': 'application/json',
      };
      return { key, value: JSON.stringify(value), headers };
    });
    await producer.send({ topic: TOPIC, messages });
  }
  await producer.disconnect();
}

async function alertChanges(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ changes: number }>(
    'SELECT (count(*) + count(resolved_at))::int AS changes FROM alerts',
  );
  return rows[0]?.changes ?? 0;
}
