import { numberToHex, type Address, type Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';

/** A log as far as readers look at it. */
export interface ChainLog {
  address: Address;
  topics: readonly Hex[];
  data: Hex;
  blockNumber: Hex;
}

/** A log with its place in the chain. */
export interface MinedLog extends ChainLog {
  blockHash: Hex;
  transactionHash: Hex;
  logIndex: Hex;
}

/** Which logs to read: of any of these addresses, with any of these first topics, and of each further list any topic. */
export interface LogFilter {
  addresses: readonly Address[];
  topics: readonly Hex[];
  /** By place, from the second topic on; null: any. */
  furtherTopics?: readonly (readonly Hex[] | null)[];
}

const MAX_RANGE = 2_000n;

/**
 * Logs of the blocks, both ends included, oldest first; with their place in the chain where L says MinedLog. Wide ranges are read in parts, and in smaller ones where a node
 * refuses. @throws ChainReadError
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
