import { numberToHex, type Address, type Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';

/**
 * The first block with code at an address, found by bisection. 0 if the node keeps no state of old blocks.
 * @param head a block in which the code exists
 * @throws ChainReadError rpc_unavailable
 */
export async function firstBlockOf(client: ChainClient, address: Address, head: bigint): Promise<bigint> {
  let [without, with_] = [-1n, head];
  try {
    while (with_ - without > 1n) {
      const middle = (without + with_) / 2n;
      const code = await client.request<Hex>('eth_getCode', [address, numberToHex(middle)]);
      if (code === '0x') without = middle;
      else with_ = middle;
    }
  } catch (error) {
    if (error instanceof ChainReadError && error.code === 'rpc_rejected') return 0n;
    throw error;
  }
  return with_;
}
