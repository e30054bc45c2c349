import { type ChainClient } from '@plimsoll/chain';
import { type Address, type Hex, numberToHex } from 'viem';
import type { NativeFunder } from './native-funders.repository';

/** Who sent more transactions is an exchange or another service, and says nothing of whom it pays. */
const MOST_SENT = 10_000n;

interface FullBlock {
  transactions: readonly { from: Address; to: Address | null; value: Hex }[];
}

/**
 * Who sent a wallet the first of the chain's own coin. It has no logs, so the block is searched for by halving: a key sends
 * nothing before it has something to pay with, so until its first transaction its balance only grows. Some fifty calls that
 * need the state of old blocks. @throws ChainReadError, rpc_rejected where the node keeps no such state
 * @returns null while the wallet has sent nothing: what it holds then may be anybody's dust
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
  // What a contract sent is not its key's.
  if (code !== '0x') return nothing(newest);
  if ((await at('eth_getTransactionCount', wallet, newest)) === 0n) return null;
  const hasSent = async (block: bigint): Promise<boolean> =>
    (await at('eth_getTransactionCount', wallet, block)) > 0n;
  const first = await lowest(0n, newest, hasSent);
  const hasCoin = async (block: bigint): Promise<boolean> => (await at('eth_getBalance', wallet, block)) > 0n;
  // Funded in the block of its first transaction, if not before.
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

/** The lowest block of which it is true, where it is true of the last and stays so from the first on. */
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
