import type { Service } from '@plimsoll/access';
import { OPERATIONS_PATHS, SERVICE_COMMANDS } from '@plimsoll/service-kit';
import { environmentFindings, imageVariables } from './environment';
import { type Component, IDENTITY_FOLDER, SECRETS_FOLDER, callersOf, deployed } from './services';

/** A resource of Kubernetes. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: Record<string, unknown>;
}

type Labels = Record<string, string>;
interface Peer {
  podSelector?: { matchLabels: Labels };
  ipBlock?: { cidr: string };
}
interface Rule {
  ports?: { port: number }[];
  from?: Peer[];
  to?: Peer[];
}
interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  command?: string[];
  env: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
}
interface Pod {
  metadata: { labels: Labels };
  spec: {
    terminationGracePeriodSeconds?: number;
    containers: Container[];
    volumes: { projected?: { defaultMode: number }; secret?: { secretName: string; defaultMode: number } }[];
  };
}

const HTTP = 8080;
const COMPONENT_PORTS = { postgres: 5432, redis: 6379, kafka: 9092 } as const;
const CUSTOM_GROUPS = ['keda.sh', 'monitoring.coreos.com', 'external-secrets.io'];
/** Group-readable. A service refuses keys that others can read. */
const SECRET_MODE = 0o440;

/** Whether a resource has no schema in Kubernetes. */
export const isCustom = ({ apiVersion }: Resource): boolean =>
  CUSTOM_GROUPS.some((group) => apiVersion.startsWith(`${group}/`));

const named = (resources: readonly Resource[], kind: string, name: string): Resource | undefined =>
  resources.find((each) => each.kind === kind && each.metadata.name === name);

const podOf = (resource: Resource): Pod => resource.spec['template'] as Pod;

/** The pods of the service, and of its migrations when it has a schema. */
function podsOf(service: Service, resources: readonly Resource[]): { what: string; pod: Pod }[] {
  const name = `plimsoll-${service}`;
  const found = [named(resources, 'Deployment', name), named(resources, 'Job', `${name}-migrate`)];
  return found.flatMap((each) => (each ? [{ what: `${each.kind} of ${service}`, pod: podOf(each) }] : []));
}

/**
 * Compares a release with the apps of this repository.
 * @param secrets the folder of `writeSampleSecrets`
 * @returns a line for each difference
 */
export function resourceFindings(
  service: Service,
  resources: readonly Resource[],
  secrets: string,
): string[] {
  return [
    ...kindFindings(service, resources),
    ...policyFindings(service, resources),
    ...selectorFindings(service, resources),
    ...containerFindings(service, resources),
    ...variableFindings(service, resources, secrets),
    ...drainFindings(service, resources),
  ];
}

/** Returns the resources that a service should have and lacks, and those that it has and should not have. */
export function kindFindings(service: Service, resources: readonly Resource[]): string[] {
  const name = `plimsoll-${service}`;
  const hasSchema = deployed(service).schema !== null;
  const wanted = [
    `Deployment ${name}`,
    `Service ${name}`,
    `Service ${name}-operations`,
    `NetworkPolicy ${name}`,
    `PodDisruptionBudget ${name}`,
    `ServiceMonitor ${name}`,
    `ExternalSecret ${name}-identity`,
    ...(hasSchema ? [`Job ${name}-migrate`, `NetworkPolicy ${name}-migrate`] : []),
  ];
  const found = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return [
    ...wanted.filter((each) => !found.includes(each)).map((each) => `there is no ${each}`),
    ...(hasSchema ? [] : found.filter((each) => each.endsWith('-migrate'))).map(
      (each) => `${service} has no schema, but ${each}`,
    ),
  ];
}

/** Compares the policies of a release with the table of services: who may call it, and what it may reach. */
export function policyFindings(service: Service, resources: readonly Resource[]): string[] {
  const { calls, components } = deployed(service);
  const policy = named(resources, 'NetworkPolicy', `plimsoll-${service}`);
  if (!policy) return [`${service} has no NetworkPolicy`];
  const { ingress = [], egress = [] } = policy.spec as { ingress?: Rule[]; egress?: Rule[] };
  const callers = service === 'gateway' ? ['every client'] : callersOf(service);
  const migration = named(resources, 'NetworkPolicy', `plimsoll-${service}-migrate`);
  const ofMigration = (migration?.spec['egress'] as Rule[] | undefined) ?? [];
  return [
    ...difference(`${service} may be called by`, callers, peersOf(ingress, 'from')),
    ...difference(`${service} may call`, calls, peersOf(egress, 'to')),
    ...difference(`${service} may reach`, components, reachedBy(egress)),
    ...(migration
      ? difference(`the migrations of ${service} may reach`, ['postgres'], reachedBy(ofMigration))
      : []),
  ];
}

