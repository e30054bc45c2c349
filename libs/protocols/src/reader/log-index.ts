import { readLogs, type ChainClient } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { HoldingsIndex } from './family';

/**
 * An index without a database: it reads the logs of each source again at every call. For tools and tests.
 * @param firstBlock the first block with logs
 */
export function logIndex(client: ChainClient, firstBlock = 0n): HoldingsIndex {
  return {
    subIdsOf: async (_row, source, wallets, block) => {
      const found = new Map<Address, Set<string>>(wallets.map((wallet) => [wallet, new Set()]));
      for await (const { logs } of readLogs(client, source, firstBlock, block.number))
        for (const log of logs)
          for (const { wallet, subId } of source.entriesOf(log)) found.get(wallet)?.add(subId);
      return new Map([...found].map(([wallet, subIds]) => [wallet, [...subIds]]));
    },
  };
}
