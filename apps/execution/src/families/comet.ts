import { encodeFunctionData, parseAbi } from 'viem';
import { amountOf } from '../planning/format-amount';
import { contractOf } from './contract-of';
import type { ExecutionFamily } from './execution-family';

const abi = parseAbi([
  'function supplyTo(address dst, address asset, uint256 amount)',
  'function withdrawTo(address to, address asset, uint256 amount)',
]);

/** Compound III: a supply of the base asset repays it. */
export const comet: ExecutionFamily = {
  actionsOf({ row, position: { wallet }, protocolName }) {
    const market = contractOf(row, 'comet');
    return Promise.resolve({
      spenderOf: () => market,
      contractName: () => protocolName,
      repay: (debt, amountRaw) => [
        {
          description: `Repay ${amountOf(debt, amountRaw)} to ${protocolName}`,
          to: market,
          data: encodeFunctionData({
            abi,
            functionName: 'supplyTo',
            args: [wallet, debt.address, amountRaw],
          }),
          value: 0n,
        },
      ],
      withdraw: (collateral, amountRaw) => [
        {
          description: `Withdraw ${amountOf(collateral, amountRaw)} from ${protocolName}`,
          to: market,
          data: encodeFunctionData({
            abi,
            functionName: 'withdrawTo',
            args: [wallet, collateral.address, amountRaw],
          }),
          value: 0n,
        },
      ],
      repayWithPermit: () => null,
    });
  },
};
