import type { Hex } from 'viem';

/** A block up to which logs are read. */
export interface Cursor {
  block: bigint;
  hash: Hex;
}

/** Another instance moved the cursor meanwhile. The range must be read again from there. */
export class SupersededError extends Error {
  constructor(chainId: number) {
    super(`the cursor of chain ${chainId} was moved by another instance; nothing was written`);
  }
}
