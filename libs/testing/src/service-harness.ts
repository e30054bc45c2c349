import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type EventTopic, type Identity, type ProblemBody, newId } from '@plimsoll/contracts';
import {
  type ConsumersOf,
  Health,
  type ServiceConfig,
  createService,
  serviceOf,
} from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { expectDocumented } from './documented-response';
import {
  type EventCollector,
  type EventPublisher,
  type TestLog,
  collectEvents,
  startPublisher as startOutbox,
} from './event-log';
import type { TestDatabase } from './test-database';
import { identityHeaders, testIdentityKeys } from './test-identity';
import { testKafka, testRedis } from './test-addresses';
import { waitFor } from './wait-for';

const READY_MS = 30_000;
const REQUEST_MS = 30_000;

/** The parts of an app that a test starts. */
export interface TestedService<C extends ServiceConfig> {
  module: Type;
  config: new () => C;
  /** Its own schema. Without one, `pool` must not be used. */
  schema?: string;
  consumers?: ConsumersOf;
}

/** A response with its JSON body. Only a problem has the fields of ProblemBody. */
export interface ServiceResponse<T> {
  status: number;
  headers: Headers;
  body: T & ProblemBody;
}

export interface RequestOptions {
  /** JSON; a string is sent as it is. */
  body?: unknown;
  accountId?: string;
  /** Changes of the caller; by default an enterprise account with every scope. */
  as?: Partial<Identity>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Default: 30,000. Work at a low priority takes longer beside other suites. */
  deadlineMs?: number;
}

/**
 * A service on a database, topics and Redis keys of one test file. A test starts, stops and restarts
 * instances of it; an app's own harness extends it with what its tests share.
 */
export class ServiceHarness<C extends ServiceConfig> {
  /** The account of requests that name no other. */
  readonly accountId = newId('acc');
  readonly config: C;
  /** Connections to the service's own schema. */
  readonly pool: Pool;
  private readonly apps: NestFastifyApplication[] = [];
  private readonly origins = new Map<NestFastifyApplication, string>();
  private readonly closers: (() => Promise<unknown>)[] = [];

  protected constructor(
    private readonly service: TestedService<C>,
    readonly database: TestDatabase,
    settings: Partial<C> = {},
    readonly kafka: TestLog = testKafka(),
  ) {
    const redis = testRedis();
    const base: Record<string, unknown> = {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS_FOLDER: testIdentityKeys(),
      DATABASE_URL: database.url,
      KAFKA_BROKERS: this.kafka.brokers.join(','),
      KAFKA_TOPIC_PREFIX: this.kafka.topicPrefix,
      REDIS_URL: redis.url,
      REDIS_KEY_PREFIX: redis.keyPrefix,
    };
    const config = new service.config();
    const known = Object.entries(base).filter(([name]) => name in config);
    this.config = Object.assign(config, Object.fromEntries(known), settings);
    this.pool = new Pool({
      connectionString: database.url,
      max: 2,
      options: `-c search_path=${service.schema ?? 'public'}`,
      query_timeout: REQUEST_MS,
    });
    // pool.end() resolves before its connections are closed, so the test may drop the database under one.
    this.pool.on('error', () => undefined);
  }

  /** The first instance that runs. @throws when none runs */
  get app(): NestFastifyApplication {
    const [app] = this.apps;
    if (!app) throw new Error('the service is not started: call start() first');
    return app;
  }

  /** The address of that instance. */
  get origin(): string {
    return this.originOf(this.app);
  }

  originOf(app: NestFastifyApplication): string {
    const origin = this.origins.get(app);
    if (origin === undefined) throw new Error('this instance does not run');
    return origin;
  }

  /**
   * Starts an instance at a free port of loopback and waits until it is ready.
   * @param over settings of this instance only
   * @param options.consumes false: it does not join the consumer group, which takes long while a killed member is in it
   */
  async start(over: Partial<C> = {}, { consumes = true } = {}): Promise<NestFastifyApplication> {
    const config = Object.assign(new this.service.config(), this.config, over);
    const app = await createService(this.service.module, config, this.service.consumers);
    this.prepare(app);
    this.apps.push(app);
    await app.listen(0, '127.0.0.1');
    this.origins.set(app, (await app.getUrl()).replace('[::1]', '127.0.0.1'));
    if (consumes) await this.consume(app);
    return app;
  }

