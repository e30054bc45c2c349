import { offsetCommit, offsetFetch } from '../../protocol/apis';
import { ERROR, codeOf, type ErrorCode } from '../../protocol/error-codes';
import type { RequestOf } from '../../protocol/schema';
import { assertMetadataFits, type GroupCoordinator, type OffsetToCommit } from '../../group/coordinator';
import type { CommittedOffset } from '../../group/group-store';
import { bindApi, type BoundApi } from '../bound-api';
import type { BrokerState } from '../broker-state';

type CommitRequest = RequestOf<typeof offsetCommit>;

/** The offsets that groups commit and fetch. */
export function committedOffsetApis(state: BrokerState): BoundApi[] {
  const { coordinator } = state;
  return [
    bindApi(offsetCommit, async (request) => {
      const codes = await commit(state, request);
      return {
        throttleTimeMs: 0,
        topics: request.topics.map(({ name, partitions }) => ({
          name,
          partitions: partitions.map(({ partitionIndex }) => ({
            partitionIndex,
            errorCode: codes.get(`${name}/${partitionIndex}`) ?? ERROR.NONE,
          })),
        })),
      };
    }),

    bindApi(offsetFetch, ({ groupId, topics }) => ({
      throttleTimeMs: 0,
      topics: (topics ?? committedTopics(coordinator, groupId)).map(({ name, partitionIndexes }) => ({
        name,
        partitions: partitionIndexes.map((partitionIndex) =>
          fetched(partitionIndex, coordinator.committed(groupId, name, partitionIndex)),
        ),
      })),
      errorCode: ERROR.NONE,
    })),
  ];
}

/** The error code of each partition, by topic and partition. */
async function commit(
  { topics, coordinator }: BrokerState,
  request: CommitRequest,
): Promise<Map<string, ErrorCode>> {
  const { groupId, memberId, generationId } = request;
  const codes = new Map<string, ErrorCode>();
  const accepted: OffsetToCommit[] = [];
  for (const { name, partitions } of request.topics) {
    for (const { partitionIndex, committedOffset, committedMetadata } of partitions) {
      try {
        coordinator.assertMayCommit(groupId, memberId, generationId);
        topics.partition(name, partitionIndex);
        assertMetadataFits(committedMetadata);
        accepted.push({
          topic: name,
          partition: partitionIndex,
          offset: committedOffset,
          metadata: committedMetadata,
        });
      } catch (error) {
        codes.set(`${name}/${partitionIndex}`, codeOf(error));
      }
    }
  }
  if (accepted.length === 0) return codes;
  try {
    await coordinator.commit(groupId, accepted);
  } catch (error) {
    const code = codeOf(error);
    for (const { topic, partition } of accepted) codes.set(`${topic}/${partition}`, code);
  }
  return codes;
}

function committedTopics(
  coordinator: GroupCoordinator,
  groupId: string,
): { name: string; partitionIndexes: number[] }[] {
  const byTopic = new Map<string, number[]>();
  for (const { topic, partition } of coordinator.allCommitted(groupId)) {
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), partition]);
  }
  return [...byTopic].map(([name, partitionIndexes]) => ({ name, partitionIndexes }));
}

function fetched(partitionIndex: number, committed: CommittedOffset | undefined) {
  return {
    partitionIndex,
    committedOffset: committed?.offset ?? -1,
    metadata: committed?.metadata ?? '',
    errorCode: ERROR.NONE,
  };
}
