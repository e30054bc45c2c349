import { encodeFunctionData, parseAbi } from 'viem';
import { type ExecutionFamily, contractOf, plannedCall } from '../execution/execution-family';
import { amountOf } from '../execution/format-amount';
import type { RawLeg } from '../reader/raw-position';

const abi = parseAbi([
  'function supplyTo(address dst, address asset, uint256 amount)',
  'function withdrawTo(address to, address asset, uint256 amount)',
]);

/** Compound III: a supply of the base asset repays it. */
export const cometExecution: ExecutionFamily = {
  actionsOf({ row, position: { wallet }, protocolName }) {
    const market = contractOf(row, 'comet');
    const encoded = (functionName: 'supplyTo' | 'withdrawTo', { address }: RawLeg, amountRaw: bigint) =>
      encodeFunctionData({ abi, functionName, args: [wallet, address, amountRaw] });
    return Promise.resolve({
      spenderOf: () => market,
      contractName: () => protocolName,
      repay: (debt, amountRaw) => [
        plannedCall(
          `Repay ${amountOf(debt, amountRaw)} to ${protocolName}`,
          market,
          encoded('supplyTo', debt, amountRaw),
        ),
      ],
      withdraw: (collateral, amountRaw) => [
        plannedCall(
          `Withdraw ${amountOf(collateral, amountRaw)} from ${protocolName}`,
          market,
          encoded('withdrawTo', collateral, amountRaw),
        ),
      ],
      repayWithPermit: () => null,
    });
  },
};
