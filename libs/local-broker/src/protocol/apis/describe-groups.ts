import { array, bytes, defineApi, int16, int32, since, string, struct } from '../schema';

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
