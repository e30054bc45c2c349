import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeSampleSecrets } from './environment';
import {
  type Resource,
  containerFindings,
  drainFindings,
  kindFindings,
  policyFindings,
  selectorFindings,
  variableFindings,
} from './rendered';

const labels = (name: string) => ({
  'app.kubernetes.io/part-of': 'plimsoll',
  'app.kubernetes.io/name': name,
});
const peers = (...names: string[]) => names.map((name) => ({ podSelector: { matchLabels: labels(name) } }));

const resource = (kind: string, name: string, spec: Resource['spec']): Resource => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  spec,
});

/** The Deployment of streams: its container and pod, with other fields where a test says so. */
const deployment = (container: object = {}, pod: object = {}): Resource =>
  resource('Deployment', 'plimsoll-streams', {
    selector: { matchLabels: labels('streams') },
    template: {
      metadata: { labels: { ...labels('streams'), 'app.kubernetes.io/version': '1.0.0' } },
      spec: {
        terminationGracePeriodSeconds: 35,
        volumes: [
          { projected: { defaultMode: 0o440 } },
          { secret: { secretName: 'plimsoll-streams', defaultMode: 0o440 } },
        ],
        containers: [
          {
            env: Object.entries({
              OPERATIONS_HOST: '0.0.0.0',
              IDENTITY_KEYS_FOLDER: '/run/identity',
              KAFKA_BROKERS: 'kafka:9092',
              REDIS_URL_FILE: '/run/secrets/plimsoll/redis-url',
              SHUTDOWN_LAME_DUCK_MS: '5000',
              SHUTDOWN_DEADLINE_MS: '20000',
            }).map(([name, value]) => ({ name, value })),
            ports: [
              { name: 'http', containerPort: 8080 },
              { name: 'operations', containerPort: 9090 },
            ],
            readinessProbe: { httpGet: { path: '/health/ready', port: 'operations' } },
            lifecycle: { preStop: { sleep: { seconds: 5 } } },
            ...container,
          },
        ],
        ...pod,
      },
    },
  });

describe('policyFindings', () => {
  const policy = (callers: string[], calls: string[], ports: number[]): Resource =>
    resource('NetworkPolicy', 'plimsoll-simulation', {
      ingress: [{ ports: [{ port: 8080 }], from: peers(...callers) }, { ports: [{ port: 9090 }] }],
      egress: [{ ports: [{ port: 8080 }], to: peers(...calls) }, { ports: ports.map((port) => ({ port })) }],
    });

  it('accepts callers, calls and components of the table of services', () => {
    const resources = [policy(['gateway', 'alerts', 'ai'], ['positions'], [5432, 9092])];
    expect(policyFindings('simulation', resources)).toEqual([]);
  });

  it('names what a policy forbids and what it allows without need', () => {
    const resources = [policy(['gateway', 'alerts', 'ai', 'streams'], [], [5432, 6379])];
    expect(policyFindings('simulation', resources)).toEqual([
      'simulation may be called by streams by the policy only',
      'simulation may call positions, but the policy forbids it',
      'simulation may reach kafka, but the policy forbids it',
      'simulation may reach redis by the policy only',
    ]);
  });

  it('finds a rule without callers, which is open to all, and a release without a policy', () => {
    const open = resource('NetworkPolicy', 'plimsoll-ai', {
      ingress: [{ ports: [{ port: 8080 }] }],
      egress: [
        {
          ports: [{ port: 8080 }],
          to: peers('market-data', 'positions', 'alerts', 'simulation', 'whales'),
        },
        { ports: [{ port: 5432 }] },
        { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] },
      ],
    });
    expect(policyFindings('ai', [open])).toEqual([
      'ai may be called by gateway, but the policy forbids it',
      'ai may be called by every client by the policy only',
    ]);
    expect(policyFindings('ai', [])).toEqual(['ai has no NetworkPolicy']);
  });

  it('gives migrations Postgres only', () => {
    const own = policy(['gateway', 'alerts', 'ai'], ['positions'], [5432, 9092]);
    const migration = resource('NetworkPolicy', 'plimsoll-simulation-migrate', {
      egress: [{ ports: [{ port: 9092 }] }],
    });
    expect(policyFindings('simulation', [own, migration])).toEqual([
      'the migrations of simulation may reach postgres, but the policy forbids it',
      'the migrations of simulation may reach kafka by the policy only',
    ]);
  });
});

