import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Service, calledBy } from '@plimsoll/access';
import { loadConfig } from '@plimsoll/service-kit';
import { testIdentityKeys } from '@plimsoll/testing';
import { parse } from 'yaml';
import { DEPLOYED, IDENTITY_FOLDER, SECRETS_FOLDER } from './services';

const ROOT = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const NAMES = DEPLOYED.map(({ name }) => name);

/** Those that deploy/Dockerfile sets. */
const OF_IMAGE = Object.fromEntries(
  [...read('deploy/Dockerfile').matchAll(/\b(HOST|PORT|OPERATIONS_PORT|MIGRATE_AT_START)=(\S+)/g)].map(
    ([, name, value]) => [name, value],
  ),
);

/** A valid value of each secret. */
const KEY = Buffer.alloc(32, 1).toString('base64');
const SECRETS: Record<string, string> = {
  'database-url': 'postgresql://plimsoll@postgres/plimsoll',
  'redis-url': 'rediss://user:password@redis:6379',
  'rpc-url-1': 'https://node.example/key',
  'webhook-secret-keys': `first:${KEY}`,
  'receipt-secret-keys': `first:${KEY}`,
  'sandbox-secret': KEY,
};

type ConfigClass = (new () => object) & { service?: string };

function configClassOf(service: Service): ConfigClass {
  const classes = require(path.join(ROOT, 'apps', service, 'src/config.ts')) as Record<string, ConfigClass>;
  const found = Object.values(classes).find((each) => each.service === service);
  if (!found) throw new Error(`apps/${service}/src/config.ts has no class of ${service}`);
  return found;
}

const fieldsOf = (service: Service): Set<string> => new Set(Object.keys(new (configClassOf(service))()));

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
  let folder: string;
  let identity: string;
  const saved = { ...process.env };

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'deploy-'));
    identity = testIdentityKeys(path.join(folder, 'identity'));
    for (const [name, value] of Object.entries(SECRETS)) writeFileSync(path.join(folder, name), `${value}\n`);
  });
  afterEach(() => {
    process.env = { ...saved };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Checks a container's environment against the configuration class, with the files of this test. */
  const check = (service: Service, container: Readonly<Record<string, string>>): void => {
    const fields = fieldsOf(service);
    const unknown = Object.keys(container).filter((variable) => {
      const name = variable.replace(/_FILE$/, '');
      return (
        !fields.has(variable) && !fields.has(name) && !(fields.has('RPC_URL') && /^RPC_URL_\d+$/.test(name))
      );
    });
    expect(unknown).toEqual([]);
    const own = Object.entries(container).map(([variable, value]) => [
      variable,
      value.replace(SECRETS_FOLDER, folder).replace(IDENTITY_FOLDER, identity),
    ]);
    // The chains are read from the environment of the process.
    process.env = { ...OF_IMAGE, ...(Object.fromEntries(own) as Record<string, string>) };
    expect(() => loadConfig(configClassOf(service), process.env)).not.toThrow();
  };

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
    const { environment, secrets } = compose.services[name]!;
    const variables = Object.entries(environment).map(([variable, value]) => [variable, resolved(value)]);
    check(name.replace(/-migrate$/, '') as Service, Object.fromEntries(variables) as Record<string, string>);
    const mounted = new Set(secrets.map(({ target }) => target));
    const files = Object.values(environment).filter((value) => value.startsWith(SECRETS_FOLDER));
    expect(files.filter((file) => !mounted.has(file))).toEqual([]);
    expect(secrets.filter(({ source }) => !(source in compose.secrets))).toEqual([]);
  });
});
