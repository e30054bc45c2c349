import { hexToBigInt, numberToHex, zeroAddress, type Address, type Hex } from 'viem';
import type { Head, RpcHeader } from '../heads/head';
import { isAnvil } from '../rpc/anvil';
import type { ChainClient } from '../rpc/chain-client';
import { rpcErrorCode } from '../rpc/rpc-error';
import { ChainReadError } from '../rpc/chain-read-error';

/** The block a read is pinned to. */
export type BlockRef = Pick<Head, 'number' | 'hash' | 'timestamp'>;

const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32001;
/** A node's own errors: an unknown block, a pruned state, and also calls that it rejects. */
const SERVER_ERROR = -32000;

/** A call to execute. */
export interface Transaction {
  from?: Address;
  to: Address;
  data: Hex;
  gas?: Hex;
}

interface Call {
  transaction: Transaction;
  overrides: CodeOverrides | undefined;
}

/**
 * A node that rejects the hashes of this many blocks one after the other does not support them. One rejection does not
 * prove that, because nodes have other reasons for the same code, such as a call that needs too much gas.
 */
const REJECTED_BLOCKS = 3;

/** Code that accounts have during a call only. */
export type CodeOverrides = Readonly<Record<Address, { code: Hex }>>;

/**
 * eth_call on exactly one block, by its hash (EIP-1898): a reorg between two chunks is an error and never a
 * mixture. For a node that does not support hashes it uses the number and compares the block's hash
 * afterwards.
 */
export class PinnedCall {
  /** Hashes of the blocks that were rejected since a call by hash succeeded. */
  private readonly rejected = new Set<Hex>();
  /** The newest block at the last check. */
  private newest = 0n;

  constructor(private readonly client: ChainClient) {}

  /** @throws ChainReadError block_gone when the node has no state of the block: reorged or pruned */
  async call(transaction: Transaction, block: BlockRef, overrides?: CodeOverrides): Promise<Hex> {
    const call: Call = { transaction, overrides };
    const isEarlier = block.number < this.newest;
    const result = await this.callOnce(call, block);
    return !isEarlier && (await this.isOfNextBlock(block)) ? this.callOnce(call, block) : result;
  }

  /**
   * Whether a result may be that of the next block. Anvil executes a call at its newest block on the newest
   * state, which is the next block's if one was mined in between. It executes a call at an earlier block on
   * that block's own state.
   */
  private async isOfNextBlock({ number }: BlockRef): Promise<boolean> {
    if (!(await isAnvil(this.client))) return false;
    this.newest = hexToBigInt(await this.client.request<Hex>('eth_blockNumber', []));
    return this.newest > number;
  }

  private async callOnce(call: Call, block: BlockRef): Promise<Hex> {
    if (this.rejected.size >= REJECTED_BLOCKS) return this.callByNumber(call, block);
    const pin = { blockHash: block.hash, requireCanonical: true };
    try {
      const result = await this.client.request<Hex>('eth_call', paramsOf(call, pin));
      this.rejected.clear();
      return result;
    } catch (error) {
      if (await this.isOfMissingState(error, pin)) throw this.missingBlockError(block, error);
      if (errorCode(error) !== INVALID_PARAMS) throw error;
      const result = await this.callByNumber(call, block);
      this.rejected.add(block.hash);
      return result;
    }
  }

  /**
   * Whether a call failed because the node has no state of its block. Geth and others return -32000 for that and
   * for a call that is too large too, and their texts differ. A balance needs only the state.
   */
  private async isOfMissingState(error: unknown, pin: unknown): Promise<boolean> {
    const code = errorCode(error);
    if (code !== SERVER_ERROR) return code === RESOURCE_NOT_FOUND;
    try {
      await this.client.request('eth_getBalance', [zeroAddress, pin]);
      return false;
    } catch (missing) {
      const reason = errorCode(missing);
      return reason === SERVER_ERROR || reason === RESOURCE_NOT_FOUND;
    }
  }

  private async callByNumber(call: Call, block: BlockRef): Promise<Hex> {
    const number = numberToHex(block.number);
    const result = await this.callAt(call, block, number);
    const header = await this.client.request<RpcHeader | null>('eth_getBlockByNumber', [number, false]);
    if (header?.hash !== block.hash) throw this.missingBlockError(block, undefined);
    return result;
  }

  private async callAt(call: Call, block: BlockRef, number: Hex): Promise<Hex> {
    try {
      return await this.client.request<Hex>('eth_call', paramsOf(call, number));
    } catch (error) {
      if (await this.isOfMissingState(error, number)) throw this.missingBlockError(block, error);
      throw error;
    }
  }

  private missingBlockError(block: BlockRef, cause: unknown): ChainReadError {
    const message = `the node of chain ${this.client.chainId} has no state of block ${block.number} (${block.hash}), which a reorg removed or the node pruned: read at the new head`;
    return new ChainReadError('block_gone', this.client.chainId, message, { cause });
  }
}

function paramsOf({ transaction, overrides }: Call, pin: unknown): readonly unknown[] {
  return overrides ? [transaction, pin, overrides] : [transaction, pin];
}

function errorCode(error: unknown): number | null {
  return error instanceof ChainReadError ? rpcErrorCode(error.cause) : null;
}
