import type { ReceiptCall, ReceiptContent } from '@plimsoll/receipts';
import type { Header } from './header';
import { Difference } from './steps';

const DEADLINE_MS = 20_000;
const MOST_AT_ONCE = 8;
/** Codes of a revert: of most nodes, and of those that state only its text. */
const REVERTED = 3;
const TEXT_OF_REVERT = /revert|invalid opcode|out of gas|stack underflow/i;
const NO_ACCOUNT = `0x${'0'.repeat(40)}`;

interface RpcError {
  code: number;
  message: string;
}

/** A node of the user. */
export class Node {
  constructor(
    private readonly url: string,
    private readonly send: typeof fetch,
  ) {}

  /** The header of the block. @throws Difference for another chain or block */
  async checkBlock({ chainId, block }: Pick<ReceiptContent, 'chainId' | 'block'>): Promise<Header> {
    await this.checkChain(chainId);
    const header = await this.request<Header | null>('eth_getBlockByHash', [block.hash, false]);
    if (header?.hash !== block.hash)
      throw new Difference('block_unknown', `the node has no block ${block.hash}`);
    const [number, timestamp] = [Number(header.number), Number(header.timestamp)];
    if (number !== block.number)
      throw new Difference(
        'block_number_differs',
        `the block is ${number}, the receipt states ${block.number}`,
      );
    if (timestamp !== block.timestamp)
      throw new Difference('block_timestamp_differs', `${timestamp}, the receipt states ${block.timestamp}`);
    return header;
  }

  /** The results of the calls of a receipt, in order. Null: the call reverted. */
  async results({
    calls,
    caller,
    block,
  }: {
    calls: readonly Pick<ReceiptCall, 'to' | 'data'>[];
    /** Absent: the zero address. */
    caller?: string;
    block: ReceiptContent['block'];
  }): Promise<(string | null)[]> {
    const results: (string | null)[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < calls.length; at = next++) {
        const { to, data } = calls[at]!;
        results[at] = await this.call({ ...(caller !== undefined && { from: caller }), to, data }, block);
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    return results;
  }

  /** A transaction with its block. @throws Difference for another chain, and for a transaction that is in no block */
  async transaction(chainId: number, hash: string): Promise<{ from: string; input: string; block: Header }> {
    await this.checkChain(chainId);
    const found = await this.request<{ from: string; input: string; blockHash: string | null } | null>(
      'eth_getTransactionByHash',
      [hash],
    );
    const block =
      found?.blockHash && (await this.request<Header | null>('eth_getBlockByHash', [found.blockHash, false]));
    if (!found || !block)
      throw new Difference('anchor_unknown', `the node has no block with the transaction ${hash}`);
    return { from: found.from.toLowerCase(), input: found.input.toLowerCase(), block };
  }

  /** The proof of an account and of slots of its storage. */
  async proof(address: string, slots: readonly string[], block: ReceiptContent['block']): Promise<unknown> {
    const response = await this.raw('eth_getProof', [address, slots, pinOf(block)]);
    if ('result' in response) return response.result;
    throw new Difference('proof_unavailable', `eth_getProof: ${response.error.message}`);
  }

  private async checkChain(chainId: number): Promise<void> {
    const own = Number(await this.request<string>('eth_chainId', []));
    if (own !== chainId)
      throw new Difference('chain_differs', `the node has chain ${own}, the receipt ${chainId}`);
  }

  private async call(transaction: object, block: ReceiptContent['block']): Promise<string | null> {
    const pin = pinOf(block);
    const result = await this.raw<string>('eth_call', [transaction, pin]);
    if ('result' in result) return result.result.toLowerCase();
    const { error } = result;
    if (error.code === REVERTED || TEXT_OF_REVERT.test(error.message)) return null;
    const state = await this.raw('eth_getBalance', [NO_ACCOUNT, pin]);
    if ('result' in state) throw new Difference('node_failed', `eth_call: ${error.message}`);
    // A node that has the state of the block, and not by its hash, does not know EIP-1898.
    const byNumber = await this.raw('eth_getBalance', [NO_ACCOUNT, `0x${block.number.toString(16)}`]);
    throw 'result' in byNumber
      ? new Difference('node_failed', 'the node takes no block hash (EIP-1898): use another one')
      : new Difference('state_unavailable', state.error.message);
  }

  private async request<T>(method: string, params: readonly unknown[]): Promise<T> {
    const result = await this.raw<T>(method, params);
    if ('result' in result) return result.result;
    throw new Difference('node_failed', `${method}: ${result.error.message}`);
  }

  private async raw<T>(
    method: string,
    params: readonly unknown[],
  ): Promise<{ result: T } | { error: RpcError }> {
    // The fetch of a browser fails when it is called as a method of another object.
    const { send } = this;
    try {
      const response = await send(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const body = (await response.json()) as { result?: T; error?: RpcError };
      if (body.error) return { error: body.error };
      if (body.result !== undefined) return { result: body.result };
    } catch (cause) {
      throw new Difference(
        'node_failed',
        `${method}: ${cause instanceof Error ? cause.message : 'no response'}`,
      );
    }
    throw new Difference('node_failed', `${method}: no result`);
  }
}

function pinOf({ hash }: ReceiptContent['block']): object {
  return { blockHash: hash, requireCanonical: true };
}
