import { type TopicsOfService, SERVICE_TOPICS } from '@plimsoll/contracts';

export type AclOperation = 'Read' | 'Write' | 'Create' | 'Describe' | 'Delete';

/** The operations that one service may do with one topic or group. */
export interface Acl {
  service: string;
  principal: string;
  resource: 'topic' | 'group';
  name: string;
  /** `prefixed`: every name that begins with `name`. */
  pattern: 'literal' | 'prefixed';
  operations: readonly AclOperation[];
}

export interface AclOptions {
  /** KAFKA_TOPIC_PREFIX. */
  prefix: string;
  /** The principal of a service. `{service}` is its name: `User:{service}`, `User:CN={service}`. */
  principal: string;
}

/**
 * The access control lists that the services need, and no more. A service publishes its own topics, reads
 * those that it consumes, writes their dead letters, and uses its own consumer groups. It may create these
 * topics, because the first service that needs a topic creates it.
 */
export function kafkaAcls({ prefix, principal }: AclOptions): Acl[] {
  return Object.entries(SERVICE_TOPICS).flatMap(([service, topics]) =>
    aclsOf(service, topics, prefix).map((acl) => ({
      service,
      principal: principal.replaceAll('{service}', service),
      ...acl,
    })),
  );
}

function aclsOf(
  service: string,
  { publishes, consumes }: TopicsOfService,
  prefix: string,
): Omit<Acl, 'service' | 'principal'>[] {
  const topic = (name: string, ...operations: AclOperation[]) =>
    ({ resource: 'topic', name: prefix + name, pattern: 'literal', operations }) as const;
  const group = (name: string, pattern: Acl['pattern'], ...operations: AclOperation[]) =>
    ({ resource: 'group', name: prefix + name, pattern, operations }) as const;
  return [
    ...publishes.map((name) => topic(name, 'Write', 'Describe', 'Create')),
    ...consumes.map((name) => topic(name, 'Read', 'Describe', 'Create')),
    ...consumes.map((name) => topic(`${name}.dlq`, 'Write', 'Describe', 'Create')),
    // Readers of whole topics have a group of their own, which they delete.
    ...(consumes.length === 0
      ? []
      : [
          group(service, 'literal', 'Read', 'Describe'),
          group(`${service}-`, 'prefixed', 'Read', 'Describe', 'Delete'),
        ]),
  ];
}

/** The commands of Kafka's own tool, with `$BOOTSTRAP` and `$COMMAND_CONFIG` of the administrator. */
export function aclCommands(acls: readonly Acl[]): string[] {
  return acls.map(({ principal, resource, name, pattern, operations }) =>
    [
      'kafka-acls.sh --bootstrap-server "$BOOTSTRAP" --command-config "$COMMAND_CONFIG" --add',
      `--allow-principal '${principal}'`,
      ...operations.map((operation) => `--operation ${operation}`),
      `--${resource} '${name}'`,
      `--resource-pattern-type ${pattern}`,
    ].join(' '),
  );
}
