/**
 * The reason why a chain could not be read. Clients may see the codes, but not the causes.
 * - rpc_unavailable: no response, or only transport errors, within deadline and retry budget
 * - rpc_rejected: the node returned an error
 * - nodes_disagree: fewer nodes than the quorum of the chain returned the same
 * - block_gone: the node has no state of the pinned block, which a reorg removed or the node pruned
 * - call_failed: a call that must work on a market of this family failed
 * - unknown_layout: the contracts respond, but not as the family does
 * - index_behind: the logs that list the wallets' holdings are not read up to this block yet
 * - unpriced: no oracle of the chain gives the dollar price of the protocol's currency
 */
export type ChainReadCode =
  | 'rpc_unavailable'
  | 'rpc_rejected'
  | 'nodes_disagree'
  | 'block_gone'
  | 'call_failed'
  | 'unknown_layout'
  | 'index_behind'
  | 'unpriced';

/** A read that failed as a whole. The message names its subject, and `cause` is the underlying error. */
export class ChainReadError extends Error {
  constructor(
    readonly code: ChainReadCode,
    readonly chainId: number,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'ChainReadError';
  }
}

/** The code of a failed read. @throws the error itself when it is not one */
export function chainReadCode(error: unknown): ChainReadCode {
  if (error instanceof ChainReadError) return error.code;
  throw error;
}
