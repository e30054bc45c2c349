import type { ChainClient } from '@plimsoll/evm';
import { type Address, type Hex, numberToHex } from 'viem';
import type { NativeFunder } from './native-funders.repository';

/**
 * A wallet that sent more transactions is an exchange or another service, and its payments are not evidence.
 */
const MOST_SENT = 10_000n;

interface FullBlock {
  transactions: readonly { from: Address; to: Address | null; value: Hex }[];
}

/**
 * Returns the sender of a wallet's first native coins. These have no logs, so a binary search finds the
 * block: a key needs coins to send anything, so until its first transaction its balance only grows. It needs
 * about fifty requests for the state of old blocks.
 * @throws ChainReadError, rpc_rejected when the node keeps no such state
 * @returns null while the wallet has sent nothing, because its balance may be dust from a stranger
 */
export async function firstNativeFunder(
  client: ChainClient,
  wallet: Address,
  newest: bigint,
): Promise<NativeFunder | null> {
  const nothing = (block: bigint): NativeFunder => ({ wallet, funder: null, block });
  const at = async (method: string, address: Address, block: bigint): Promise<bigint> =>
    BigInt(await client.request<Hex>(method, [address, numberToHex(block)]));
  const code = await client.request<Hex>('eth_getCode', [wallet, numberToHex(newest)]);
  // A contract sends without its key.
  if (code !== '0x') return nothing(newest);
  if ((await at('eth_getTransactionCount', wallet, newest)) === 0n) return null;
  const hasSent = async (block: bigint): Promise<boolean> =>
    (await at('eth_getTransactionCount', wallet, block)) > 0n;
  const first = await lowest(0n, newest, hasSent);
  const hasCoin = async (block: bigint): Promise<boolean> => (await at('eth_getBalance', wallet, block)) > 0n;
  // Funded in the block of its first transaction at the latest.
  const funded =
    first === 0n ? 0n : await lowest(0n, first, async (block) => block === first || hasCoin(block));
  const full = await client.request<FullBlock | null>('eth_getBlockByNumber', [numberToHex(funded), true]);
  const payment = full?.transactions.find(
    ({ to, value }) => to?.toLowerCase() === wallet && BigInt(value) > 0n,
  );
  if (!payment) return nothing(funded);
  const funder = payment.from.toLowerCase() as Address;
  const isService = (await at('eth_getTransactionCount', funder, newest)) > MOST_SENT;
  return isService || funder === wallet ? nothing(funded) : { wallet, funder, block: funded };
}

/**
 * Returns the lowest block for which a condition is true, when it is true for the last and remains true after
 * the first.
 */
async function lowest(
  from: bigint,
  to: bigint,
  isTrue: (block: bigint) => Promise<boolean>,
): Promise<bigint> {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (await isTrue(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}
