import { encodeFunctionData, parseAbi } from 'viem';
import { contractOf } from './contract-of';
import type { ExecutionFamily } from './execution-family';

const abi = parseAbi([
  'function supplyTo(address dst, address asset, uint256 amount)',
  'function withdrawTo(address to, address asset, uint256 amount)',
]);

/** Compound III: supplying the base repays it. */
export const comet: ExecutionFamily = {
  actionsOf({ row, position: { wallet } }) {
    const market = contractOf(row, 'comet');
    return Promise.resolve({
      spenderOf: () => market,
      repay: ({ address, symbol }, amountRaw) => [
        {
          description: `Repay ${symbol}`,
          to: market,
          data: encodeFunctionData({ abi, functionName: 'supplyTo', args: [wallet, address, amountRaw] }),
          value: 0n,
        },
      ],
      withdraw: ({ address, symbol }, amountRaw) => [
        {
          description: `Take out ${symbol}`,
          to: market,
          data: encodeFunctionData({ abi, functionName: 'withdrawTo', args: [wallet, address, amountRaw] }),
          value: 0n,
        },
      ],
      repayWithPermit: () => null,
    });
  },
};
