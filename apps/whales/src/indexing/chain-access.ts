import type { ChainClient, LabelText, Multicall, ProtocolRegistry } from '@plimsoll/evm';
import type { ActivityReader } from '@plimsoll/protocols';
import type { Address } from 'viem';

/** A chain of the service with its readers. */
export interface ChainAccess {
  readonly client: ChainClient;
  readonly multicall: Multicall;
  readonly registry: ProtocolRegistry;
  readers(): readonly ActivityReader[];
  /** Addresses in lower case that are not wallets of users: services, deployers, contracts of protocols. */
  labels(): ReadonlyMap<Address, LabelText>;
  /** Whether the logs of the chain are read up to its head. */
  isCaughtUp(): boolean;
}
