import type { SharedAddresses } from '../parts/start-parts';
import { DEMO_TIERS, type DemoTier } from '../settings/demo-tiers';
import type { Secrets } from '../settings/secrets';
import { demoEmail } from './demo-email';

/** The content of .local/demo.json: the data with which scripts, benches and tests call a running stack. */
export interface DemoFile {
  /** Ends with /v1. */
  baseUrl: string;
  /** The base of the streams: /positions, /alerts. */
  streamsUrl: string;
  keys: Secrets['demoKeys'];
  /** The portal's log-in with the fields filled in, by tier. */
  logIns: Record<DemoTier, string>;
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
  { demoKeys: keys, demoPassword }: Pick<Secrets, 'demoKeys' | 'demoPassword'>,
  wallets: string[],
  addresses: SharedAddresses,
  rpcUrls: ReadonlyMap<number, string>,
): DemoFile {
  const origin = `http://127.0.0.1:${publicPort}`;
  return {
    baseUrl: `${origin}/v1`,
    streamsUrl: `ws://127.0.0.1:${publicPort}/v1/streams`,
    keys,
    logIns: Object.fromEntries(
      // The part after # stays in the browser.
      DEMO_TIERS.map((tier) => [tier, `${origin}/portal/log-in#${demoEmail(tier)}:${demoPassword}`]),
    ) as DemoFile['logIns'],
    wallets,
    kafkaBrokers: addresses.kafkaBrokers,
    databaseUrl: addresses.databaseUrl,
    redisUrl: addresses.redisUrl,
    rpc: Object.fromEntries(rpcUrls),
  };
}