describe('kindFindings', () => {
  it('names a resource that is missing, and migrations of a service without a schema', () => {
    const found = kindFindings('streams', [deployment(), resource('Job', 'plimsoll-streams-migrate', {})]);
    expect(found).toContain('there is no PodDisruptionBudget plimsoll-streams');
    expect(found).toContain('streams has no schema, but Job plimsoll-streams-migrate');
    expect(found).not.toContain('there is no Deployment plimsoll-streams');
  });
});

describe('selectorFindings', () => {
  it('finds a Service that selects no pod', () => {
    const own = resource('Service', 'plimsoll-streams', { selector: labels('streams') });
    expect(selectorFindings('streams', [deployment(), own])).toEqual([]);
    const other = resource('Service', 'plimsoll-streams', { selector: labels('stream') });
    expect(selectorFindings('streams', [deployment(), other])).toEqual([
      'Service plimsoll-streams selects no pod of streams',
    ]);
  });
});

describe('containerFindings', () => {
  it('accepts ports, probes and commands of the image', () => {
    expect(containerFindings('streams', [deployment()])).toEqual([]);
  });

  it('names those that do not exist', () => {
    const wrong = deployment({
      ports: [{ name: 'http', containerPort: 80 }],
      livenessProbe: { httpGet: { path: '/healthz', port: 'operations' } },
      readinessProbe: { httpGet: { path: '/health/ready', port: 'http' } },
      command: ['node', 'app/main.js', '--serve'],
    });
    expect(containerFindings('streams', [wrong])).toEqual([
      'Deployment of streams has the port http 80, and its image another',
      'Deployment of streams has a probe of /healthz at operations, which does not exist',
      'Deployment of streams has a probe of /health/ready at http, which does not exist',
      'Deployment of streams runs node app/main.js --serve',
    ]);
  });
});

describe('variableFindings', () => {
  let secrets: string;
  beforeAll(() => {
    secrets = mkdtempSync(path.join(tmpdir(), 'rendered-'));
    writeSampleSecrets(secrets);
  });
  afterAll(() => rmSync(secrets, { recursive: true }));

  const external = resource('ExternalSecret', 'plimsoll-streams', { data: [{ secretKey: 'redis-url' }] });

  it('accepts an environment that the service accepts', () => {
    expect(variableFindings('streams', [deployment(), external], secrets)).toEqual([]);
  });

  it('names a file without a secret, and secrets that others can read', () => {
    const volumes = [{ projected: { defaultMode: 0o444 } }];
    expect(variableFindings('streams', [deployment({}, { volumes })], secrets)).toEqual([
      'Deployment of streams reads /run/secrets/plimsoll/redis-url, which no ExternalSecret has',
      'Deployment of streams mounts secrets with the mode 444',
    ]);
  });

  it('names variables that the service does not have or accept', () => {
    const env = [
      { name: 'IDENTITY_KEYS_FOLDER', value: '/run/identity' },
      { name: 'KAFKA_BROKER', value: 'kafka:9092' },
    ];
    expect(variableFindings('streams', [deployment({ env })], secrets)).toEqual([
      'Deployment of streams: streams has no variable KAFKA_BROKER',
      expect.stringContaining('KAFKA_BROKERS is not set'),
    ]);
  });
});

describe('drainFindings', () => {
  it('accepts a grace period beyond the drain, and names one that is too short', () => {
    expect(drainFindings('streams', [deployment()])).toEqual([]);
    const short = deployment({}, { terminationGracePeriodSeconds: 30 });
    expect(drainFindings('streams', [short])).toEqual([
      'streams is killed after 30 s, and its drain takes 30000 ms',
    ]);
  });
});
