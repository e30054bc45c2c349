import path from 'node:path';
import { type Identity, SCOPES, newId, testAccountId } from '@plimsoll/contracts';
import { workspaceRoot } from '@plimsoll/local-parts';
import { Clock } from '@plimsoll/service-kit';
import {
  type ServiceResponse,
  ServiceHarness,
  type TestFolder,
  createTestDatabase,
  createTestFolder,
  identityHeaders,
  testRedis,
  waitFor,
} from '@plimsoll/testing';
import { type Admin, Kafka, logLevel } from '@plimsoll/kafkajs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client } from 'pg';
import { WebSocket } from 'ws';
import { AppModule } from '../src/app.module';
import { SandboxConfig } from '../src/config';
import { databasePrefix } from '../src/sandboxes/place';

/** A cold start on a busy machine. */
const START_MS = 150_000;

export const newTestAccount = (): string => testAccountId(newId('acc'));

/** The sandbox on the built services, which `npm run build` makes. */
export class SandboxHarness extends ServiceHarness<SandboxConfig> {
  nowMs = Date.now();

  private constructor(
    database: Awaited<ReturnType<typeof createTestDatabase>>,
    readonly folder: TestFolder,
    settings: Partial<SandboxConfig>,
  ) {
    const { url, keyPrefix } = testRedis();
    super({ module: AppModule, config: SandboxConfig, schema: 'sandbox' }, database, {
      REDIS_URL: url,
      SANDBOX_FOLDER: path.join(folder.path, 'sandbox'),
      SERVICES_FOLDER: path.join(workspaceRoot(), 'dist/apps'),
      SANDBOX_SECRET: Buffer.alloc(32, keyPrefix).toString('base64'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: true,
      ...settings,
    });
  }

  static async create(settings: Partial<SandboxConfig> = {}): Promise<SandboxHarness> {
    const [database, folder] = await Promise.all([createTestDatabase(), createTestFolder()]);
    return new SandboxHarness(database, folder, settings);
  }

  /** Sends a request of a test key, again while the market starts. */
  async send<T>(
    accountId: string,
    method: string,
    url: string,
    body?: unknown,
    as: Partial<Identity> = {},
  ): Promise<ServiceResponse<T>> {
    return waitFor(
      async () => {
        const response = await this.request<T>(method, url, {
          as: { scopes: SCOPES, ...as },
          accountId,
          ...(body !== undefined && { body }),
        });
        return response.body.code !== 'sandbox_starting' && response;
      },
      { timeoutMs: START_MS, message: `${method} ${url}` },
    );
  }

  /** Opens a stream with the signed identity of a test key. */
  async stream(accountId: string, name: string): Promise<{ socket: WebSocket; frames: string[] }> {
    const { socket, frames } = await this.open(accountId, `/v1/streams/${name}`);
    socket.send(JSON.stringify({ type: 'subscribe', id: 'all' }));
    await waitFor(() => frames.some((frame) => frame.includes('"subscribed"')), { message: 'subscribed' });
    return { socket, frames };
  }

  /** Opens a WebSocket with the signed identity of a test key. @param target path and query */
  async open(accountId: string, target: string): Promise<{ socket: WebSocket; frames: string[] }> {
    const request = { service: 'sandbox', method: 'GET', path: target };
    const headers = identityHeaders(this.config.IDENTITY_KEYS_FOLDER, request, accountId);
    const socket = new WebSocket(`${this.origin.replace(/^http/, 'ws')}${target}`, { headers });
    const frames: string[] = [];
    socket.on('message', (data: Buffer) => frames.push(data.toString()));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return { socket, frames };
  }

  /** Topics and consumer groups of this test. */
  kafkaNames(): Promise<string[]> {
    return this.withAdmin(async (admin) => {
      const { groups } = await admin.listGroups();
      const names = [...(await admin.listTopics()), ...groups.map(({ groupId }) => groupId)];
      return names.filter((name) => name.startsWith(this.kafka.topicPrefix));
    });
  }

  createTopic(topic: string): Promise<unknown> {
    return this.withAdmin((admin) => admin.createTopics({ topics: [{ topic, numPartitions: 1 }] }));
  }

  override async close(): Promise<void> {
    await super.close();
    const client = new Client({ connectionString: this.adminUrl, query_timeout: 30_000 });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [databasePrefix(this.config)],
    );
    for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
    await this.folder.remove();
  }

  protected override prepare(app: NestFastifyApplication): void {
    app.get(Clock).now = () => this.nowMs;
  }

  /** It consumes nothing. */
  protected override consume(): Promise<void> {
    return Promise.resolve();
  }

  private async withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = new Kafka({ brokers: this.kafka.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  private get adminUrl(): string {
    return process.env['TEST_DATABASE_URL'] ?? '';
  }
}
