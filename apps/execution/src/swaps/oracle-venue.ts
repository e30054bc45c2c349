import { type BlockRef, type ChainClient, PinnedCall, readCall } from '@plimsoll/evm';
import type { PlannedCall } from '@plimsoll/protocols';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import type { SwapOrder, SwapQuote, SwapVenue } from './swap-port';

const abi = parseAbi([
  'function quoteExactOutput(address tokenIn, address tokenOut, uint256 amountOut) view returns (uint256 amountIn, uint256 fee)',
  'function swapExactOutput(address tokenIn, address tokenOut, uint256 amountOut, uint256 amountInMax, address recipient) returns (uint256 amountIn)',
]);

/** OracleVenue.sol of libs/devnet: a venue of the local chain that trades near the feeds' prices. */
export class OracleVenue implements SwapVenue {
  readonly name = 'the swap venue';

  constructor(readonly spender: Address) {}

  async quote(
    client: ChainClient,
    { tokenIn, tokenOut, amountOut }: SwapOrder,
    block: BlockRef,
  ): Promise<SwapQuote> {
    const call = readCall(this.spender, abi, 'quoteExactOutput', [tokenIn, tokenOut, amountOut]);
    const response = await new PinnedCall(client).call({ to: call.target, data: call.data }, block);
    const [amountIn, fee] = call.decode(response);
    return { amountIn, fee };
  }

  swap({ tokenIn, tokenOut, amountOut }: SwapOrder, amountInMax: bigint, recipient: Address): PlannedCall {
    const args = [tokenIn, tokenOut, amountOut, amountInMax, recipient] as const;
    return {
      description: 'Swap the collateral for the debt asset',
      to: this.spender,
      data: encodeFunctionData({ abi, functionName: 'swapExactOutput', args }),
      value: 0n,
    };
  }
}
