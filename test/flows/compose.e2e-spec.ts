import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PositionList } from '@plimsoll/contracts';
import { type SeededWallet, deployDevnet, registryOverlay, seedPositions } from '@plimsoll/devnet';
import {
  type OwnPart,
  type TestFolder,
  createTestFolder,
  startOwnEvm,
  startOwnKafka,
  startOwnPostgres,
  startOwnRedis,
  waitFor,
} from '@plimsoll/testing';
import { Client } from 'pg';
import { writeComposeSecrets } from '../../tools/deploy/compose-secrets';
import { DEPLOYED } from '../../tools/deploy/services';
import { apiClient } from '../platform/api-client';
import { ComposeProcesses } from '../platform/compose-processes';

const CHAIN_ID = 1;

// No container engine is needed: the commands, environments, secrets and conditions of the file run as processes.
describe('docker-compose.yml, as processes', () => {
  let folder: TestFolder;
  let parts: OwnPart[] = [];
  let wallets: SeededWallet[];
  let processes: ComposeProcesses;

  const run = async (url: string, sql: string): Promise<unknown[]> => {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000,
    });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    folder = await createTestFolder();
    const chainOptions = { chainId: CHAIN_ID, blockTimeSeconds: 1 };
    const [postgres, redis, kafka, chain] = await Promise.all([
      startOwnPostgres('plimsoll'),
      startOwnRedis(),
      startOwnKafka(),
      startOwnEvm(chainOptions),
    ]);
    parts = [postgres, redis, kafka, chain];
    const devnet = await deployDevnet({ rpcUrl: chain.url, chainId: CHAIN_ID });
    wallets = await seedPositions(chain.url, devnet);
    const overlay = path.join(folder.path, 'registry.json');
    await writeFile(overlay, JSON.stringify(registryOverlay(devnet)));
    const secrets = path.join(folder.path, 'secrets');
    await mkdir(secrets);
    writeComposeSecrets(secrets, chain.url);
    // The service database-roles of the file runs these statements.
    await run(postgres.url, readFileSync(path.join(secrets, 'database-roles.sql'), 'utf8'));
    processes = await ComposeProcesses.start({
      postgres: new URL(postgres.url).host,
      redisUrl: redis.url,
      kafkaBrokers: kafka.url,
      secrets,
      folder: path.join(folder.path, 'containers'),
      extra: { REGISTRY_OVERLAY: overlay, LOG_LEVEL: 'warn' },
    });
  }, 300_000);
  afterAll(async () => {
    await processes?.stop();
    await Promise.all(parts.map((part) => part.dispose()));
    await folder?.remove();
  }, 60_000);

  it('starts every service after its migrations, and the gateway last', () => {
    const { started } = processes;
    const names = DEPLOYED.map(({ name }) => name);
    expect(names.filter((name) => !started.includes(name))).toEqual([]);
    const early = DEPLOYED.filter(
      ({ name, schema }) => schema !== null && started.indexOf(`${name}-migrate`) > started.indexOf(name),
    );
    expect(early).toEqual([]);
    expect(started.at(-1)).toBe('gateway');
  });

  it('serves an account of the command line with the positions of a wallet', async () => {
    const admin = ['node', 'app/admin.js'];
    const made = await processes.exec('gateway', [
      ...admin,
      'accounts',
      'create',
      '--email',
      'you@example.com',
      '--tier',
      'enterprise',
    ]);
    const { account } = JSON.parse(made) as { account: { id: string } };
    const created = await processes.exec('gateway', [...admin, 'keys', 'create', '--account', account.id]);
    const { key } = (JSON.parse(created) as { key: { key: string } }).key;
    const api = apiClient(`${processes.originOf('gateway')}/v1`, key);
    expect((await api.post('/wallets', { address: wallets[0]!.address })).status).toBe(201);
    const list = await waitFor(
      async () => {
        const { body } = await api.get<PositionList>('/positions');
        return body.positions.length > 0 && body;
      },
      { message: 'the position of the wallet' },
    );
    expect(list.unreadable).toEqual([]);
  }, 90_000);

  it('gives each service a database role that reads its own schema only', async () => {
    const url = processes.secretOf('positions', 'database-url');
    expect(new URL(url).username).toBe('plimsoll_positions');
    expect(await run(url, 'SELECT count(*)::int AS wallets FROM positions.watched_wallets')).not.toEqual([]);
    await expect(run(url, 'SELECT * FROM gateway.accounts')).rejects.toThrow(
      'permission denied for schema gateway',
    );
    await expect(
      run(processes.secretOf('alerts', 'database-url'), 'SELECT * FROM positions.outbox'),
    ).rejects.toThrow('permission denied for schema positions');
  });
});
