import { type ChainClient, Multicall, createChainClient, loadRegistry, readLatestHead } from '@plimsoll/evm';
import { type HoldingsIndex, type RawPosition, createReaders } from '@plimsoll/protocols';
import type { Address, Hex } from 'viem';
import { MULTICALL3, type LocalMarket } from './local-market';

interface RpcLog {
  address: Address;
  topics: [Hex, ...Hex[]];
  data: Hex;
  blockNumber: Hex;
}

/** Sub-ids from the logs of the whole chain. */
function indexOf(client: ChainClient): HoldingsIndex {
  return {
    subIdsOf: async (_row, source, wallets) => {
      const filter = { address: [...source.addresses], fromBlock: '0x0', toBlock: 'latest' };
      const logs = await client.request<RpcLog[]>('eth_getLogs', [filter]);
      const subIds = new Map<Address, string[]>();
      for (const log of logs.filter(({ topics }) => source.topics.includes(topics[0]))) {
        for (const { wallet, subId } of source.entriesOf(log)) {
          const known = subIds.get(wallet) ?? [];
          if (wallets.includes(wallet) && !known.includes(subId)) subIds.set(wallet, [...known, subId]);
        }
      }
      return subIds;
    },
  };
}

/**
 * Returns the seeded wallets' positions with debt on a protocol.
 * @throws when one cannot be read
 */
export async function positionsOn(market: LocalMarket, protocol: string): Promise<RawPosition[]> {
  const client = createChainClient({ chainId: market.endpoint.chainId, rpcUrl: market.node.url });
  const registry = await loadRegistry(market.overlayPath);
  const multicall = new Multicall(client, MULTICALL3);
  const readers = createReaders(registry, { client, multicall, index: indexOf(client) });
  const reader = readers.find(({ row }) => row.protocol === protocol)!;
  const wallets = market.wallets.map(({ address }) => address.toLowerCase() as Address);
  const { positions, unreadable } = await reader.readPositions(wallets, await readLatestHead(client));
  if (unreadable.length > 0) throw new Error(`${protocol} cannot be read: ${unreadable[0]!.reason}`);
  return positions.filter(({ healthFactorRaw }) => healthFactorRaw !== null);
}
