import type { BlockRef, MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { IndexSource } from './family';

/**
 * The sub-ids of a registry row in which a wallet has ever acted. A service with a database keeps it. A
 * reader of a family without enumeration by wallet queries it before it reads accounts.
 */
export interface HoldingsIndex {
  /**
   * Sub-ids of the wallets as of the block, later ones included. A wallet without any may be omitted.
   * @param source the logs to read
   * @throws ChainReadError index_behind while the index has not read the logs up to the block
   */
  subIdsOf(
    row: MarketRow,
    source: IndexSource,
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<ReadonlyMap<Address, readonly string[]>>;
}
