import { readAll } from '@plimsoll/evm';
import { type Hex, encodeFunctionData, parseAbi } from 'viem';
import { type ExecutionFamily, contractOf, plannedCall } from '../execution/execution-family';
import { amountOf } from '../execution/format-amount';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function idToMarketParams(bytes32 id) view returns (MarketParams)',
  'function repay(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data) returns (uint256, uint256)',
  'function withdrawCollateral(MarketParams marketParams, uint256 assets, address onBehalf, address receiver)',
]);

/** Morpho Blue and its forks. A position is in one market, whose id is its sub-id. */
export const morphoExecution: ExecutionFamily = {
  async actionsOf({ row, multicall, block, position, protocolName }) {
    const morpho = contractOf(row, 'morpho');
    const { wallet } = position;
    const id = position.subId as Hex;
    const market = await readAll({ row, multicall }, 'market', block, (plan) =>
      plan.call(morpho, abi, 'idToMarketParams', [id]),
    );
    return {
      spenderOf: () => morpho,
      contractName: () => protocolName,
      repay: (debt, amountRaw) => [
        plannedCall(
          `Repay ${amountOf(debt, amountRaw)} to ${protocolName}`,
          morpho,
          encodeFunctionData({ abi, functionName: 'repay', args: [market, amountRaw, 0n, wallet, '0x'] }),
        ),
      ],
      withdraw: (collateral, amountRaw) => [
        plannedCall(
          `Withdraw ${amountOf(collateral, amountRaw)} from ${protocolName}`,
          morpho,
          encodeFunctionData({
            abi,
            functionName: 'withdrawCollateral',
            args: [market, amountRaw, wallet, wallet],
          }),
        ),
      ],
      repayWithPermit: () => null,
      policyMarket: { id },
    };
  },
};
