import { createClient, hexToBigInt, http, type Hex } from 'viem';

const COOL_DOWN_BASE_MS = 500;
const COOL_DOWN_CAP_MS = 30_000;

/** One address of a chain's nodes, with its known health. */
export class RpcNode {
  /** The newest block that it returned. Null: not requested yet. */
  head: bigint | null = null;

  private readonly transport: (args: { method: string; params: readonly unknown[] }) => Promise<unknown>;
  private failures = 0;
  private restingUntilMs = 0;
  private actualChainId: number | undefined;

  constructor(url: string, timeoutMs: number) {
    const client = createClient({ transport: http(url, { timeout: timeoutMs, retryCount: 0 }) });
    this.transport = client.request as RpcNode['transport'];
  }

  /** @throws viem's errors unchanged */
  async send(method: string, params: readonly unknown[]): Promise<unknown> {
    const result = await this.transport({ method, params });
    this.failures = 0;
    this.restingUntilMs = 0;
    const number = isLatest(method, params) ? (result as { number?: Hex } | null)?.number : undefined;
    if (number !== undefined) this.head = hexToBigInt(number);
    return result;
  }

  /**
   * Whether it is a node of this chain. All results of another chain's node are wrong. @throws viem's errors
   */
  async isOf(chainId: number): Promise<boolean> {
    this.actualChainId ??= Number(await this.send('eth_chainId', []));
    return this.actualChainId === chainId;
  }

  /**
   * Records that the node did not respond or rejected a request over its limit. The node then pauses, longer
   * each time.
   */
  rest(nowMs: number, random: number): void {
    this.failures += 1;
    const waitMs = Math.min(COOL_DOWN_CAP_MS, COOL_DOWN_BASE_MS * 2 ** Math.min(this.failures - 1, 10));
    this.restingUntilMs = nowMs + waitMs * (0.5 + random / 2);
  }

  isResting(nowMs: number): boolean {
    return nowMs < this.restingUntilMs;
  }
}

/** Whether a request reads the newest block. */
export function isLatest(method: string, params: readonly unknown[]): boolean {
  return method === 'eth_getBlockByNumber' && params[0] === 'latest';
}
