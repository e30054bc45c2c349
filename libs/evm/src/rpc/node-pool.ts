import { RpcNode } from './rpc-node';

/** A node further behind than this is used only if there is no other. */
const MAX_LAG_BLOCKS = 3n;
const HEAD_CHECK_INTERVAL_MS = 5_000;

/**
 * The nodes of one chain, in order of preference. A request is sent to the first node that is healthy and not
 * behind.
 */
export class NodePool {
  private readonly nodes: readonly RpcNode[];
  private readonly strangers = new Set<RpcNode>();
  private headsRequestedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly chainId: number,
    urls: readonly string[],
    timeoutMs: number,
  ) {
    this.nodes = urls.map((url) => new RpcNode(url, timeoutMs));
  }

  get all(): readonly RpcNode[] {
    return this.nodes;
  }

  get size(): number {
    return this.nodes.length;
  }

  /** The next node to use, `tried` ones last. Null when every node is one of another chain. */
  next(tried: ReadonlySet<RpcNode>, nowMs: number): RpcNode | null {
    const rank = (node: RpcNode): number =>
      (tried.has(node) ? 4 : 0) + (node.isResting(nowMs) ? 2 : 0) + (this.isLagging(node) ? 1 : 0);
    const usable = this.nodes.filter((node) => !this.strangers.has(node));
    return usable.reduce<RpcNode | null>(
      (best, node) => (best === null || rank(node) < rank(best) ? node : best),
      null,
    );
  }

  /**
   * Whether the node may be used. The only node of a chain is not checked for its chain id, because there is
   * no alternative.
   * @throws viem's errors
   */
  async admits(node: RpcNode): Promise<boolean> {
    if (this.nodes.length === 1 || (await node.isOf(this.chainId))) return true;
    this.strangers.add(node);
    return false;
  }

  /** Whether other nodes have blocks that this one lacks. */
  isLagging({ head }: RpcNode): boolean {
    const known = this.knownHead();
    return head !== null && known !== null && known - head > MAX_LAG_BLOCKS;
  }

  /**
   * Reads the heads of the other nodes from time to time, so that a stopped node is noticed. Never rejects.
   */
  checkHeads(asked: RpcNode, nowMs: number): void {
    if (nowMs - this.headsRequestedAtMs < HEAD_CHECK_INTERVAL_MS) return;
    this.headsRequestedAtMs = nowMs;
    for (const node of this.nodes) {
      if (node === asked || node.isResting(nowMs) || this.strangers.has(node)) continue;
      const look = async (): Promise<void> => {
        if (await this.admits(node)) await node.send('eth_getBlockByNumber', ['latest', false]);
      };
      look().catch(() => node.rest(nowMs, 0));
    }
  }

  /**
   * The height of the chain. With three nodes or more, a single node that is ahead of all others does not
   * count.
   */
  private knownHead(): bigint | null {
    const heads = this.nodes
      .filter((node) => !this.strangers.has(node))
      .flatMap(({ head }) => (head === null ? [] : [head]))
      .sort((a, b) => (a < b ? 1 : -1));
    return (heads.length >= 3 ? heads[1] : heads[0]) ?? null;
  }
}
