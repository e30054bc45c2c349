import { UsageError } from './usage-error';

/** What the environment says about the stack; an address that is undefined is a part to start here. */
export interface StackConfig {
  publicPort: number;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  kafkaBrokers: string | undefined;
  chains: ChainConfig[];
  marketSeed: number;
  enterprisePerMinute: number;
}

/** One chain of the stack. */
export interface ChainConfig {
  chainId: number;
  /** Of a node that runs already; undefined: a local one with the genuine Aave market. */
  rpcUrl: string | undefined;
}

/** Reads the variables that help.ts lists. Throws UsageError that names the variable. */
export function readStackConfig(env: NodeJS.ProcessEnv): StackConfig {
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
    chains: chainIds.map((chainId) => ({ chainId, rpcUrl: env[`RPC_URL_${chainId}`] || undefined })),
    marketSeed: wholeNumber('MARKET_SEED', env['MARKET_SEED'] || '1'),
    enterprisePerMinute: wholeNumber(
      'DEMO_ENTERPRISE_PER_MINUTE',
      env['DEMO_ENTERPRISE_PER_MINUTE'] || '1000',
    ),
  };
}

function wholeNumber(name: string, text: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw new UsageError(
    `${name} is "${text}"`,
    `Set it to a whole number from 1${max < 1e9 ? ` to ${max}` : ''}, or unset it`,
  );
}
