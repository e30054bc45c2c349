import { setTimeout as delay } from 'node:timers/promises';
import { agreedResult, needsAgreement } from './agreement';
import { ChainReadError } from './chain-read-error';
import { NodePool } from './node-pool';
import { LIMIT_EXCEEDED, isOfOneNode, rpcErrorCode } from './rpc-error';
import { isLatest, type RpcNode } from './rpc-node';

/** Settings of the connection to one chain. */
export interface ChainClientOptions {
  chainId: number;
  /** Address of the node, or several with commas between, in order of preference. */
  rpcUrl: string;
  /**
   * The number of nodes that must return the same block hashes, logs and results of calls. Absent: the first node that
   * responds is believed.
   */
  quorum?: number | undefined;
  /** Deadline of one attempt. */
  timeoutMs?: number;
  /**
   * Attempts of one request in all, as long as the client's retry budget permits. Each node is tried before
   * one is tried twice.
   */
  maxTries?: number;
  /**
   * Delay before the second attempt. It doubles each time, and up to the same amount is added as jitter.
   * There is no delay before another node.
   */
  retryDelayMs?: number;
  random?: () => number;
  now?: () => number;
}

/** JSON-RPC over HTTP to one chain, with deadlines and a retry budget. */
export interface ChainClient {
  readonly chainId: number;
  /**
   * @throws ChainReadError rpc_unavailable (after retries), rpc_rejected (the node's error as cause), or nodes_disagree
   *   where a quorum must agree
   */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
}

const DEFAULTS = {
  timeoutMs: 5_000,
  maxTries: 3,
  retryDelayMs: 100,
  random: Math.random,
  now: () => performance.now(),
};

/** Creates the client. It sends nothing before the first request. */
export function createChainClient(options: ChainClientOptions): ChainClient {
  const { chainId, rpcUrl, quorum, timeoutMs, retryDelayMs, random, now, ...rest } = {
    ...DEFAULTS,
    ...options,
  };
  const budget = new RetryBudget();
  const pool = new NodePool(chainId, splitUrls(rpcUrl), timeoutMs);
  const maxTries = Math.max(rest.maxTries, pool.size);

  const admits = (node: RpcNode): Promise<boolean> => pool.admits(node);

  async function request<T>(method: string, params: readonly unknown[]): Promise<T> {
    if (quorum !== undefined && needsAgreement(method))
      return (await agreedResult({ chainId, quorum, nodes: pool.all, admits }, method, params)) as T;
    budget.earn();
    const tried = new Set<RpcNode>();
    for (let attempt = 1; ; attempt += 1) {
      const node = pool.next(tried, now());
      if (!node) throw unavailable(method, undefined);
      const isRepeated = tried.has(node);
      tried.add(node);
      const isLast = tried.size === pool.size;
      try {
        if (!(await pool.admits(node))) continue;
        if (isRepeated) await delay(retryDelayMs * 2 ** (attempt - 2) * (1 + random()));
        const result = await node.send(method, params);
        if (isLatest(method, params)) pool.checkHeads(node, now());
        // The node is behind: another node has a newer block.
        if (isLatest(method, params) && pool.isLagging(node) && !isLast) continue;
        return result as T;
      } catch (cause) {
        const code = rpcErrorCode(cause);
        const isRejected = code !== null && code !== LIMIT_EXCEEDED;
        if (isRejected && (isLast || !isOfOneNode(code))) throw rejected(method, cause);
        if (!isRejected) node.rest(now(), random());
        if (attempt >= maxTries || !budget.spend()) {
          throw isRejected ? rejected(method, cause) : unavailable(method, cause);
        }
      }
    }
  }

  function rejected(method: string, cause: unknown): ChainReadError {
    const message = `the node of chain ${chainId} rejected ${method}`;
    return new ChainReadError('rpc_rejected', chainId, message, { cause });
  }

  function unavailable(method: string, cause: unknown): ChainReadError {
    const message = `no response to ${method} from the node of chain ${chainId}: check RPC_URL_${chainId}`;
    return new ChainReadError('rpc_unavailable', chainId, message, { cause });
  }
  return { chainId, request };
}

/** The addresses in a list with commas between them. */
export function splitUrls(list: string): string[] {
  return list
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
}

/**
 * Successful first attempts earn the budget for retries, so a failing node never gets a multiple of the
 * normal load. Starts full.
 */
export class RetryBudget {
  private tokens: number;

  /** `perRequest`: share of a retry that every request earns; `capacity`: the largest saved amount. */
  constructor(
    private readonly perRequest = 0.2,
    private readonly capacity = 20,
  ) {
    this.tokens = capacity;
  }

  /** Call once for each request, before its first attempt. */
  earn(): void {
    this.tokens = Math.min(this.capacity, this.tokens + this.perRequest);
  }

  /** Whether one more attempt may be made now. It is subtracted from the budget. */
  spend(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
