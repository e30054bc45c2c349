import { setTimeout as delay } from 'node:timers/promises';
import { BaseError, RpcRequestError, createClient, http } from 'viem';
import { ChainReadError } from './chain-read-error';
import { RetryBudget } from './retry-budget';

/** Settings of the connection to one chain. */
export interface ChainClientOptions {
  chainId: number;
  rpcUrl: string;
  /** Deadline of one try. */
  timeoutMs?: number;
  /** Tries of one request in all, as long as the budget of the client pays for them. */
  maxTries?: number;
  /** Wait before the second try; doubled each time, with up to as much again as jitter. */
  retryDelayMs?: number;
  random?: () => number;
}

/** JSON-RPC over HTTP to one chain, with deadlines and a retry budget. */
export interface ChainClient {
  readonly chainId: number;
  /** @throws ChainReadError rpc_unavailable (after retries) or rpc_rejected (at once, the node's error as cause) */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
}

/** EIP-1474: too many requests; the one answer after which waiting helps. */
const LIMIT_EXCEEDED = -32_005;
const DEFAULTS = { timeoutMs: 5_000, maxTries: 3, retryDelayMs: 100, random: Math.random };

/** Makes the client; nothing is sent before the first request. */
export function createChainClient(options: ChainClientOptions): ChainClient {
  const { chainId, rpcUrl, timeoutMs, maxTries, retryDelayMs, random } = { ...DEFAULTS, ...options };
  const budget = new RetryBudget();
  const transport = createClient({ transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 0 }) });
  const send = transport.request as (args: {
    method: string;
    params: readonly unknown[];
  }) => Promise<unknown>;

  async function request<T>(method: string, params: readonly unknown[]): Promise<T> {
    budget.earn();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await send({ method, params })) as T;
      } catch (cause) {
        const code = rpcErrorCode(cause);
        if (code !== null && code !== LIMIT_EXCEEDED) {
          throw new ChainReadError(
            'rpc_rejected',
            chainId,
            `the node of chain ${chainId} rejected ${method}`,
            { cause },
          );
        }
        if (attempt >= maxTries || !budget.spend()) {
          const message = `no answer to ${method} from the node of chain ${chainId}: check RPC_URL_${chainId}`;
          throw new ChainReadError('rpc_unavailable', chainId, message, { cause });
        }
        await delay(retryDelayMs * 2 ** (attempt - 1) * (1 + random()));
      }
    }
  }
  return { chainId, request };
}

/** The JSON-RPC error code the node answered with; null when the failure lies below JSON-RPC. */
export function rpcErrorCode(error: unknown): number | null {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return answer instanceof RpcRequestError ? answer.code : null;
}
