import type { ChainClient, LabelText, MarketRow, Multicall, ProtocolRegistry } from '@plimsoll/evm';
import type { ActivityReader } from '@plimsoll/protocols';
import type { Address, Hex } from 'viem';

/** A chain of the service with its readers. */
export interface ChainAccess {
  readonly client: ChainClient;
  readonly multicall: Multicall;
  readonly registry: ProtocolRegistry;
  /** The rows of the registry and those that the chain lists. */
  rows(): readonly MarketRow[];
  readers(): readonly ActivityReader[];
  /** Addresses in lower case that are not wallets of users: services, deployers, contracts of protocols. */
  labels(): ReadonlyMap<Address, LabelText>;
  /** Whether the logs of the chain are read up to its head. */
  isCaughtUp(): boolean;
}

/** A block up to which logs are read. */
export interface Cursor {
  block: bigint;
  hash: Hex;
}

/** Another instance moved the cursor meanwhile. The range must be read again from there. */
export class SupersededError extends Error {
  constructor(chainId: number) {
    super(`the cursor of chain ${chainId} was moved by another instance; nothing was written`);
  }
}
