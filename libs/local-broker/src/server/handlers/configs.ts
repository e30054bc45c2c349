import { alterConfigs, describeConfigs, incrementalAlterConfigs } from '../../protocol/apis';
import { ERROR, ProtocolError, type ErrorCode } from '../../protocol/error-codes';
import type { Topic, Topics } from '../../log/topics';
import {
  assertValidConfig,
  defaultOf,
  describeConfig,
  isListConfig,
  parseList,
  type ConfigOverrides,
} from '../../log/topic-config';
import { bindApi, type BoundApi } from '../bound-api';
import { NODE_ID, type BrokerState } from '../broker-state';
import { outcomeOf } from './topics';

const TOPIC = 2;
const BROKER = 4;
const SOURCE = { topic: 1, default: 5 } as const;
const OPERATION = { set: 0, delete: 1, append: 2, subtract: 3 } as const;

type Change = { name: string; configOperation: number; value: string | null };

interface DescribedEntry {
  name: string;
  value: string;
  readOnly: boolean;
  configSource: number;
  isSensitive: boolean;
  synonyms: { name: string; value: string; source: number }[];
}

export function configApis({ topics }: BrokerState): BoundApi[] {
  return [
    bindApi(describeConfigs, async ({ resources, includeSynonyms }) => {
      const results = [];
      for (const { resourceType, resourceName, configurationKeys } of resources) {
        let configs: DescribedEntry[] = [];
        const outcome = await outcomeOf(async () => {
          configs = describeResource(topics, resourceType, resourceName, includeSynonyms);
          if (configurationKeys) configs = configs.filter(({ name }) => configurationKeys.includes(name));
        });
        results.push({ ...outcome, resourceType, resourceName, configs });
      }
      return { throttleTimeMs: 0, results };
    }),

    bindApi(alterConfigs, async ({ resources, validateOnly }) => {
      const responses = [];
      for (const { resourceType, resourceName, configs } of resources) {
        const outcome = await outcomeOf(async () => {
          const topic = knownTopic(topics, resourceType, resourceName);
          const overrides = assertValidConfig(
            Object.fromEntries(configs.map(({ name, value }) => [name, value])),
          );
          if (!validateOnly) await topics.configure(topic.name, overrides);
        });
        responses.push({ ...outcome, resourceType, resourceName });
      }
      return { throttleTimeMs: 0, responses };
    }),

    bindApi(incrementalAlterConfigs, async ({ resources, validateOnly }) => {
      const responses = [];
      for (const { resourceType, resourceName, configs } of resources) {
        const outcome = await outcomeOf(async () => {
          const topic = knownTopic(topics, resourceType, resourceName);
          const overrides = assertValidConfig(applyChanges(topic.overrides, configs));
          if (!validateOnly) await topics.configure(topic.name, overrides);
        });
        responses.push({ ...outcome, resourceType, resourceName });
      }
      return { throttleTimeMs: 0, responses };
    }),
  ];
}

function describeResource(
  topics: Topics,
  type: number,
  name: string,
  withSynonyms: boolean,
): DescribedEntry[] {
  // The broker itself has no setting that can change while it runs.
  if (type === BROKER && (name === '' || name === String(NODE_ID))) return [];
  const { overrides } = knownTopic(topics, type, name);
  return describeConfig(overrides).map(({ name: config, value, isDefault, default: standard }) => {
    const own = isDefault ? [] : [{ name: config, value, source: SOURCE.topic }];
    return {
      name: config,
      value,
      readOnly: false,
      configSource: isDefault ? SOURCE.default : SOURCE.topic,
      isSensitive: false,
      synonyms: withSynonyms ? [...own, { name: config, value: standard, source: SOURCE.default }] : [],
    };
  });
}

function knownTopic(topics: Topics, type: number, name: string): Topic {
  if (type !== TOPIC) throw failure(ERROR.INVALID_REQUEST, `resources of type ${type} have no configuration`);
  const topic = topics.get(name);
  if (!topic) throw failure(ERROR.UNKNOWN_TOPIC_OR_PARTITION, `there is no topic ${name}`);
  return topic;
}

function applyChanges(overrides: ConfigOverrides, changes: readonly Change[]): Record<string, string | null> {
  const changed: Record<string, string | null> = { ...overrides };
  for (const { name, configOperation, value } of changes) {
    const listed = parseList(changed[name] ?? defaultOf(name));
    const given = parseList(value ?? '');
    if (configOperation === OPERATION.delete) delete changed[name];
    else if (configOperation === OPERATION.set) changed[name] = value;
    else if (!isListConfig(name)) throw failure(ERROR.INVALID_CONFIG, `${name} is no list`);
    else if (configOperation === OPERATION.append)
      changed[name] = [...new Set([...listed, ...given])].join(',');
    else if (configOperation === OPERATION.subtract) {
      changed[name] = listed.filter((each) => !given.includes(each)).join(',');
    } else throw failure(ERROR.INVALID_REQUEST, `there is no operation ${configOperation}`);
  }
  return changed;
}

function failure(code: ErrorCode, message: string): ProtocolError {
  return new ProtocolError(code, message);
}
