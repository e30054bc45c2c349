import type { SharedAddresses } from '../parts/start-parts';
import type { Secrets } from '../settings/secrets';

/** The content of .local/demo.json: the data with which scripts, benches and tests call a running stack. */
export interface DemoFile {
  /** Ends with /v1. */
  baseUrl: string;
  /** The base of the streams: /positions, /alerts. */
  streamsUrl: string;
  keys: Secrets['demoKeys'];
  wallets: string[];
  kafkaBrokers: string;
  databaseUrl: string;
  redisUrl: string;
  /** HTTP address of each chain's node, by chain id. */
  rpc: Record<string, string>;
}

/** Builds the file's content. */
export function demoFile(
  publicPort: number,
  keys: Secrets['demoKeys'],
  wallets: string[],
  addresses: SharedAddresses,
  rpcUrls: ReadonlyMap<number, string>,
): DemoFile {
  return {
    baseUrl: `http://127.0.0.1:${publicPort}/v1`,
    streamsUrl: `ws://127.0.0.1:${publicPort}/v1/streams`,
    keys,
    wallets,
    kafkaBrokers: addresses.kafkaBrokers,
    databaseUrl: addresses.databaseUrl,
    redisUrl: addresses.redisUrl,
    rpc: Object.fromEntries(rpcUrls),
  };
}
