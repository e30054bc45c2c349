import type { BlockRef, ChainClient } from '@plimsoll/evm';
import type { PlannedCall } from '@plimsoll/protocols';
import type { Address } from 'viem';

/** An order for an exact amount of a token. */
export interface SwapOrder {
  tokenIn: Address;
  tokenOut: Address;
  amountOut: bigint;
}

/** Its cost on a block. */
export interface SwapQuote {
  amountIn: bigint;
  /** The venue's fee within it. */
  fee: bigint;
}

/** A venue for swaps, one implementation each. A chain without one has no strategy with a sale. */
export interface SwapVenue {
  /** The contract that receives the sold tokens. */
  readonly spender: Address;
  /** Display name. */
  readonly name: string;
  /** @throws ChainReadError when the venue refuses the order */
  quote(client: ChainClient, order: SwapOrder, block: BlockRef): Promise<SwapQuote>;
  /** Returns the call of a wallet that pays at most `amountInMax`. */
  swap(order: SwapOrder, amountInMax: bigint, recipient: Address): PlannedCall;
}
