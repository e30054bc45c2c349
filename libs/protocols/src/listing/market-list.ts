import type { BlockRef, ContractRow, MarketRow, Multicall } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { HoldingsIndex } from '../reader/family';

/** The clients with which a list is read. */
export interface ListScope {
  /** The root as a row, which names the subject of errors and the source of an index. */
  row: MarketRow;
  multicall: Multicall;
  /** Present if the list is read from an index of logs. */
  index?: HoldingsIndex;
}

/** How the markets of a family are listed from a contract of their protocol: the root. */
export interface MarketList {
  /** The entry of a protocol's contracts that states the root, or several of them. */
  root: string;
  /** The contract by which a market is recognised among the rows of its protocol. */
  identity: string;
  /** Set if no call lists the markets: they are then in the logs of the root. */
  needsIndex?: true;
  /** The contracts of each market that the root lists. @throws ChainReadError */
  read(scope: ListScope, root: Address, block: BlockRef): Promise<readonly ContractRow[]>;
}
