import { BaseError, RpcRequestError } from 'viem';

/** EIP-1474: too many requests. It is the only error after which waiting helps. */
export const LIMIT_EXCEEDED = -32_005;
/** Errors of one node that another may not have: an internal one, and an unknown block. */
const OF_ONE_NODE = new Set([-32_603, -32_001, -32_000]);

/** Whether another node may not have the error. */
export function isOfOneNode(code: number): boolean {
  return OF_ONE_NODE.has(code);
}

/** The JSON-RPC error from the node. Null if the failure is below JSON-RPC. */
export function rejectionOf(error: unknown): { code: number; data?: unknown } | null {
  const result = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return result instanceof RpcRequestError ? { code: result.code, data: result.data } : null;
}

/** Its code. Null if the failure is below JSON-RPC. */
export function rpcErrorCode(error: unknown): number | null {
  return rejectionOf(error)?.code ?? null;
}
