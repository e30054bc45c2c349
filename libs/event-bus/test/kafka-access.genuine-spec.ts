import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type RunningPart,
  type TestFolder,
  createTestFolder,
  findFreePort,
  startKafka,
  testAuthority,
  testIdentityKeys,
} from '@plimsoll/testing';
import {
  type Admin,
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  ResourcePatternTypes,
  logLevel,
} from '@plimsoll/kafkajs';
import { type KafkaOptions, KafkaAccessError, checkKafkaAccess, ensureTopics, kafkaAcls } from '../src';
import { kafkaClient } from '../src/kafka/client';
import { silent } from './bus-fixture';

const USERS = { execution: 'secret-of-execution', whales: 'secret-of-whales' };
const authority = testAuthority('brokers and services');
const stranger = testAuthority('stranger');
const server = authority.issue('broker', ['127.0.0.1']);

let folder: TestFolder;
let part: RunningPart;
let admin: Admin;
let certificatePort: number;
let saslPort: number;
const write = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder.path, name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
};

beforeAll(async () => {
  folder = await createTestFolder();
  [certificatePort, saslPort] = [await findFreePort(), await findFreePort()];
  part = await startKafka({
    dataDir: path.join(folder.path, 'data'),
    logFile: path.join(folder.path, 'kafka.log'),
    secured: {
      certificatePort,
      saslPort,
      keyStoreFile: await write('broker.pem', server.key + server.cert),
      trustStoreFile: await write('authority.pem', authority.cert),
      users: USERS,
    },
  });
  admin = new Kafka({ brokers: [part.url], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const lists = [
    ...kafkaAcls({ prefix: '', principal: 'User:{service}' }),
    ...kafkaAcls({ prefix: '', principal: 'User:CN={service}' }),
  ];
  await admin.createAcls({
    acl: lists
      .filter(({ service }) => service in USERS)
      .flatMap(({ principal, resource, name, pattern, operations }) =>
        operations.map((operation) => ({
          principal,
          host: '*',
          permissionType: AclPermissionTypes.ALLOW,
          operation: AclOperationTypes[operation.toUpperCase() as Uppercase<typeof operation>],
          resourceType: resource === 'topic' ? AclResourceTypes.TOPIC : AclResourceTypes.GROUP,
          resourceName: name,
          resourcePatternType:
            pattern === 'literal' ? ResourcePatternTypes.LITERAL : ResourcePatternTypes.PREFIXED,
        })),
      ),
  });
});
afterAll(async () => {
  await admin.disconnect();
  await part.stop();
  await folder.remove();
});

/** The settings of a service; by default those of execution with a password. */
function settings(over: Partial<KafkaOptions> = {}): KafkaOptions {
  return {
    brokers: [`127.0.0.1:${saslPort}`],
    clientId: 'execution',
    logger: silent,
    tls: { ca: authority.cert },
    sasl: { mechanism: 'scram-sha-256', username: 'execution', password: USERS.execution },
    ...over,
  };
}
const byCertificate = (over: Partial<KafkaOptions> = {}, from = authority): KafkaOptions =>
  settings({
    brokers: [`127.0.0.1:${certificatePort}`],
    tls: { ca: authority.cert, ...from.issue('execution') },
    sasl: undefined,
    ...over,
  });

/** A token as the broker's unsecured validator accepts it (RFC 7515, algorithm none). */
function token(subject: string, expiresInS: number): string {
  const part = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  return `${part({ alg: 'none' })}.${part({ sub: subject, iat: now - 1, exp: now + expiresInS })}.`;
}

/** Publishes an event of execution, and reads its consumed topic with its group. */
async function use(options: KafkaOptions): Promise<void> {
  const { kafka } = kafkaClient(options, 'test', { retries: 3 });
  const own = kafka.admin();
  await own.connect();
  await ensureTopics(own, ['execution.v1', 'automation.v1'], { partitions: 1, deadLetters: false });
  await own.disconnect();
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  await producer.send({ topic: 'execution.v1', acks: -1, messages: [{ key: 'k', value: 'v' }] });
  await producer.disconnect();
  const consumer = kafka.consumer({
    groupId: 'execution',
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 100,
  });
  const fetched = new Promise<void>((resolve) => consumer.on(consumer.events.FETCH, () => resolve()));
  await consumer.connect();
  await consumer.subscribe({ topic: 'automation.v1', fromBeginning: true });
  await consumer.run({ eachMessage: () => Promise.resolve() });
  await fetched;
  await consumer.disconnect();
}

const refusal = (options: KafkaOptions): Promise<string> =>
  checkKafkaAccess(options, options.clientId).then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof KafkaAccessError)) throw error;
      return error.message;
    },
  );

