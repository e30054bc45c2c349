import { partsChoice, type PartsChoice } from '@plimsoll/local-parts';
import { UsageError } from './usage-error';

/** The settings of the stack from the environment. An undefined address means a part to start here. */
export interface StackConfig {
  publicPort: number;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  kafkaBrokers: string | undefined;
  /** The kind of Redis and Kafka when no address is given. */
  parts: PartsChoice;
  chains: ChainConfig[];
  marketSeed: number;
  /** Milliseconds between two acts of whales on a chain. 0: they act only on command. */
  whaleActMs: number;
  enterprisePerMinute: number;
  /** True: all services run in one process. False: each in its own, as in production. */
  isOneProcess: boolean;
}

/** One chain of the stack. */
export interface ChainConfig {
  chainId: number;
  /** The address of a running node. Undefined: a local one with the genuine Aave market. */
  rpcUrl: string | undefined;
}

const MOST_WHALE_ACT_MS = 3_600_000;

/**
 * Reads the variables that help.ts lists. Throws UsageError that names the variable.
 * @param isOneProcess a flag of `npm start`
 */
export function readStackConfig(env: NodeJS.ProcessEnv, isOneProcess = true): StackConfig {
  const chainIds = (env['LOCAL_CHAINS'] || '1,8453')
    .split(',')
    .map((text) => wholeNumber('LOCAL_CHAINS', text.trim()));
  if (new Set(chainIds).size !== chainIds.length) {
    throw new UsageError(
      'LOCAL_CHAINS names a chain twice',
      'Name each chain id once, for example LOCAL_CHAINS=1,8453',
    );
  }
  return {
    publicPort: wholeNumber('PORT', env['PORT'] || '4000', 65_535),
    databaseUrl: env['DATABASE_URL'] || undefined,
    redisUrl: env['REDIS_URL'] || undefined,
    kafkaBrokers: env['KAFKA_BROKERS'] || undefined,
    parts: readPartsChoice(env['LOCAL_PARTS']),
    chains: chainIds.map((chainId) => ({ chainId, rpcUrl: env[`RPC_URL_${chainId}`] || undefined })),
    marketSeed: wholeNumber('MARKET_SEED', env['MARKET_SEED'] || '1'),
    whaleActMs: wholeNumber('WHALE_ACT_MS', env['WHALE_ACT_MS'] || '6000', MOST_WHALE_ACT_MS, 0),
    enterprisePerMinute: wholeNumber(
      'DEMO_ENTERPRISE_PER_MINUTE',
      env['DEMO_ENTERPRISE_PER_MINUTE'] || '1000',
    ),
    isOneProcess,
  };
}

function readPartsChoice(text: string | undefined): PartsChoice {
  try {
    return partsChoice(text);
  } catch {
    throw new UsageError(`LOCAL_PARTS is "${text}"`, 'Set it to embedded or genuine, or unset it');
  }
}

function wholeNumber(name: string, text: string, max = Number.MAX_SAFE_INTEGER, min = 1): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(
    `${name} is "${text}"`,
    `Set it to a whole number from ${min}${max < 1e9 ? ` to ${max}` : ''}, or unset it`,
  );
}
