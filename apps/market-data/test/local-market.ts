import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DevnetAddresses, deployDevnet, registryOverlay } from '@plimsoll/devnet';
import { type OwnPart, createTestFolder, startOwnEvm } from '@plimsoll/testing';
import type { MarketDataConfig } from '../src/config';

/** A local chain with the devnet's market. */
export interface LocalMarket {
  node: OwnPart;
  addresses: DevnetAddresses;
  /** Settings of the service for its feeds. */
  settings: Partial<MarketDataConfig>;
  close(): Promise<void>;
}

export async function startLocalMarket(): Promise<LocalMarket> {
  const node = await startOwnEvm({ chainId: 1 });
  const folder = await createTestFolder();
  const addresses = await deployDevnet({ rpcUrl: node.url, chainId: 1 });
  const overlay = path.join(folder.path, 'overlay.json');
  await writeFile(overlay, JSON.stringify(registryOverlay(addresses)));
  return {
    node,
    addresses,
    settings: {
      RPC_URL: { chains: [{ chainId: 1, rpcUrl: node.url }], problem: null },
      REGISTRY_OVERLAY: overlay,
    },
    close: async () => {
      await node.dispose();
      await folder.remove();
    },
  };
}
