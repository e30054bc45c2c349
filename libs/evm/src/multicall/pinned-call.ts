import { hexToBigInt, numberToHex, zeroAddress, type Address, type Hex } from 'viem';
import type { Head, RpcHeader } from '../heads/head';
import { rpcErrorCode, type ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';

/** The block a read is pinned to. */
export type BlockRef = Pick<Head, 'number' | 'hash' | 'timestamp'>;

const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32001;
/** A node's own errors: an unknown block, a pruned state, and also calls that it rejects. */
const SERVER_ERROR = -32000;

interface Transaction {
  to: Address;
  data: Hex;
}

/**
 * eth_call on exactly one block, by its hash (EIP-1898): a reorg between two chunks is an error and never a
 * mixture. For a node that does not support hashes it uses the number and compares the block's hash
 * afterwards.
 */
export class PinnedCall {
  private byHash = true;
  /** Undefined: not known yet. */
  private isAnvil: boolean | undefined;
  /** The newest block at the last check. */
  private newest = 0n;

  constructor(private readonly client: ChainClient) {}

  /** @throws ChainReadError block_gone when the node has no state of the block: reorged or pruned */
  async call(transaction: Transaction, block: BlockRef): Promise<Hex> {
    const isEarlier = block.number < this.newest;
    const result = await this.callOnce(transaction, block);
    return !isEarlier && (await this.isOfNextBlock(block)) ? this.callOnce(transaction, block) : result;
  }

  /**
   * Whether a result may be that of the next block. Anvil executes a call at its newest block on the newest
   * state, which is the next block's if one was mined in between. It executes a call at an earlier block on
   * that block's own state.
   */
  private async isOfNextBlock({ number }: BlockRef): Promise<boolean> {
    this.isAnvil ??= await this.findAnvil();
    if (!this.isAnvil) return false;
    this.newest = hexToBigInt(await this.client.request<Hex>('eth_blockNumber', []));
    return this.newest > number;
  }

  private async findAnvil(): Promise<boolean> {
    try {
      return (await this.client.request<string>('web3_clientVersion', [])).startsWith('anvil/');
    } catch (error) {
      // A node may not offer the method. Anvil does.
      if (error instanceof ChainReadError && error.code === 'rpc_rejected') return false;
      throw error;
    }
  }

  private async callOnce(transaction: Transaction, block: BlockRef): Promise<Hex> {
    if (!this.byHash) return this.callByNumber(transaction, block);
    const pin = { blockHash: block.hash, requireCanonical: true };
    try {
      return await this.client.request<Hex>('eth_call', [transaction, pin]);
    } catch (error) {
      if (await this.isOfMissingState(error, pin)) throw this.missingBlockError(block, error);
      if (errorCode(error) !== INVALID_PARAMS) throw error;
      this.byHash = false;
      return this.callByNumber(transaction, block);
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

  private async callByNumber(transaction: Transaction, block: BlockRef): Promise<Hex> {
    const number = numberToHex(block.number);
    const result = await this.callAt(transaction, block, number);
    const header = await this.client.request<RpcHeader | null>('eth_getBlockByNumber', [number, false]);
    if (header?.hash !== block.hash) throw this.missingBlockError(block, undefined);
    return result;
  }

  private async callAt(transaction: Transaction, block: BlockRef, number: Hex): Promise<Hex> {
    try {
      return await this.client.request<Hex>('eth_call', [transaction, number]);
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

function errorCode(error: unknown): number | null {
  return error instanceof ChainReadError ? rpcErrorCode(error.cause) : null;
}
