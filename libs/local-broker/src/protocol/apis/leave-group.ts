import { array, defineApi, int16, int32, nullableString, since, string, struct, until } from '../schema';

const member = { memberId: string, groupInstanceId: nullableString };

export const leaveGroup = defineApi({
  key: 13,
  name: 'LeaveGroup',
  minVersion: 0,
  maxVersion: 3,
  request: struct({
    groupId: string,
    memberId: until(2, string, ''),
    members: since(3, array(struct(member)), []),
  }),
  response: struct({
    throttleTimeMs: since(1, int32, 0),
    errorCode: int16,
    members: since(3, array(struct({ ...member, errorCode: int16 })), []),
  }),
});
