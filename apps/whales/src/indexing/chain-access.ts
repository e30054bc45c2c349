import type { ActivityReader, ChainClient, Multicall, ProtocolRegistry } from '@plimsoll/chain';

/** A chain of the service with what reads it. */
export interface ChainAccess {
  readonly client: ChainClient;
  readonly multicall: Multicall;
  readonly registry: ProtocolRegistry;
  readers(): readonly ActivityReader[];
  /** Whether the logs of the chain are read up to its head. */
  isCaughtUp(): boolean;
}
