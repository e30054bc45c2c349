import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Identity, type ProblemBody, newId } from '@plimsoll/contracts';
import { createService, signalWithin, Clock } from '@plimsoll/service-kit';
import {
  createTestDatabase,
  expectDocumented,
  identityHeaders,
  type TestDatabase,
  testIdentityKeys,
} from '@plimsoll/testing';
import { Client } from 'pg';
import { AppModule } from '../src/app.module';
import { AiConfig } from '../src/config';
import type { Recording } from './replay/recorded-call';
import { type ReplayServer, startReplay } from './replay/replay-server';

export type Answer<T> = { status: number; headers: Headers; body: T & ProblemBody };

/** The responses of a running platform (recorded by test/ai-eval/record.ts). */
export const RECORDING = JSON.parse(
  readFileSync(path.join(__dirname, 'replay/recorded.json'), 'utf8'),
) as Recording;

/** The ai service on a real Postgres, over the recorded answers of the services that it asks. */
export class AiHarness {
  readonly accountId = newId('acc');

  private constructor(
    readonly database: TestDatabase,
    readonly replay: ReplayServer,
    private readonly config: AiConfig,
    private readonly app: NestFastifyApplication,
    private readonly origin: string,
  ) {}

  static async start(over: Partial<AiConfig> = {}): Promise<AiHarness> {
    const database = await createTestDatabase();
    const replay = await startReplay(RECORDING);
    const config = Object.assign(new AiConfig(), {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS: testIdentityKeys(),
      DATABASE_URL: database.url,
      UPSTREAM_POSITIONS: replay.origin('positions'),
      UPSTREAM_SIMULATION: replay.origin('simulation'),
      UPSTREAM_MARKET_DATA: replay.origin('market-data'),
      UPSTREAM_ALERTS: replay.origin('alerts'),
      UPSTREAM_WHALES: replay.origin('whales'),
      ...over,
    });
    const app = await createService(AppModule, config);
    app.get(Clock).now = () => RECORDING.atMs;
    await app.listen(0, '127.0.0.1');
    const origin = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    return new AiHarness(database, replay, config, app, origin);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.replay.close();
    await this.database.drop();
  }

  /** Fails for an answer that the OpenAPI document does not describe. */
  async post<T>(
    route: string,
    body: unknown,
    as: Partial<Identity> = {},
    left: AbortSignal = new AbortController().signal,
  ): Promise<Answer<T>> {
    const target = `/v1/ai/${route}`;
    const response = await fetch(this.origin + target, {
      method: 'POST',
      headers: {
        ...identityHeaders(this.config.IDENTITY_KEYS, this.accountId, as),
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: signalWithin(30_000, left),
    });
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as T & ProblemBody,
    };
    expectDocumented('POST', target, answer);
    return answer;
  }

  async query<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      return (await client.query<T>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }
}

/** A recorded response. @throws when there is none */
export function recorded<T>(key: string): T {
  const call = RECORDING.calls.find((each) => each.key === key);
  if (!call) throw new Error(`the recording has no ${key}: record it again`);
  return call.body as T;
}
