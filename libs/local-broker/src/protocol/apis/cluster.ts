import {
  array,
  boolean,
  defineApi,
  int16,
  int32,
  nullableArray,
  nullableString,
  since,
  string,
  struct,
} from '../schema';

export const apiVersions = defineApi({
  key: 18,
  name: 'ApiVersions',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request: struct({
    clientSoftwareName: since(3, string, ''),
    clientSoftwareVersion: since(3, string, ''),
  }),
  response: struct({
    errorCode: int16,
    apiKeys: array(struct({ apiKey: int16, minVersion: int16, maxVersion: int16 })),
    throttleTimeMs: since(1, int32, 0),
  }),
});

export const metadata = defineApi({
  key: 3,
  name: 'Metadata',
  minVersion: 1,
  maxVersion: 6,
  request: struct({
    topics: nullableArray(string),
    allowAutoTopicCreation: since(4, boolean, false),
  }),
  response: struct({
    throttleTimeMs: since(3, int32, 0),
    brokers: array(struct({ nodeId: int32, host: string, port: int32, rack: nullableString })),
    clusterId: since<string | null>(2, nullableString, null),
    controllerId: int32,
    topics: array(
      struct({
        errorCode: int16,
        name: string,
        isInternal: boolean,
        partitions: array(
          struct({
            errorCode: int16,
            partitionIndex: int32,
            leaderId: int32,
            replicaNodes: array(int32),
            isrNodes: array(int32),
            offlineReplicas: since(5, array(int32), []),
          }),
        ),
      }),
    ),
  }),
});
