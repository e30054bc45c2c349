import { array, defineApi, int16, int32, string, struct } from '../schema';

export const deleteTopics = defineApi({
  key: 20,
  name: 'DeleteTopics',
  minVersion: 1,
  maxVersion: 3,
  request: struct({ topicNames: array(string), timeoutMs: int32 }),
  response: struct({
    throttleTimeMs: int32,
    responses: array(struct({ name: string, errorCode: int16 })),
  }),
});