  /** Stops one instance; the data stay. */
  async stop(app: NestFastifyApplication | undefined = this.apps[0]): Promise<void> {
    if (!app || !this.apps.includes(app)) return;
    this.apps.splice(this.apps.indexOf(app), 1);
    this.origins.delete(app);
    await app.close();
  }

  /** Stops every instance, publisher and collector, and removes the database. */
  async close(): Promise<void> {
    while (this.apps[0]) await this.stop(this.apps[0]);
    for (const close of this.closers.reverse()) await close();
    await this.pool.end();
    await this.database.drop();
  }

  /** Whether the first instance takes traffic. */
  async isReady(): Promise<boolean> {
    return (await this.part(Health).report(READY_MS)).status !== 'not_ready';
  }

  /** Returns a provider of the first instance. */
  part<T>(type: abstract new (...args: never[]) => T): T {
    return this.app.get(type as Type<T>);
  }

  /** Starts a publisher, which takes the place of the other services until `close`. */
  async startPublisher(): Promise<EventPublisher> {
    const publisher = await startOutbox(this.database.url, this.kafka);
    this.onClose(() => publisher.stop());
    return publisher;
  }

  /** Collects the events of a topic until `close`. */
  async collect<T extends EventTopic>(topic: T): Promise<EventCollector<T>> {
    const collector = await collectEvents(this.kafka, topic);
    this.onClose(() => collector.stop());
    return collector;
  }

  async query<R extends object>(sql: string, values: unknown[] = []): Promise<R[]> {
    return (await this.pool.query<R & Record<string, unknown>>(sql, values)).rows;
  }

  /** The signed identity of the caller for one request. */
  headers(
    method: string,
    path: string,
    as: Partial<Identity> = {},
    accountId = as.accountId ?? this.accountId,
  ): Record<string, string> {
    // A test may keep an identity for longer than its signature is valid.
    const issuedAt = as.issuedAt || Math.floor(Date.now() / 1_000);
    // The proof is for the path as fetch sends it, which encodes spaces and the like.
    const { pathname, search } = new URL(path, 'http://service');
    const request = { service: serviceOf(this.config), method, path: pathname + search };
    return identityHeaders(this.config.IDENTITY_KEYS_FOLDER, request, accountId, {
      ...as,
      accountId,
      issuedAt,
    });
  }

  /** Sends a request to an instance, and fails for a response that the OpenAPI document does not describe. */
  async request<T>(
    method: string,
    path: string,
    options: RequestOptions = {},
    app: NestFastifyApplication = this.app,
  ): Promise<ServiceResponse<T>> {
    const response = await this.undocumented<T>(method, path, options, app);
    expectDocumented(method, path, response);
    return response;
  }

  /** Sends a request to a path that only other services use. */
  async undocumented<T>(
    method: string,
    path: string,
    { body, accountId, as = {}, headers = {}, signal, deadlineMs = REQUEST_MS }: RequestOptions = {},
    app: NestFastifyApplication = this.app,
  ): Promise<ServiceResponse<T>> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const response = await fetch(this.originOf(app) + path, {
      method,
      headers: {
        ...this.headers(method, path, as, accountId),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as T & ProblemBody,
    };
  }

  /** Called before an instance starts; replaces its clock, for example. */
  protected prepare(_app: NestFastifyApplication): void {}

  /** Joins the consumer group, and waits until the instance is ready. */
  protected async consume(app: NestFastifyApplication): Promise<void> {
    await app.startAllMicroservices();
    await waitFor(async () => (await app.get(Health).report(2_000)).status === 'ready', {
      timeoutMs: READY_MS,
      message: 'the service is ready',
    });
  }

  /** Called by `close`, after the instances stopped; the last one first. */
  protected onClose(close: () => Promise<unknown>): void {
    this.closers.push(close);
  }
}
