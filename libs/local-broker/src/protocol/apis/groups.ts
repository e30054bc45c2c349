import { array, bytes, defineApi, int16, int32, since, string, struct } from '../schema';

export const listGroups = defineApi({
  key: 16,
  name: 'ListGroups',
  minVersion: 0,
  maxVersion: 2,
  request: struct({}),
  response: struct({
    throttleTimeMs: since(1, int32, 0),
    errorCode: int16,
    groups: array(struct({ groupId: string, protocolType: string })),
  }),
});

export const describeGroups = defineApi({
  key: 15,
  name: 'DescribeGroups',
  minVersion: 0,
  maxVersion: 2,
  request: struct({ groups: array(string) }),
  response: struct({
    throttleTimeMs: since(1, int32, 0),
    groups: array(
      struct({
        errorCode: int16,
        groupId: string,
        groupState: string,
        protocolType: string,
        protocolData: string,
        members: array(
          struct({
            memberId: string,
            clientId: string,
            clientHost: string,
            memberMetadata: bytes,
            memberAssignment: bytes,
          }),
        ),
      }),
    ),
  }),
});

export const deleteGroups = defineApi({
  key: 42,
  name: 'DeleteGroups',
  minVersion: 0,
  maxVersion: 1,
  request: struct({ groupNames: array(string) }),
  response: struct({
    throttleTimeMs: int32,
    results: array(struct({ groupId: string, errorCode: int16 })),
  }),
});
