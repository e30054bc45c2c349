import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Redis from 'ioredis';
import { Kafka, logLevel } from '@plimsoll/kafkajs';
import { Client } from 'pg';
import {
  PART_STARTERS,
  partsChoice,
  pollUntil,
  startEvm,
  startPostgres,
  stillRunning,
  workspaceRoot,
  type PartOptions,
  type RunningPart,
} from './index';

jest.setTimeout(60_000);

const choice = partsChoice(process.env['LOCAL_PARTS']);
const { redis: startRedis, kafka: startKafka } = PART_STARTERS[choice];

let folder: string;
let options: PartOptions;
const running: RunningPart[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(workspaceRoot(), '.local/parts-'));
  // Postgres, started as root, runs as another user. A machine with only Node has no setpriv to open the folder to it.
  await chmod(folder, 0o755);
  options = { dataDir: path.join(folder, 'data'), logFile: path.join(folder, 'part.log') };
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((part) => part.kill9()));
  await rm(folder, { recursive: true, force: true });
});

async function started(part: Promise<RunningPart>): Promise<RunningPart> {
  running.push(await part);
  return part;
}

describe('startPostgres', () => {
  it('keeps committed rows over a kill -9 and creates the requested database', async () => {
    const withDatabase = { ...options, database: 'plimsoll' };
    const first = await started(startPostgres(withDatabase));
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS value');
    await first.kill9();
    const second = await started(startPostgres({ ...withDatabase, port: first.port }));
    expect(await query(second.url, 'SELECT current_database() AS name, value FROM kept')).toEqual([
      { name: 'plimsoll', value: 7 },
    ]);
    await second.stop();
    expect(await stillRunning([first.pid, second.pid])).toEqual([]);
  });

  it('stops while a client is connected', async () => {
    const part = await started(startPostgres(options));
    const client = new Client({ connectionString: part.url });
    client.on('error', () => undefined);
    await client.connect();
    await part.stop();
    expect(await part.exited).toEqual({ code: 0, signal: null });
  });
});

describe('startRedis', () => {
  it('keeps a written key over a clean stop', async () => {
    const first = await started(startRedis(options));
    await withRedis(first.url, (redis) => redis.set('kept', '7'));
    await first.stop();
    const second = await started(startRedis(options));
    expect(await withRedis(second.url, (redis) => redis.get('kept'))).toBe('7');
  });
});

describe('startKafka', () => {
  it('keeps its topics over a kill -9 and creates none automatically', async () => {
    const first = await started(startKafka(options));
    await withKafka(first.url, (admin) =>
      admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 3 }] }),
    );
    await first.kill9();
    const second = await started(startKafka({ ...options, port: first.port }));
    const topics = await withKafka(second.url, async (admin) => {
      await admin.fetchTopicMetadata({ topics: ['never-made'] }).catch(() => undefined);
      return admin.listTopics();
    });
    expect(topics).toEqual(['kept']);
    await second.stop();
    expect(await stillRunning([first.pid, second.pid])).toEqual([]);
  });
});

