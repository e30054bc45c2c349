/**
 * Why a chain could not be read; the codes may be shown to clients, the causes may not.
 * - rpc_unavailable: no answer, or only transport errors, within deadline and retry budget
 * - rpc_rejected: the node answered with an error
 * - block_gone: the pinned block is no longer part of the chain
 * - call_failed: a call that must work on a market of this family did not
 * - unknown_layout: the contracts answer, but not as the family does
 * - index_behind: the logs that say what wallets hold are not read up to this block yet
 * - unpriced: no oracle of the chain gives the dollar price of the currency that the protocol counts in
 */
export type ChainReadCode =
  | 'rpc_unavailable'
  | 'rpc_rejected'
  | 'block_gone'
  | 'call_failed'
  | 'unknown_layout'
  | 'index_behind'
  | 'unpriced';

/** A read that failed as a whole. What it was about is in the message, what went wrong below in `cause`. */
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
