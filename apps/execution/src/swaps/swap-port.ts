import type { BlockRef, ChainClient } from '@plimsoll/chain';
import type { Address } from 'viem';
import type { PlannedCall } from '../simulation/simulated-call';

/** Buys exactly so much of a token. */
export interface SwapOrder {
  tokenIn: Address;
  tokenOut: Address;
  amountOut: bigint;
}

/** What it would cost on a block. */
export interface SwapQuote {
  amountIn: bigint;
  /** Of it, the venue's fee. */
  fee: bigint;
}

/** A place where a wallet swaps. One implementation a venue; a chain without one has no strategy that sells. */
export interface SwapVenue {
  /** Who takes the tokens that are sold. */
  readonly spender: Address;
  /** What people call it. */
  readonly name: string;
  /** @throws ChainReadError when the venue refuses the order */
  quote(client: ChainClient, order: SwapOrder, block: BlockRef): Promise<SwapQuote>;
  /** The call of a wallet that pays no more than `amountInMax`. */
  swap(order: SwapOrder, amountInMax: bigint, recipient: Address): PlannedCall;
}
