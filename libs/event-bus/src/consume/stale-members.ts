import { type Broker, type Cluster, type Kafka, PartitionAssigners } from 'kafkajs';
import type { Pool } from 'pg';
import { pause } from '../backoff';
import type { BusLogger } from '../options';
import { findStale } from './member-presence';

/** A free group is joined within this time, so that no search is needed. */
const SEARCH_EVERY_MS = 100;

const TOKEN = /-consumer-([0-9a-f-]{36})$/;

/** The required fields of a group's description. */
interface GroupDescription {
  state: string;
  members: { memberId: string; clientId: string }[];
}

/** kafkajs sends this request for its own member. Its types omit it. */
interface Coordinator extends Broker {
  leaveGroup(member: { groupId: string; memberId: string }): Promise<unknown>;
}

/** Client name of a consumer. Other instances find out from it whether the process is alive. */
export function memberClientPart(token: string): string {
  return `consumer-${token}`;
}

export interface StaleMembersOptions {
  /**
   * A client with its own connections. The broker sends no other response on a connection that waits to join.
   */
  kafka: Kafka;
  groupId: string;
  pool: Pool;
  logger: BusLogger;
  /** Aborted when the group is joined or the service stops. */
  signal: AbortSignal;
}

/**
 * Removes members whose process is dead from a group that this instance waits to join. Otherwise the broker
 * waits until their sessions end. Never rejects: on a failure the sessions end normally.
 *
 * It only acts while the group prepares a rebalance. A group that loses its last member before the new one
 * joins would start again, and brokers delay that by three seconds. A live member can be mistaken for a dead
 * one when its database connection was just lost. It then joins again, the group rebalances once more, and
 * the inbox prevents a second effect.
 */
export async function evictStaleMembers({
  kafka,
  groupId,
  pool,
  logger,
  signal,
}: StaleMembersOptions): Promise<void> {
  let connection: GroupConnection | undefined;
  try {
    for (;;) {
      await pause(SEARCH_EVERY_MS, signal);
      if (signal.aborted) return;
      connection ??= await connect(kafka, groupId);
      const coordinator = (await connection.cluster.findGroupCoordinator({ groupId })) as Coordinator;
      for (const member of await staleMembers(coordinator, groupId, pool)) {
        logger.info(member, 'removing a dead member from the consumer group');
        await coordinator.leaveGroup({ groupId, memberId: member.memberId });
      }
    }
  } catch (error) {
    logger.warn({ err: error }, 'cannot remove dead members from the consumer group; their sessions expire');
  } finally {
    await connection?.close().catch(() => undefined);
  }
}

async function staleMembers(
  coordinator: Coordinator,
  groupId: string,
  pool: Pool,
): Promise<GroupDescription['members']> {
  const { groups } = (await coordinator.describeGroups({ groupIds: [groupId] })) as {
    groups: GroupDescription[];
  };
  const { state, members } = groups[0] ?? { state: '', members: [] };
  if (state !== 'PreparingRebalance') return [];
  const known = members.flatMap(({ memberId, clientId }) => {
    const token = TOKEN.exec(clientId)?.[1];
    return token === undefined ? [] : [{ memberId, clientId, token }];
  });
  const stale = await findStale(
    pool,
    known.map(({ token }) => token),
  );
  return known
    .filter(({ token }) => stale.has(token))
    .map(({ memberId, clientId }) => ({ memberId, clientId }));
}

interface GroupConnection {
  cluster: Cluster;
  close(): Promise<void>;
}

/** kafkajs passes its cluster only to assigners. This consumer subscribes to nothing and never joins. */
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
