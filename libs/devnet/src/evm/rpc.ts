import { createClient, getAddress, http, type Address, type Client, type Hex } from 'viem';

/** A raw JSON-RPC client of an anvil node. Calls of one turn of the event loop are sent as one batch. */
export interface AnvilRpc {
  /** @throws viem's RPC errors unchanged */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
}

const CALL_TIMEOUT_MS = 20_000;
const BATCH_SIZE = 200;

/** Connects to an anvil node at an http address. It sends nothing before the first call. */
export function connectAnvil(rpcUrl: string): AnvilRpc {
  const client: Client = createClient({
    transport: http(rpcUrl, {
      timeout: CALL_TIMEOUT_MS,
      retryCount: 0,
      batch: { batchSize: BATCH_SIZE, wait: 0 },
    }),
  });
  const send = client.request as (args: { method: string; params: readonly unknown[] }) => Promise<unknown>;
  return {
    request: async <T>(method: string, params: readonly unknown[]) => (await send({ method, params })) as T,
  };
}

/** The first unlocked dev account of the node: it deploys, mints and sets prices. */
export async function operatorOf(rpc: AnvilRpc): Promise<Address> {
  const [first] = await rpc.request<Hex[]>('eth_accounts', []);
  if (!first) throw new Error('the node has no unlocked accounts: start anvil with its default accounts');
  return getAddress(first);
}
