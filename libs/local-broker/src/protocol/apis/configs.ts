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

/** AlterConfigs and IncrementalAlterConfigs have the same response. */
const response = struct({
  throttleTimeMs: int32,
  responses: array(
    struct({ errorCode: int16, errorMessage: nullableString, resourceType: int8, resourceName: string }),
  ),
});

export const alterConfigs = defineApi({
  key: 33,
  name: 'AlterConfigs',
  minVersion: 0,
  maxVersion: 1,
  request: struct({
    resources: array(
      struct({
        resourceType: int8,
        resourceName: string,
        configs: array(struct({ name: string, value: nullableString })),
      }),
    ),
    validateOnly: boolean,
  }),
  response,
});

export const incrementalAlterConfigs = defineApi({
  key: 44,
  name: 'IncrementalAlterConfigs',
  minVersion: 0,
  maxVersion: 0,
  request: struct({
    resources: array(
      struct({
        resourceType: int8,
        resourceName: string,
        configs: array(struct({ name: string, configOperation: int8, value: nullableString })),
      }),
    ),
    validateOnly: boolean,
  }),
  response,
});