describe('a service with the generated access control lists', () => {
  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'publishes and consumes with %s',
    async (mechanism) => {
      const options = settings({ sasl: { mechanism, username: 'execution', password: USERS.execution } });
      expect(await refusal(options)).toBe('accepted');
      await use(options);
    },
  );

  it('publishes and consumes with a token from a file', async () => {
    const tokenFile = await write('token', `${token('execution', 600)}\n`);
    const options = settings({ sasl: { mechanism: 'oauthbearer', tokenFile } });
    expect(await refusal(options)).toBe('accepted');
    await use(options);
  });

  it('publishes and consumes with a certificate', async () => {
    expect(await refusal(byCertificate())).toBe('accepted');
    await use(byCertificate());
  });

  it('cannot publish the topic of another service', async () => {
    const { kafka } = kafkaClient(settings(), 'test', { retries: 0 });
    await admin.createTopics({ topics: [{ topic: 'whale.v1', numPartitions: 1 }] });
    const producer = kafka.producer();
    await producer.connect();
    const sent = producer.send({ topic: 'whale.v1', messages: [{ value: 'v' }] });
    await expect(sent).rejects.toThrow('Topic authorization failed');
    await producer.disconnect();
  });
});

describe('checkKafkaAccess', () => {
  it.each([
    [
      'a broker of another authority',
      () => settings({ tls: { ca: stranger.cert } }),
      /^KAFKA_TLS_CA: the certificate of the broker is not valid by the file of KAFKA_TLS_CA \(\w+\)\./,
    ],
    [
      'a name that the certificate of the broker does not have',
      () => settings({ brokers: [`localhost:${saslPort}`] }),
      /^KAFKA_TLS_CA: .*ERR_TLS_CERT_ALTNAME_INVALID/,
    ],
    [
      'a certificate of another authority',
      () => byCertificate({}, stranger),
      /^KAFKA_TLS_CERT: the broker rejects/,
    ],
    [
      'no certificate',
      () => byCertificate({ tls: { ca: authority.cert } }),
      /^KAFKA_TLS_CERT: the broker rejects/,
    ],
    [
      'a wrong password',
      () => settings({ sasl: { mechanism: 'scram-sha-512', username: 'execution', password: 'wrong' } }),
      /^KAFKA_SASL_PASSWORD: the broker rejects the user execution /,
    ],
    [
      'a wrong password with plain',
      () => settings({ sasl: { mechanism: 'plain', username: 'execution', password: 'wrong' } }),
      /^KAFKA_SASL_PASSWORD: the broker rejects the user execution /,
    ],
    [
      'an unauthorised topic',
      () => settings({ sasl: { mechanism: 'plain', username: 'whales', password: USERS.whales } }),
      /^KAFKA_SASL: the broker does not let the user whales use the topic execution\.v1 \(TOPIC_AUTHORIZATION_FAILED\)/,
    ],
  ])('rejects %s in one line that names the setting', async (_, options, line) => {
    const message = await refusal(options());
    expect(message).toMatch(line);
    expect(message).not.toMatch(/\n|secret|wrong/);
  });

  it('rejects a token that has expired', async () => {
    const tokenFile = await write('expired', token('execution', -60));
    expect(await refusal(settings({ sasl: { mechanism: 'oauthbearer', tokenFile } }))).toMatch(
      /^KAFKA_SASL_TOKEN_FILE: the broker rejects the token/,
    );
  });

  it('accepts a broker that is unavailable, because a service starts without Kafka', async () => {
    const port = await findFreePort();
    expect(await refusal(settings({ brokers: [`127.0.0.1:${port}`] }))).toBe('accepted');
  });
});

describe('the start of a service', () => {
  const SCRIPT = `
    const { Module } = require('@nestjs/common');
    const { EventBusModule } = require('./libs/event-bus/src/index.ts');
    const { KafkaConfig, bootstrapService, kafkaSettings } = require('./libs/service-kit/src/index.ts');
    class App {}
    const useFactory = (config) => ({
      ...kafkaSettings(config), clientId: 'execution', groupId: 'execution', pool: {}, logger: console,
    });
    Module({ imports: [EventBusModule.forRootAsync({ inject: [KafkaConfig], useFactory })] })(App);
    bootstrapService(App, KafkaConfig);`;

  it('exits with 78 and one line on standard error', async () => {
    const child = spawn(process.execPath, ['-r', '@swc-node/register', '-e', SCRIPT], {
      cwd: path.join(__dirname, '../../..'),
      env: {
        ...process.env,
        LOG_LEVEL: 'silent',
        IDENTITY_KEYS_FOLDER: testIdentityKeys(),
        KAFKA_BROKERS: `127.0.0.1:${saslPort}`,
        KAFKA_TLS: 'true',
        KAFKA_TLS_CA: path.join(folder.path, 'authority.pem'),
        KAFKA_SASL: 'scram-sha-256',
        KAFKA_SASL_USERNAME: 'execution',
        KAFKA_SASL_PASSWORD: 'mistyped',
      },
    });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    const lines = errors.split('\n').filter((line) => line !== '' && !/Warning|trace-warnings/.test(line));
    expect(lines).toEqual([
      expect.stringMatching(/^KAFKA_SASL_PASSWORD: the broker rejects the user execution /),
    ]);
    expect(code).toBe(78);
  });
});
