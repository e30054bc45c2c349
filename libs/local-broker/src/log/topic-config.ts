import { ERROR, ProtocolError } from '../protocol/error-codes';

type Kind = 'long' | 'ratio' | 'boolean' | 'list' | 'text';

interface Definition {
  default: string;
  kind: Kind;
  min?: number;
  /** The values that this broker supports. Any other is rejected. */
  only?: readonly string[];
}

const LONG_MAX = '9223372036854775807';
const long = (value: number | string, min = 0): Definition => ({ default: String(value), kind: 'long', min });

/**
 * Every configuration of a topic in Kafka 4.2, with its default. Those with `only` have one value that fits
 * one machine.
 */
const DEFINITIONS: Readonly<Record<string, Definition>> = {
  'cleanup.policy': { default: 'delete', kind: 'list', only: ['delete', 'compact'] },
  'compression.gzip.level': long(-1, -1),
  'compression.lz4.level': long(9, 1),
  'compression.type': { default: 'producer', kind: 'text', only: ['producer'] },
  'compression.zstd.level': long(3, -131_072),
  'delete.retention.ms': long(86_400_000),
  'file.delete.delay.ms': long(60_000),
  'flush.messages': long(LONG_MAX, 1),
  'flush.ms': long(LONG_MAX),
  'follower.replication.throttled.replicas': { default: '', kind: 'text' },
  'index.interval.bytes': long(4_096),
  'leader.replication.throttled.replicas': { default: '', kind: 'text' },
  'local.retention.bytes': long(-2, -2),
  'local.retention.ms': long(-2, -2),
  'max.compaction.lag.ms': long(LONG_MAX, 1),
  'max.message.bytes': long(1_048_588),
  'message.timestamp.after.max.ms': long(3_600_000),
  'message.timestamp.before.max.ms': long(LONG_MAX),
  'message.timestamp.type': { default: 'CreateTime', kind: 'text', only: ['CreateTime'] },
  'min.cleanable.dirty.ratio': { default: '0.5', kind: 'ratio' },
  'min.compaction.lag.ms': long(0),
  'min.insync.replicas': long(1, 1),
  preallocate: { default: 'false', kind: 'boolean' },
  'remote.log.copy.disable': { default: 'false', kind: 'boolean' },
  'remote.log.delete.on.disable': { default: 'false', kind: 'boolean' },
  'remote.storage.enable': { default: 'false', kind: 'boolean', only: ['false'] },
  'retention.bytes': long(-1, -1),
  'retention.ms': long(604_800_000, -1),
  'segment.bytes': long(1_073_741_824, 1_048_576),
  'segment.index.bytes': long(10_485_760, 4),
  'segment.jitter.ms': long(0),
  'segment.ms': long(604_800_000, 1),
  'unclean.leader.election.enable': { default: 'false', kind: 'boolean' },
};

/** The settings of a topic itself. */
export type ConfigOverrides = Readonly<Record<string, string>>;

/** The values of the log. Milliseconds and bytes; Infinity for no limit. */
export interface LogConfig {
  isDeleted: boolean;
  isCompacted: boolean;
  deleteRetentionMs: number;
  indexIntervalBytes: number;
  maxCompactionLagMs: number;
  maxMessageBytes: number;
  timestampAfterMaxMs: number;
  timestampBeforeMaxMs: number;
  minCleanableDirtyRatio: number;
  minCompactionLagMs: number;
  retentionBytes: number;
  retentionMs: number;
  segmentBytes: number;
  segmentMs: number;
}

/** The configuration of a log with these overrides. */
export function logConfig(overrides: ConfigOverrides): LogConfig {
  const text = (name: string): string => overrides[name] ?? DEFINITIONS[name]?.default ?? '';
  const limit = (name: string): number => {
    const value = Number(text(name));
    return value < 0 || value > Number.MAX_SAFE_INTEGER ? Infinity : value;
  };
  const policies = parseList(text('cleanup.policy'));
  return {
    isDeleted: policies.includes('delete'),
    isCompacted: policies.includes('compact'),
    deleteRetentionMs: limit('delete.retention.ms'),
    indexIntervalBytes: limit('index.interval.bytes'),
    maxCompactionLagMs: limit('max.compaction.lag.ms'),
    maxMessageBytes: limit('max.message.bytes'),
    timestampAfterMaxMs: limit('message.timestamp.after.max.ms'),
    timestampBeforeMaxMs: limit('message.timestamp.before.max.ms'),
    minCleanableDirtyRatio: Number(text('min.cleanable.dirty.ratio')),
    minCompactionLagMs: limit('min.compaction.lag.ms'),
    retentionBytes: limit('retention.bytes'),
    retentionMs: limit('retention.ms'),
    segmentBytes: limit('segment.bytes'),
    segmentMs: limit('segment.ms'),
  };
}

/** Throws ProtocolError (INVALID_CONFIG) when a name is unknown or a value is not supported. */
export function assertValidConfig(overrides: Readonly<Record<string, string | null>>): ConfigOverrides {
  const valid: Record<string, string> = {};
  for (const [name, value] of Object.entries(overrides)) {
    const definition = Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name] : undefined;
    if (!definition) throw invalid(`Unknown topic config name: ${name}`);
    if (value === null) throw invalid(`Null value not supported for topic configs: ${name}`);
    if (!isValid(definition, value)) throw invalid(`Invalid value ${value} for configuration ${name}`);
    valid[name] = value;
  }
  return valid;
}

/** One configuration as DescribeConfigs shows it. */
export interface DescribedConfig {
  name: string;
  value: string;
  isDefault: boolean;
  default: string;
}

export function describeConfig(overrides: ConfigOverrides): DescribedConfig[] {
  return Object.entries(DEFINITIONS).map(([name, definition]) => ({
    name,
    value: overrides[name] ?? definition.default,
    isDefault: overrides[name] === undefined,
    default: definition.default,
  }));
}

/** True when a value of this configuration is a list, to which values can be appended. */
export function isListConfig(name: string): boolean {
  return DEFINITIONS[name]?.kind === 'list';
}

export function defaultOf(name: string): string {
  return DEFINITIONS[name]?.default ?? '';
}

export function parseList(value: string): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function isValid({ kind, min = -Infinity, only }: Definition, value: string): boolean {
  switch (kind) {
    case 'long':
      return /^[+-]?\d{1,19}$/.test(value) && Number(value) >= min;
    case 'ratio':
      return value.trim() !== '' && Number(value) >= 0 && Number(value) <= 1;
    case 'boolean':
      return only?.includes(value) ?? ['true', 'false'].includes(value.toLowerCase());
    case 'list':
      return parseList(value).length > 0 && parseList(value).every((each) => only?.includes(each) ?? true);
    case 'text':
      return only?.includes(value) ?? true;
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ERROR.INVALID_CONFIG, message);
}