describe('startEvm', () => {
  it('has the requested chain id, mines automatically and restarts with its state', async () => {
    const evm = {
      ...options,
      chainId: 8453,
      blockTimeSeconds: 1,
      statePath: path.join(folder, 'state.json'),
    };
    const first = await started(startEvm(evm));
    expect(await rpc(first.url, 'eth_chainId')).toBe('0x2105');
    await pollUntil(async () => Number(await rpc(first.url, 'eth_blockNumber')) >= 1, { timeoutMs: 5_000 });
    await rpc(first.url, 'anvil_setBalance', ['0x000000000000000000000000000000000000dEaD', '0x7']);
    await first.stop();
    const second = await started(startEvm(evm));
    expect(
      await rpc(second.url, 'eth_getBalance', ['0x000000000000000000000000000000000000dEaD', 'latest']),
    ).toBe('0x7');
    expect(Number(await rpc(second.url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(1);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('passes no other variables of this process to the node', async () => {
    process.env['SECRET_OF_THIS_TEST'] = 'secret';
    try {
      const { pid } = await started(startEvm({ ...options, chainId: 1 }));
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain('SECRET_OF_THIS_TEST');
    } finally {
      delete process.env['SECRET_OF_THIS_TEST'];
    }
  });
});

describe('the clock of startEvm', () => {
  it('mines rarely without transactions, immediately for a transaction, and each second after it', async () => {
    const evm = await started(
      startEvm({ ...options, chainId: 1, blockTimeSeconds: 0.2, idleBlockTimeSeconds: 1_000 }),
    );
    const height = async (): Promise<number> => Number(await rpc(evm.url, 'eth_blockNumber'));
    const transact = async (): Promise<unknown> => {
      const [from] = (await rpc(evm.url, 'eth_accounts')) as string[];
      return rpc(evm.url, 'eth_sendTransaction', [{ from, to: from, value: '0x1' }]);
    };
    const reaches = (block: number, timeoutMs: number): Promise<boolean> =>
      pollUntil(async () => (await height()) >= block, { timeoutMs });
    expect(await reaches(1, 5_000)).toBe(true);
    const idle = await height();
    expect(await reaches(idle + 1, 1_000)).toBe(false);
    await transact();
    expect(await reaches(idle + 4, 5_000)).toBe(true);
  });
});

describe('the clock of startEvm beside transactions', () => {
  it('adds no block to those of the transactions', async () => {
    const evm = await started(startEvm({ ...options, chainId: 1, blockTimeSeconds: 0.4 }));
    const [from] = (await rpc(evm.url, 'eth_accounts')) as string[];
    const height = async (): Promise<number> => Number(await rpc(evm.url, 'eth_blockNumber'));
    const before = await height();
    const SENT = 20;
    for (let sent = 0; sent < SENT; sent += 1) {
      await rpc(evm.url, 'eth_sendTransaction', [{ from, to: from, value: '0x1' }]);
      await delay(100);
    }
    expect((await height()) - before - SENT).toBeLessThanOrEqual(1);
  });
});

describe('startEvm with few full blocks', () => {
  it('keeps transactions and logs of the newest blocks alone, and stays readable', async () => {
    const evm = await started(startEvm({ ...options, chainId: 1, fullBlocks: 5 }));
    const [from] = (await rpc(evm.url, 'eth_accounts')) as string[];
    const hashes: unknown[] = [];
    for (let sent = 0; sent < 10; sent += 1)
      hashes.push(await rpc(evm.url, 'eth_sendTransaction', [{ from, to: from, value: '0x1' }]));
    await pollUntil(async () => Number(await rpc(evm.url, 'eth_blockNumber')) === 10, { timeoutMs: 5_000 });
    const receiptOf = (index: number): Promise<unknown> =>
      rpc(evm.url, 'eth_getTransactionReceipt', [hashes[index]]);
    expect(await receiptOf(0)).toBeNull();
    expect(await receiptOf(9)).toMatchObject({ status: '0x1' });
    expect(await rpc(evm.url, 'eth_getBlockByNumber', ['0x1', false])).toMatchObject({ transactions: [] });
  });
});

describe('a part that cannot start', () => {
  it('port_taken when the requested port is in use', async () => {
    const server = await listen();
    const { port } = server.address() as AddressInfo;
    await expect(startRedis({ ...options, port })).rejects.toMatchObject({ code: 'port_taken' });
    server.close();
  });

  it('exited_at_start with the last line of its log', async () => {
    const evm = { ...options, chainId: 1, extraArgs: ['--no-such-option'] };
    await expect(startEvm(evm)).rejects.toMatchObject({
      code: 'exited_at_start',
      nextStep: expect.stringContaining(options.logFile),
    });
    expect(await readFile(options.logFile, 'utf8')).not.toBe('');
  });
});

describe('the process guard', () => {
  it('ends a part whose starter was killed with -9', async () => {
    const script = `
      const { PART_STARTERS } = require('./libs/local-parts/src/index.ts');
      PART_STARTERS.${choice}.redis(${JSON.stringify(options)}).then((part) => console.log(part.pid));`;
    const starter = spawn(process.execPath, ['-r', '@swc-node/register', '-e', script], {
      cwd: workspaceRoot(),
    });
    const pid = Number(await new Promise((resolve) => starter.stdout.once('data', resolve)));
    expect(await stillRunning([pid])).toEqual([pid]);
    starter.kill('SIGKILL');
    expect(await pollUntil(async () => (await stillRunning([pid])).length === 0, { timeoutMs: 10_000 })).toBe(
      true,
    );
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  const result = await use(redis);
  await redis.quit();
  return result;
}

async function withKafka<T>(
  broker: string,
  use: (admin: ReturnType<Kafka['admin']>) => Promise<T>,
): Promise<T> {
  const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING, retry: { retries: 2 } }).admin();
  await admin.connect();
  const result = await use(admin);
  await admin.disconnect();
  return result;
}

async function rpc(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return ((await response.json()) as { result: unknown }).result;
}

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen({ host: '127.0.0.1', port: 0 }, () => resolve(server));
  });
}
