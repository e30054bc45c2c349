import {
  array,
  boolean,
  defineApi,
  int16,
  int32,
  int8,
  nullableArray,
  nullableString,
  string,
  struct,
} from '../schema';

export const describeConfigs = defineApi({
  key: 32,
  name: 'DescribeConfigs',
  minVersion: 1,
  maxVersion: 2,
  request: struct({
    resources: array(
      struct({ resourceType: int8, resourceName: string, configurationKeys: nullableArray(string) }),
    ),
    includeSynonyms: boolean,
  }),
  response: struct({
    throttleTimeMs: int32,
    results: array(
      struct({
        errorCode: int16,
        errorMessage: nullableString,
        resourceType: int8,
        resourceName: string,
        configs: array(
          struct({
            name: string,
            value: nullableString,
            readOnly: boolean,
            configSource: int8,
            isSensitive: boolean,
            synonyms: array(struct({ name: string, value: nullableString, source: int8 })),
          }),
        ),
      }),
    ),
  }),
});
