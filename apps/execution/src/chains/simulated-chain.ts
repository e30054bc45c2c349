import { type BlockRef, type ChainClient, ChainReadError } from '@plimsoll/evm';
import type { PlannedCall } from '@plimsoll/protocols';
import type { Address, Hex } from 'viem';
import { simulateByBatch } from '../simulation/simulate-by-batch';
import { simulateByV1 } from '../simulation/simulate-by-v1';
import { type SimulatedCall, SimulationUnavailable } from '../simulation/simulated-call';

/**
 * A chain after some calls of one account on a block. Its reads run after the calls, in one request with
 * them, so a family's own reader returns the resulting position.
 */
export class SimulatedChain implements ChainClient {
  readonly chainId: number;
  /** Results of the calls. Empty before the first read. */
  results: readonly SimulatedCall[] = [];
  /** The block of the reads: the one after the calls. */
  readonly block: BlockRef;

  constructor(
    private readonly client: ChainClient,
    private readonly base: BlockRef,
    private readonly from: Address,
    private readonly calls: readonly PlannedCall[],
  ) {
    this.chainId = client.chainId;
    const after = BigInt(calls.length + 1);
    this.block = { number: base.number + after, hash: base.hash, timestamp: base.timestamp + after };
  }

  /**
   * Runs only the calls.
   * @throws ChainReadError
   */
  async run(): Promise<readonly SimulatedCall[]> {
    await this.simulate([]);
    return this.results;
  }

  /** eth_call uses the state after the calls, whatever block it names. Everything else goes to the node. */
  async request<T>(method: string, params: readonly unknown[]): Promise<T> {
    if (method !== 'eth_call') return this.client.request<T>(method, params);
    const [{ to, data }] = params as [{ to: Address; data: Hex }];
    const [response] = await this.simulate([{ to, data }]);
    if (response?.success) return response.data as T;
    throw new ChainReadError('rpc_rejected', this.chainId, 'a read after the simulated calls reverted');
  }

  private async simulate(reads: readonly { to: Address; data: Hex }[]): Promise<readonly SimulatedCall[]> {
    const { client, base, from, calls } = this;
    const request = { base, from, calls, reads };
    const all = await simulateByV1(client, request).catch((error: unknown) => {
      if (error instanceof SimulationUnavailable) return simulateByBatch(client, request);
      throw error;
    });
    this.results = all.slice(0, calls.length);
    return all.slice(calls.length);
  }
}