function peersOf(rules: readonly Rule[], side: 'from' | 'to'): string[] {
  const open = rules.filter(({ ports }) => ports?.some(({ port }) => port === HTTP));
  return open.flatMap((rule) =>
    rule[side] === undefined
      ? ['every client']
      : rule[side].map(
          ({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/name'] ?? 'every pod',
        ),
  );
}

function reachedBy(rules: readonly Rule[]): Component[] {
  const ports = new Set(rules.flatMap((rule) => rule.ports ?? []).map(({ port }) => port));
  const components = (['postgres', 'redis', 'kafka'] as const).filter((each) =>
    ports.has(COMPONENT_PORTS[each]),
  );
  const isOpen = rules.some(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'));
  return isOpen ? [...components, 'internet'] : components;
}

function difference(what: string, wanted: readonly string[], found: readonly string[]): string[] {
  return [
    ...wanted
      .filter((each) => !found.includes(each))
      .map((each) => `${what} ${each}, but the policy forbids it`),
    ...found.filter((each) => !wanted.includes(each)).map((each) => `${what} ${each} by the policy only`),
  ];
}

/** Compares the selectors of a release with the labels of its pods. */
export function selectorFindings(service: Service, resources: readonly Resource[]): string[] {
  const labels = podsOf(service, resources).map(({ pod }) => pod.metadata.labels);
  return resources.flatMap(({ kind, metadata, spec }) => {
    const selector = selectorOf(kind, spec);
    if (!selector || labels.some((each) => selects(selector, each))) return [];
    return [`${kind} ${metadata.name} selects no pod of ${service}`];
  });
}

function selectorOf(kind: string, spec: Resource['spec']): Labels | undefined {
  if (kind === 'Service') return spec['selector'] as Labels;
  const selector = (kind === 'NetworkPolicy' ? spec['podSelector'] : spec['selector']) as
    { matchLabels: Labels } | undefined;
  // A ServiceMonitor selects a Service.
  return kind === 'ServiceMonitor' ? undefined : selector?.matchLabels;
}

const selects = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Compares ports, probes and commands of the containers with the image and the service. */
export function containerFindings(service: Service, resources: readonly Resource[]): string[] {
  const image = imageVariables();
  const ports = { http: Number(image['PORT']), operations: Number(image['OPERATIONS_PORT']) };
  return podsOf(service, resources).flatMap(({ what, pod }) =>
    pod.spec.containers.flatMap((container) => [
      ...(container.ports ?? [])
        .filter(({ name, containerPort }) => ports[name as keyof typeof ports] !== containerPort)
        .map(
          ({ name, containerPort }) => `${what} has the port ${name} ${containerPort}, and its image another`,
        ),
      ...probesOf(container)
        .filter(({ httpGet }) => httpGet.port !== 'operations' || !OPERATIONS_PATHS.includes(httpGet.path))
        .map(
          ({ httpGet }) => `${what} has a probe of ${httpGet.path} at ${httpGet.port}, which does not exist`,
        ),
      ...commandFindings(what, container.command),
    ]),
  );
}

const probesOf = ({ startupProbe, livenessProbe, readinessProbe }: Container): Probe[] =>
  [startupProbe, livenessProbe, readinessProbe].filter((each) => each !== undefined);

function commandFindings(what: string, command: readonly string[] | undefined): string[] {
  if (command === undefined) return [];
  const [node, file, ...words] = command;
  const isKnown = words.every((word) => (SERVICE_COMMANDS as readonly string[]).includes(word));
  return node === 'node' && file === 'app/main.js' && isKnown ? [] : [`${what} runs ${command.join(' ')}`];
}

/** Compares the environment of the containers with the configuration class, and the files that it names with the secrets. */
export function variableFindings(
  service: Service,
  resources: readonly Resource[],
  secrets: string,
): string[] {
  const keys = new Set(
    resources
      .filter(({ kind, metadata }) => kind === 'ExternalSecret' && metadata.name === `plimsoll-${service}`)
      .flatMap(({ spec }) => spec['data'] as { secretKey: string }[])
      .map(({ secretKey }) => `${SECRETS_FOLDER}/${secretKey}`),
  );
  return podsOf(service, resources).flatMap(({ what, pod }) => {
    const [container] = pod.spec.containers;
    const variables = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
    const missing = Object.values(variables).filter(
      (value) => value.startsWith(SECRETS_FOLDER) && !keys.has(value),
    );
    const modes = pod.spec.volumes.flatMap(
      ({ projected, secret }) => projected?.defaultMode ?? secret?.defaultMode ?? [],
    );
    return [
      ...environmentFindings(service, variables, secrets).map((each) => `${what}: ${each}`),
      ...missing.map((file) => `${what} reads ${file}, which no ExternalSecret has`),
      ...modes
        .filter((mode) => mode !== SECRET_MODE)
        .map((mode) => `${what} mounts secrets with the mode ${mode.toString(8)}`),
      ...(variables['IDENTITY_KEYS_FOLDER'] === IDENTITY_FOLDER ? [] : [`${what} has no identity keys`]),
    ];
  });
}

/** Compares the grace period of the Deployment with the drain of its process. */
export function drainFindings(service: Service, resources: readonly Resource[]): string[] {
  const deployment = named(resources, 'Deployment', `plimsoll-${service}`);
  if (!deployment) return [`${service} has no Deployment`];
  const { spec } = podOf(deployment);
  const [container] = spec.containers;
  const milliseconds = (name: string): number =>
    Number(container?.env.find((each) => each.name === name)?.value ?? Number.NaN);
  const drainMs = milliseconds('SHUTDOWN_LAME_DUCK_MS') + milliseconds('SHUTDOWN_DEADLINE_MS');
  const neededMs = (container?.lifecycle?.preStop?.sleep?.seconds ?? Number.NaN) * 1_000 + drainMs;
  const graceSeconds = spec.terminationGracePeriodSeconds ?? 30;
  return graceSeconds * 1_000 > neededMs
    ? []
    : [`${service} is killed after ${graceSeconds} s, and its drain takes ${neededMs} ms`];
}
