import { array, defineApi, int16, int32, since, string, struct } from '../schema';

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
