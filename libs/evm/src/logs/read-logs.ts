import { numberToHex, type Address, type Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';

/** The fields of a log that readers use. */
export interface ChainLog {
  address: Address;
  topics: readonly Hex[];
  data: Hex;
  blockNumber: Hex;
}

/** A log with its position in the chain. */
export interface MinedLog extends ChainLog {
  blockHash: Hex;
  transactionHash: Hex;
  logIndex: Hex;
}

/**
 * The logs to read: of any of these addresses, with any of these first topics, and with any topic of each
 * further list.
 */
export interface LogFilter {
  addresses: readonly Address[];
  topics: readonly Hex[];
  /** The index is the topic position, from the second topic on. Null: any. */
  furtherTopics?: readonly (readonly Hex[] | null)[];
}

const MAX_RANGE = 2_000n;

/**
 * Logs of the blocks, both ends included, oldest first. MinedLog adds their position in the chain. Wide
 * ranges are read in parts, and in smaller ones if a node rejects them. @throws ChainReadError
 */
export async function* readLogs<L extends ChainLog = ChainLog>(
  client: ChainClient,
  { addresses, topics, furtherTopics = [] }: LogFilter,
  fromBlock: bigint,
  toBlock: bigint,
): AsyncGenerator<{ logs: L[]; toBlock: bigint }> {
  let range = MAX_RANGE;
  for (let from = fromBlock; from <= toBlock;) {
    const to = from + range - 1n < toBlock ? from + range - 1n : toBlock;
    const filter = {
      address: addresses,
      topics: [topics, ...furtherTopics],
      fromBlock: numberToHex(from),
      toBlock: numberToHex(to),
    };
    try {
      yield { logs: await client.request<L[]>('eth_getLogs', [filter]), toBlock: to };
      from = to + 1n;
    } catch (error) {
      const refused = error instanceof ChainReadError && error.code === 'rpc_rejected';
      if (!refused || range === 1n) throw error;
      range /= 2n;
    }
  }
}

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
