import {
  deployDevnet,
  registryOverlay,
  seedPositions,
  type DevnetAddresses,
  type SeededWallet,
} from '@plimsoll/devnet';
import {
  Multicall,
  createChainClient,
  loadRegistry,
  marketsOf,
  mergeOverlay,
  parseOverlay,
  type BlockRef,
  type ChainClient,
} from '@plimsoll/evm';
import { startOwnEvm, type OwnPart } from '@plimsoll/testing';
import { createPublicClient, http, type PublicClient } from 'viem';
import { FamilyReader } from '../src/reader/family-reader';
import { aaveV3 } from '../src/aave-v3/reader';

export type AaveV3Reader = Awaited<ReturnType<typeof readerOver>>;

/** A seeded market on an EVM node of the test's own, with a reader on it and a plain viem client beside it. */
export interface DevnetMarket {
  node: OwnPart;
  wsUrl: string;
  addresses: DevnetAddresses;
  wallets: SeededWallet[];
  client: ChainClient;
  viem: PublicClient;
  reader: AaveV3Reader;
  /** Moves the chain's clock and mines one block. */
  passTime(seconds: number): Promise<void>;
  head(): Promise<BlockRef>;
}

/** A reader on the devnet's market over any client. */
export async function readerOver(client: ChainClient, addresses: DevnetAddresses) {
  const registry = mergeOverlay(await loadRegistry(), parseOverlay(registryOverlay(addresses)));
  const [row] = marketsOf(registry, 'aave-v3', addresses.chainId);
  if (!row) throw new Error('the overlay names no aave-v3 market');
  return new FamilyReader(aaveV3, row, { client, multicall: new Multicall(client, addresses.multicall3) });
}

/** Starts the node, deploys the market and seeds its positions. */
export async function startDevnetMarket(): Promise<DevnetMarket> {
  const node = await startOwnEvm({ chainId: 1 });
  const addresses = await deployDevnet({ rpcUrl: node.url, chainId: 1 });
  const wallets = await seedPositions(node.url, addresses);
  const client = createChainClient({ chainId: 1, rpcUrl: node.url });
  const viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
  return {
    node,
    wsUrl: node.url.replace('http', 'ws'),
    addresses,
    wallets,
    client,
    viem,
    reader: await readerOver(client, addresses),
    passTime: async (seconds) => {
      await client.request('evm_increaseTime', [seconds]);
      await client.request('evm_mine', []);
    },
    head: () => viem.getBlock(),
  };
}
