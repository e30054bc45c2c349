import { type Address, BaseError, type Hex, type Log, RpcRequestError, hexToBigInt, hexToNumber } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';
import { type Fees, firstFees } from './fees';

/** A transaction in a block. */
export interface Inclusion {
  hash: Hex;
  block: number;
  blockHash: Hex;
  success: boolean;
  logs: Log[];
}

interface RpcReceipt {
  transactionHash: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  status: Hex;
  logs: Log[];
}

/**
 * Returns the receipt of a transaction, or null while it is in no block.
 * @throws ChainReadError
 */
export async function inclusionOf(client: ChainClient, hash: Hex): Promise<Inclusion | null> {
  const receipt = await client.request<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
  if (!receipt) return null;
  const { blockNumber, blockHash, status, logs } = receipt;
  return { hash, block: hexToNumber(blockNumber), blockHash, success: status === '0x1', logs };
}

/**
 * Returns whether the node has the transaction, in a block or pending.
 * @throws ChainReadError
 */
export async function isKnown(client: ChainClient, hash: Hex): Promise<boolean> {
  return (await client.request<object | null>('eth_getTransactionByHash', [hash])) !== null;
}

/**
 * Returns the number of an account's transactions in blocks.
 * @throws ChainReadError
 */
export async function transactionCount(client: ChainClient, sender: Address): Promise<number> {
  return hexToNumber(await client.request<Hex>('eth_getTransactionCount', [sender, 'latest']));
}

/**
 * Returns the fees to offer now.
 * @throws ChainReadError
 */
export async function currentFees(client: ChainClient, cap: bigint): Promise<Fees> {
  const { baseFee, tip } = await readFees(client);
  return firstFees(baseFee, tip, cap);
}

/**
 * Returns the present gas price in wei.
 * @throws ChainReadError
 */
export async function readGasPrice(client: ChainClient): Promise<bigint> {
  const { baseFee, tip } = await readFees(client);
  return baseFee + tip;
}

async function readFees(client: ChainClient): Promise<{ baseFee: bigint; tip: bigint }> {
  const [block, tip] = await Promise.all([
    client.request<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]),
    client.request<Hex>('eth_maxPriorityFeePerGas', []),
  ]);
  return { baseFee: hexToBigInt(block.baseFeePerGas ?? '0x0'), tip: hexToBigInt(tip) };
}

/**
 * Sends the bytes to the node. Repeating it has no effect, so it is repeated in case of doubt.
 * @returns the node's objection; null when it has them
 * @throws ChainReadError without a response
 */
export async function sendRaw(client: ChainClient, raw: Hex): Promise<string | null> {
  try {
    await client.request<Hex>('eth_sendRawTransaction', [raw]);
    return null;
  } catch (error) {
    const complaint = complaintOf(error);
    if (complaint === null) throw error;
    return /already (known|imported)|known transaction|nonce too low/i.test(complaint) ? null : complaint;
  }
}

/** Returns the node's reason for a rejection, or null without a response. */
function complaintOf(error: unknown): string | null {
  if (!(error instanceof ChainReadError) || error.code !== 'rpc_rejected') return null;
  const { cause } = error;
  const response = cause instanceof BaseError ? cause.walk((each) => each instanceof RpcRequestError) : null;
  return response instanceof RpcRequestError ? response.details : 'refused';
}
