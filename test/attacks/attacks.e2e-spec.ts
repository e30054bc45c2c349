import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectAnvil, deployEns } from '@plimsoll/devnet';
import { workspaceRoot } from '@plimsoll/local-parts';
import {
  type OwnPart,
  type TestDatabase,
  createTestDatabase,
  startOwnKafka,
  testRedis,
} from '@plimsoll/testing';
import { type Platform, startPlatform } from '../platform/start-platform';
import type { Attack } from './attack';
import { ATTACKS } from './attacks';
import { memoryOf } from './fuzz/memory';
import { documentedOperations } from './fuzz/operations';
import { runAttacks } from './run';
import { type Target, type TargetSettings, createTarget, requireLoopback, servicesOf } from './target';

/** Other suites use the processor too. Before their corrections, the attacks took up to ten seconds. */
const LIMIT_MS = 2_500;
const SEED = 29;
/** Items that measure time run one after the other. */
const TIMED: readonly string[] = ['1', '3', '4', '10', 'fuzz'];

/** The short form of `npm run attack`, against a platform of its own. */
describe('npm run attack -- --short', () => {
  let kafka: OwnPart;
  let database: TestDatabase;
  let platform: Platform;
  /** Each attack has its own accounts, which it deletes at its end. */
  let newTarget: () => Target;

  beforeAll(async () => {
    [kafka, database] = await Promise.all([startOwnKafka(), createTestDatabase()]);
    const redis = testRedis();
    const env = { REDIS_KEY_PREFIX: redis.keyPrefix };
    platform = await startPlatform(
      { databaseUrl: database.url, redisUrl: redis.url, kafkaBrokers: kafka.url },
      env,
    );
    // Without the registry of names, every name is a 503.
    await deployEns(connectAnvil(platform.rpcUrl));
    const settings: TargetSettings = {
      origin: new URL(platform.baseUrl).origin,
      services: Object.values(platform.services).map((each) => ({ ...each, process: each.name })),
      wallets: platform.wallets.map(({ address }) => address),
      isShort: true,
      limitMs: LIMIT_MS,
      secretFiles: [],
      route: '',
      seed: SEED,
      progress: () => undefined,
    };
    const adminEnv = { ...env, DATABASE_URL: database.url, REDIS_URL: redis.url };
    newTarget = () => createTarget(settings, workspaceRoot(), adminEnv);
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
    await kafka?.dispose();
    await database?.drop();
  }, 60_000);

  /** Returns the failed checks, with their item. */
  const failuresOf = async (attack: Attack): Promise<string[]> => {
    const results = await runAttacks(newTarget(), [attack], () => undefined);
    const checks = results.flatMap((result) => result.checks);
    expect(checks.length).toBeGreaterThan(0);
    return checks.flatMap(({ name, ok, detail }) => (ok ? [] : [`item ${attack.item}, ${name}: ${detail}`]));
  };

  it('holds against every attack that measures no time, at the same time', async () => {
    const attacks = ATTACKS.filter(({ item }) => !TIMED.includes(item));
    expect((await Promise.all(attacks.map(failuresOf))).flat()).toEqual([]);
  }, 240_000);

  it.each(TIMED.map((item) => [item, ATTACKS.find((attack) => attack.item === item)!] as const))(
    'holds against item %s',
    async (_, attack) => expect(await failuresOf(attack)).toEqual([]),
    120_000,
  );
});

describe('npm run attack', () => {
  it.each([
    'http://example.com',
    'http://10.0.0.1:4000',
    'https://127.0.0.1',
    'http://127.0.0.1.example.com',
  ])('refuses %s', (origin) => {
    expect(() => requireLoopback(origin)).toThrow('loopback');
  });

  it('reports an attack that throws as a failed check, and goes on', async () => {
    const idle = { progress: () => undefined, cleanUp: async () => undefined } as unknown as Target;
    const results = await runAttacks(
      idle,
      [
        { item: '1', title: 'throws', limitSeconds: 5, run: () => Promise.reject(new Error('no')) },
        { item: '2', title: 'is late', limitSeconds: 0.05, run: () => new Promise(() => undefined) },
      ],
      () => undefined,
    );
    expect(results.map(({ checks }) => checks.map(({ ok }) => ok))).toEqual([[false], [false]]);
  });

  it('measures each process once, also those that start in the same second', async () => {
    const started = 'process_start_time_seconds 1790000000\nnodejs_heap_size_used_bytes 1\n';
    const server = createServer((request, response) => {
      const bytes = request.url === '/large/metrics' ? 200 : 100;
      response.end(`${started}process_resident_memory_bytes ${bytes}\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const own = { name: 'gateway', url, operationsUrl: `${url}/large`, pid: 1 };
    const other = { name: 'alerts', url, operationsUrl: `${url}/small`, pid: 2 };
    const together = ['ai', 'whales'].map((name) => ({ name, url, operationsUrl: `${url}/all` }));
    const all = { name: 'services', url, operationsUrl: `${url}/all`, pid: 3 };
    const memory = await memoryOf({ services: servicesOf([own, other, all, ...together]), isShort: true });
    server.close();
    const resident = [...memory].map(([name, usage]) => [name, usage.resident]);
    expect(resident).toEqual([
      ['gateway', 200],
      ['alerts', 100],
      ['services', 100],
    ]);
  });

  it('fuzzes the parameters that the document refers to', () => {
    const operations = documentedOperations(workspaceRoot());
    expect(operations.find(({ id }) => id === 'listAlerts')?.queryNames).toEqual(
      // `limit` and `cursor` are shared by several lists.
      expect.arrayContaining(['status', 'wallet', 'limit', 'cursor']),
    );
    expect(operations.filter(({ access }) => access === 'session').map(({ id }) => id)).toContain(
      'createKey',
    );
  });
});
