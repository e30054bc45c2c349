import { readLogs, type ChainClient } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { HoldingsIndex } from '../src/reader/family';

/** An index that reads all logs up to the requested block at each call. */
export function logIndex(client: ChainClient): HoldingsIndex {
  return {
    subIdsOf: async (_row, source, wallets, block) => {
      const found = new Map<Address, Set<string>>(wallets.map((wallet) => [wallet, new Set()]));
      for await (const { logs } of readLogs(client, source, 0n, block.number))
        for (const log of logs)
          for (const { wallet, subId } of source.entriesOf(log)) found.get(wallet)?.add(subId);
      return new Map([...found].map(([wallet, subIds]) => [wallet, [...subIds]]));
    },
  };
}
