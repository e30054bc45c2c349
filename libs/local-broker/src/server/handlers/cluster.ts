import { apiVersions, findCoordinator, metadata } from '../../protocol/apis';
import { ERROR, type ErrorCode } from '../../protocol/error-codes';
import { assertValidName } from '../../log/topics';
import { bindApi, type BoundApi } from '../bound-api';
import { NODE_ID, type BrokerState } from '../broker-state';

/** The APIs that clients call first: versions, brokers, topics, coordinators. */
export function clusterApis(state: BrokerState, supported: () => readonly BoundApi[]): BoundApi[] {
  return [
    bindApi(apiVersions, () => ({
      errorCode: ERROR.NONE,
      apiKeys: supported().map(({ api: { key, minVersion, maxVersion } }) => ({
        apiKey: key,
        minVersion,
        maxVersion,
      })),
      throttleTimeMs: 0,
    })),

    bindApi(metadata, ({ topics }) => ({
      throttleTimeMs: 0,
      brokers: [{ nodeId: NODE_ID, ...state.address, rack: null }],
      clusterId: state.clusterId,
      controllerId: NODE_ID,
      topics: (topics ?? state.topics.list().map(({ name }) => name)).map((name) =>
        describeTopic(state, name),
      ),
    })),

    bindApi(findCoordinator, () => ({
      throttleTimeMs: 0,
      errorCode: ERROR.NONE,
      errorMessage: null,
      nodeId: NODE_ID,
      ...state.address,
    })),
  ];
}

interface TopicMetadata {
  errorCode: ErrorCode;
  name: string;
  isInternal: boolean;
  partitions: {
    errorCode: ErrorCode;
    partitionIndex: number;
    leaderId: number;
    replicaNodes: number[];
    isrNodes: number[];
    offlineReplicas: number[];
  }[];
}

function describeTopic({ topics }: BrokerState, name: string): TopicMetadata {
  const topic = topics.get(name);
  return {
    errorCode: topic ? ERROR.NONE : errorOfMissing(name),
    name,
    isInternal: false,
    partitions: (topic?.partitions ?? []).map((_, partitionIndex) => ({
      errorCode: ERROR.NONE,
      partitionIndex,
      leaderId: NODE_ID,
      replicaNodes: [NODE_ID],
      isrNodes: [NODE_ID],
      offlineReplicas: [],
    })),
  };
}

function errorOfMissing(name: string): ErrorCode {
  try {
    assertValidName(name);
    return ERROR.UNKNOWN_TOPIC_OR_PARTITION;
  } catch {
    return ERROR.INVALID_TOPIC_EXCEPTION;
  }
}
