import type { ChainClient } from './chain-client';
import { ChainReadError } from './chain-read-error';

const known = new WeakMap<ChainClient, Promise<boolean>>();

/** Whether the node of a client is anvil. It is requested once for each client. @throws ChainReadError */
export function isAnvil(client: ChainClient): Promise<boolean> {
  const before = known.get(client);
  if (before) return before;
  const asked = findAnvil(client);
  known.set(client, asked);
  asked.catch(() => known.delete(client));
  return asked;
}

async function findAnvil(client: ChainClient): Promise<boolean> {
  try {
    return (await client.request<string>('web3_clientVersion', [])).startsWith('anvil/');
  } catch (error) {
    // A node may not offer the method. Anvil does.
    if (error instanceof ChainReadError && error.code === 'rpc_rejected') return false;
    throw error;
  }
}
