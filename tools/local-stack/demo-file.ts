import type { SharedAddresses } from './start-parts';
import type { Secrets } from './secrets';

/** The content of .local/demo.json: what scripts, benches and tests need to talk to a running stack. */
export interface DemoFile {
  /** Ends with /v1. */
  baseUrl: string;
  /** Streams stand below it: /positions, /alerts. */
  streamsUrl: string;
  keys: Secrets['demoKeys'];
  wallets: string[];
  kafkaBrokers: string;
  databaseUrl: string;
  redisUrl: string;
  /** HTTP address of each chain's node, by chain id. */
  rpc: Record<string, string>;
}

/** Puts the file's content together. */
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
