import type { Address, Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';
import { type Aggregate3Result, decodeAggregate3, encodeAggregate3 } from './aggregate3';
import { Multicall, outcomeOf } from './multicall';
import { type BlockRef, PinnedCall } from './pinned-call';
import type { Outcome, ReadPlan } from './read-call';

/**
 * Reads a chain as it would be after an account made some calls. For the length of a read, the account has the code of
 * Multicall3, so that it is the sender of the calls.
 */
export class MulticallAfter extends Multicall {
  private readonly pinnedCall: PinnedCall;

  constructor(
    private readonly node: ChainClient,
    multicall3: Address,
    private readonly account: Address,
    private readonly calls: readonly { target: Address; data: Hex }[],
  ) {
    super(node, multicall3);
    this.pinnedCall = new PinnedCall(node);
  }

  /** @throws ChainReadError call_failed when a call of the account reverts */
  override async read<T>(plan: ReadPlan<T>, block: BlockRef): Promise<T> {
    const code = await this.node.request<Hex>('eth_getCode', [this.multicall3, 'latest']);
    const data = encodeAggregate3([...this.calls, ...plan.calls]);
    const response = await this.pinnedCall.call({ to: this.account, data }, block, {
      [this.account]: { code },
    });
    const results: readonly Aggregate3Result[] = decodeAggregate3(response);
    const { chainId } = this.node;
    if (results.slice(0, this.calls.length).some(({ success }) => !success))
      throw new ChainReadError(
        'call_failed',
        chainId,
        `a call of ${this.account} on chain ${chainId} reverts`,
      );
    const own = results.slice(this.calls.length);
    return plan.assemble(plan.calls.map((call, at): Outcome<unknown> => outcomeOf(call, own[at])));
  }
}
