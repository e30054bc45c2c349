import { PlanBuilder, readCall } from '@plimsoll/chain';
import { type Hex, encodeFunctionData, parseAbi } from 'viem';
import { amountOf } from '../planning/format-amount';
import { contractOf } from './contract-of';
import type { ExecutionFamily } from './execution-family';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function idToMarketParams(bytes32 id) view returns (MarketParams)',
  'function repay(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data) returns (uint256, uint256)',
  'function withdrawCollateral(MarketParams marketParams, uint256 assets, address onBehalf, address receiver)',
]);

/** Morpho Blue and its forks. A position is in one market, whose id is its sub-id. */
export const morphoBlue: ExecutionFamily = {
  async actionsOf({ row, multicall, block, position, protocolName }) {
    const morpho = contractOf(row, 'morpho');
    const { wallet, subId } = position;
    const plan = new PlanBuilder(row.chainId, `market of ${row.protocol}`);
    const slot = plan.add(readCall(morpho, abi, 'idToMarketParams', [subId as Hex]));
    const market = await multicall.read(
      plan.build(({ value }) => value(slot)),
      block,
    );
    return {
      spenderOf: () => morpho,
      contractName: () => protocolName,
      repay: (debt, amountRaw) => [
        {
          description: `Repay ${amountOf(debt, amountRaw)} to ${protocolName}`,
          to: morpho,
          data: encodeFunctionData({
            abi,
            functionName: 'repay',
            args: [market, amountRaw, 0n, wallet, '0x'],
          }),
          value: 0n,
        },
      ],
      withdraw: (collateral, amountRaw) => [
        {
          description: `Withdraw ${amountOf(collateral, amountRaw)} from ${protocolName}`,
          to: morpho,
          data: encodeFunctionData({
            abi,
            functionName: 'withdrawCollateral',
            args: [market, amountRaw, wallet, wallet],
          }),
          value: 0n,
        },
      ],
      repayWithPermit: () => null,
    };
  },
};
