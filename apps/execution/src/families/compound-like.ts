import { PlanBuilder, type RawLeg, readCall } from '@plimsoll/chain';
import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { amountOf } from '../planning/format-amount';
import { contractOf } from './contract-of';
import { type ExecutionFamily, type FamilyScope, Unexecutable } from './execution-family';

const abi = parseAbi([
  'function getAllMarkets() view returns (address[])',
  'function underlying() view returns (address)',
  'function repayBorrowBehalf(address borrower, uint256 amount) returns (uint256)',
  'function redeemUnderlying(uint256 amount) returns (uint256)',
]);

/**
 * Compound v2, its forks, and Venus: each asset has a market token that receives the calls. Some return an
 * error code where others revert. A call without effect misses the target and is refused for that.
 */
export const compoundLike: ExecutionFamily = {
  async actionsOf(scope) {
    const markets = await readMarkets(scope);
    const { wallet, legs } = scope.position;
    const odd = legs.find(({ side, address }) => side === 'debt' && !markets.has(address));
    if (odd) throw new Unexecutable(`Debt in ${odd.symbol} cannot be repaid here.`);
    const marketOf = ({ address, symbol }: RawLeg): Address => {
      const market = markets.get(address);
      if (market) return market;
      throw new Unexecutable(`${symbol} cannot be taken out here.`);
    };
    const nameOf = ({ symbol }: RawLeg): string => `${scope.protocolName} market of ${symbol}`;
    return {
      spenderOf: marketOf,
      contractName: nameOf,
      repay: (debt, amountRaw) => [
        {
          description: `Repay ${amountOf(debt, amountRaw)} to ${nameOf(debt)}`,
          to: marketOf(debt),
          data: encodeFunctionData({ abi, functionName: 'repayBorrowBehalf', args: [wallet, amountRaw] }),
          value: 0n,
        },
      ],
      withdraw: (collateral, amountRaw) => [
        {
          description: `Withdraw ${amountOf(collateral, amountRaw)} from ${nameOf(collateral)}`,
          to: marketOf(collateral),
          data: encodeFunctionData({ abi, functionName: 'redeemUnderlying', args: [amountRaw] }),
          value: 0n,
        },
      ],
      repayWithPermit: () => null,
    };
  },
};

/** Market tokens by their underlying token, without the native coin. */
async function readMarkets({ row, multicall, block }: FamilyScope): Promise<Map<Address, Address>> {
  const comptroller = contractOf(row, 'comptroller');
  const list = new PlanBuilder(row.chainId, `markets of ${row.protocol} ${row.market}`);
  const slot = list.add(readCall(comptroller, abi, 'getAllMarkets', []));
  const markets = await multicall.read(
    list.build(({ value }) => value(slot)),
    block,
  );
  const plan = new PlanBuilder(row.chainId, `tokens of ${row.protocol} ${row.market}`);
  const slots = markets.map((market) => plan.add(readCall(market, abi, 'underlying', [])));
  const tokens = await multicall.read(
    plan.build(({ outcome }) => slots.map(outcome)),
    block,
  );
  const named = markets.flatMap((market, index): [Address, Address][] => {
    const token = tokens[index];
    return token?.ok && token.value !== zeroAddress ? [[token.value.toLowerCase() as Address, market]] : [];
  });
  return new Map(named);
}
