import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Service, calledBy } from '@plimsoll/access';
import { parse } from 'yaml';
import { environmentFindings, fieldsOf, writeSampleSecrets } from './environment';
import { DEPLOYED, SECRETS_FOLDER } from './services';
import { SETS, serviceValues } from './values';

const ROOT = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const NAMES = DEPLOYED.map(({ name }) => name);

describe('the table of services', () => {
  it.each(DEPLOYED)(
    'has the components of the configuration of $name',
    ({ name, components, readsChains }) => {
      const fields = fieldsOf(name);
      expect(components.includes('postgres')).toBe(fields.has('DATABASE_URL'));
      expect(components.includes('redis')).toBe(fields.has('REDIS_URL'));
      expect(components.includes('kafka')).toBe(fields.has('KAFKA_BROKERS'));
      expect(readsChains).toBe(fields.has('RPC_URL'));
    },
  );

  it.each(NAMES)('lets %s call the services of its UPSTREAM_ variables', (name) => {
    const upstreams = [...fieldsOf(name)].filter((field) =>
      /^UPSTREAM_(?!TLS_|CONNECT_|ANSWER_)/.test(field),
    );
    const called = upstreams.map((field) =>
      field.slice('UPSTREAM_'.length).toLowerCase().replaceAll('_', '-'),
    );
    expect(called.toSorted()).toEqual([...calledBy(name)].toSorted());
  });

  it.each(DEPLOYED)('has the schema of $name', ({ name, schema }) => {
    const [, found] =
      /DatabaseModule\.for(?:Optional)?Schema\(\s*'(\w+)'/.exec(read(`apps/${name}/src/app.module.ts`)) ?? [];
    expect(found ?? null).toBe(schema);
  });
});

describe('the environment of a service', () => {
  let secrets: string;
  beforeAll(() => {
    secrets = mkdtempSync(path.join(tmpdir(), 'deploy-'));
    writeSampleSecrets(secrets);
  });
  afterAll(() => rmSync(secrets, { recursive: true }));

  it('is rejected for a variable that the service does not have, and for a value that it does not accept', () => {
    expect(environmentFindings('whales', { REDIS_URL: 'redis://redis:6379' }, secrets)).toEqual([
      'whales has no variable REDIS_URL',
      expect.stringContaining('DATABASE_URL is not set'),
    ]);
  });

  interface ComposeService {
    environment: Record<string, string>;
    secrets: { source: string; target: string }[];
  }
  const compose = parse(read('docker-compose.yml')) as {
    services: Record<string, ComposeService>;
    secrets: Record<string, unknown>;
  };
  const resolved = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
  const inCompose = [
    ...NAMES,
    ...DEPLOYED.flatMap(({ name, schema }) => (schema ? [`${name}-migrate`] : [])),
  ];

  it.each(inCompose)('is valid for %s in docker-compose.yml', (name) => {
    const { environment, secrets: mounts } = compose.services[name]!;
    const variables = Object.entries(environment).map(([variable, value]) => [variable, resolved(value)]);
    const service = name.replace(/-migrate$/, '') as Service;
    const container = Object.fromEntries(variables) as Record<string, string>;
    expect(environmentFindings(service, container, secrets)).toEqual([]);
    const mounted = new Set(mounts.map(({ target }) => target));
    const files = Object.values(environment).filter((value) => value.startsWith(SECRETS_FOLDER));
    expect(files.filter((file) => !mounted.has(file))).toEqual([]);
    expect(mounts.filter(({ source }) => !(source in compose.secrets))).toEqual([]);
  });

  // npm run deploy:check evaluates the templates with helm. This finds most mistakes without it.
  it.each(NAMES)('is valid for %s in the chart', (name) => {
    const values = parse(read(`deploy/helm/values/${name}.yaml`)) as {
      env: Record<string, string>;
      secrets: Record<string, string>;
    };
    const global: Record<string, string> = {
      kafkaBrokers: 'kafka-1:9092,kafka-2:9092',
      kafkaPartitions: '24',
      publicUrl: 'https://api.example.com',
    };
    const evaluated = (text: string): string =>
      text
        .replace(/\{\{.*\.Values\.global\.(\w+) \}\}/, (_, key: string) => global[key]!)
        .replace(/\{\{.*\.most \}\}/, '2');
    const variables = Object.entries(values.env).map(([variable, value]) => [variable, evaluated(value)]);
    const files = Object.entries(values.secrets).map(([variable, key]) => [
      `${variable}_FILE`,
      `${SECRETS_FOLDER}/${key}`,
    ]);
    const container = Object.fromEntries([...variables, ...files]) as Record<string, string>;
    expect(environmentFindings(name, container, secrets)).toEqual([]);
  });
});

describe('the values of the chart', () => {
  it.each(SETS)('have a size of every service in the set %s', (set) => {
    const { sizes } = parse(read(`deploy/helm/values/sets/${set}.yaml`)) as {
      sizes: Record<string, { least: number; most: number }>;
    };
    expect(Object.keys(sizes)).toEqual(NAMES);
    for (const { least, most } of Object.values(sizes)) expect(most).toBeGreaterThanOrEqual(least);
  });

  it('scale by the lag of the consumer group of the service', () => {
    const groups = DEPLOYED.map((service) => serviceValues(service)['scaling'] as Record<string, string>)
      .flatMap(({ consumerGroup }) => consumerGroup ?? [])
      .map((group) => {
        const [, found] = /eventBusOptions\('([\w-]+)'/.exec(read(`apps/${group}/src/app.module.ts`)) ?? [];
        return [group, found];
      });
    expect(groups).toEqual([
      ['positions', 'positions'],
      ['alerts', 'alerts'],
      ['webhook-delivery', 'webhook-delivery'],
    ]);
  });
});
