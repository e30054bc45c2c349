import { createPartitions, createTopics, deleteTopics } from '../../protocol/apis';
import { ERROR, ProtocolError, type ErrorCode } from '../../protocol/error-codes';
import type { RequestOf } from '../../protocol/schema';
import { assertValidConfig } from '../../log/topic-config';
import { bindApi, type BoundApi } from '../bound-api';
import { NODE_ID, type BrokerState } from '../broker-state';

const DEFAULT = -1;

type NewTopic = RequestOf<typeof createTopics>['topics'][number];

export interface Outcome {
  errorCode: ErrorCode;
  errorMessage: string | null;
}

export function topicApis({ topics, coordinator }: BrokerState): BoundApi[] {
  const create = async (topic: NewTopic, all: readonly NewTopic[], validateOnly: boolean): Promise<void> => {
    if (all.filter(({ name }) => name === topic.name).length > 1) {
      throw new ProtocolError(ERROR.INVALID_REQUEST, `${topic.name} is in the request twice`);
    }
    const partitions = partitionCount(topic);
    topics.assertCreatable(topic.name, partitions);
    const overrides = assertValidConfig(
      Object.fromEntries(topic.configs.map(({ name, value }) => [name, value])),
    );
    if (!validateOnly) await topics.create(topic.name, partitions, overrides);
  };

  return [
    bindApi(createTopics, async (request) => {
      const outcomes = [];
      // A name that occurs twice has one outcome.
      for (const topic of new Map(request.topics.map((each) => [each.name, each])).values()) {
        const outcome = await outcomeOf(() => create(topic, request.topics, request.validateOnly));
        outcomes.push({ name: topic.name, ...outcome });
      }
      return { throttleTimeMs: 0, topics: outcomes };
    }),

    bindApi(deleteTopics, async ({ topicNames }) => {
      const responses = [];
      for (const name of topicNames) {
        const { errorCode } = await outcomeOf(async () => {
          await topics.delete(name);
          await coordinator.forgetTopic(name);
        });
        responses.push({ name, errorCode });
      }
      return { throttleTimeMs: 0, responses };
    }),

    bindApi(createPartitions, async (request) => {
      const results = [];
      for (const { name, count, assignments } of request.topics) {
        const outcome = await outcomeOf(async () => {
          topics.assertGrowable(name, count);
          assertOwnReplicas((assignments ?? []).map(({ brokerIds }) => brokerIds));
          if (!request.validateOnly) await topics.addPartitions(name, count);
        });
        results.push({ name, ...outcome });
      }
      return { throttleTimeMs: 0, results };
    }),
  ];
}

/** Runs the work for one part of a request and returns its outcome as a code. */
export async function outcomeOf(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return { errorCode: ERROR.NONE, errorMessage: null };
  } catch (error) {
    if (error instanceof ProtocolError) return { errorCode: error.code, errorMessage: error.message };
    throw error;
  }
}

function partitionCount({ numPartitions, replicationFactor, assignments }: NewTopic): number {
  if (assignments.length > 0) {
    assertOwnReplicas(assignments.map(({ brokerIds }) => brokerIds));
    return assignments.length;
  }
  if (replicationFactor !== DEFAULT && replicationFactor !== 1) {
    const code = ERROR.INVALID_REPLICATION_FACTOR;
    throw new ProtocolError(code, `the replication factor is ${replicationFactor}, there is one broker`);
  }
  return numPartitions === DEFAULT ? 1 : numPartitions;
}

function assertOwnReplicas(assignments: readonly number[][]): void {
  if (assignments.some((brokers) => brokers.length !== 1 || brokers[0] !== NODE_ID)) {
    throw new ProtocolError(ERROR.INVALID_REPLICA_ASSIGNMENT, `every replica is on broker ${NODE_ID}`);
  }
}
