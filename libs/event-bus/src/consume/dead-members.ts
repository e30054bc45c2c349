import { type Broker, type Cluster, type Kafka, PartitionAssigners } from 'kafkajs';
import type { Pool } from 'pg';
import { pause } from '../backoff';
import type { BusLogger } from '../options';
import { goneOf } from './member-presence';

/** A group that is free is joined within this time, and nobody has to be looked for. */
const LOOK_MS = 100;

const TOKEN = /-consumer-([0-9a-f-]{36})$/;

/** What of a group's description is needed. */
interface GroupDescription {
  state: string;
  members: { memberId: string; clientId: string }[];
}

/** kafkajs speaks this request for its own member; its types leave it out. */
interface Coordinator extends Broker {
  leaveGroup(member: { groupId: string; memberId: string }): Promise<unknown>;
}

/** Name of a consumer's client, from which others can tell whether its process lives. */
export function memberPart(token: string): string {
  return `consumer-${token}`;
}

export interface DeadMembersOptions {
  /** A client of its own connections: on the one that waits to join, the broker answers nothing else. */
  kafka: Kafka;
  groupId: string;
  pool: Pool;
  logger: BusLogger;
  /** Aborted when the group is joined, or the service stops. */
  signal: AbortSignal;
}

/**
 * Takes members whose process is dead out of a group that this instance waits to join: else the broker waits for them
 * until their sessions end. Never rejects: what cannot be found out is waited for.
 *
 * Only while members are being gathered. A group that lost its last one before the new one came would begin anew, and
 * brokers give that a delay of three seconds. A member that lives and is taken for dead, because its database connection
 * was just lost, joins again: the group is divided once more, and the inbox keeps what it was doing from counting twice.
 */
export async function removeDeadMembers({
  kafka,
  groupId,
  pool,
  logger,
  signal,
}: DeadMembersOptions): Promise<void> {
  let connection: GroupConnection | undefined;
  try {
    for (;;) {
      await pause(LOOK_MS, signal);
      if (signal.aborted) return;
      connection ??= await connect(kafka, groupId);
      const coordinator = (await connection.cluster.findGroupCoordinator({ groupId })) as Coordinator;
      for (const member of await deadMembers(coordinator, groupId, pool)) {
        logger.info(member, 'a member of the consumer group is dead; it is taken out of it');
        await coordinator.leaveGroup({ groupId, memberId: member.memberId });
      }
    }
  } catch (error) {
    logger.warn({ err: error }, 'dead members of the consumer group cannot be taken out; their sessions end');
  } finally {
    await connection?.close().catch(() => undefined);
  }
}

async function deadMembers(
  coordinator: Coordinator,
  groupId: string,
  pool: Pool,
): Promise<GroupDescription['members']> {
  const { groups } = (await coordinator.describeGroups({ groupIds: [groupId] })) as {
    groups: GroupDescription[];
  };
  const { state, members } = groups[0] ?? { state: '', members: [] };
  if (state !== 'PreparingRebalance') return [];
  const shown = members.flatMap(({ memberId, clientId }) => {
    const token = TOKEN.exec(clientId)?.[1];
    return token === undefined ? [] : [{ memberId, clientId, token }];
  });
  const gone = await goneOf(
    pool,
    shown.map(({ token }) => token),
  );
  return shown
    .filter(({ token }) => gone.has(token))
    .map(({ memberId, clientId }) => ({ memberId, clientId }));
}

interface GroupConnection {
  cluster: Cluster;
  close(): Promise<void>;
}

/** kafkajs hands its cluster to assigners alone. This consumer subscribes to nothing and never joins. */
async function connect(kafka: Kafka, groupId: string): Promise<GroupConnection> {
  let cluster: Cluster | undefined;
  const consumer = kafka.consumer({
    groupId,
    partitionAssigners: [
      (config) => {
        ({ cluster } = config);
        return PartitionAssigners.roundRobin(config);
      },
    ],
  });
  await consumer.connect();
  if (!cluster) throw new Error('kafkajs made a consumer without its assigners');
  return { cluster, close: () => consumer.disconnect() };
}
