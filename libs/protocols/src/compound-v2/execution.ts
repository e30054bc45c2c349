import { lowerCase, readAll } from '@plimsoll/evm';
import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import type { RawLeg } from '../reader/raw-position';
import {
  type ExecutionFamily,
  type FamilyScope,
  Unexecutable,
  contractOf,
  plannedCall,
} from '../execution/execution-family';
import { amountOf } from '../execution/format-amount';

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
export const compoundExecution: ExecutionFamily = {
  async actionsOf(scope) {
    const comptroller = contractOf(scope.row, 'comptroller');
    const markets = await readMarkets(scope, comptroller);
    const { wallet, legs } = scope.position;
    const odd = legs.find(({ side, address }) => side === 'debt' && !markets.has(address));
    if (odd) throw new Unexecutable(`Debt in ${odd.symbol} cannot be repaid here.`);
    const marketOf = ({ address, symbol }: RawLeg): Address => {
      const market = markets.get(address);
      if (market) return market;
      throw new Unexecutable(`${symbol} cannot be withdrawn here.`);
    };
    const nameOf = ({ symbol }: RawLeg): string => `${scope.protocolName} market of ${symbol}`;
    return {
      spenderOf: marketOf,
      contractName: nameOf,
      repay: (debt, amountRaw) => [
        plannedCall(
          `Repay ${amountOf(debt, amountRaw)} to ${nameOf(debt)}`,
          marketOf(debt),
          encodeFunctionData({ abi, functionName: 'repayBorrowBehalf', args: [wallet, amountRaw] }),
        ),
      ],
      withdraw: (collateral, amountRaw) => [
        plannedCall(
          `Withdraw ${amountOf(collateral, amountRaw)} from ${nameOf(collateral)}`,
          marketOf(collateral),
          encodeFunctionData({ abi, functionName: 'redeemUnderlying', args: [amountRaw] }),
        ),
      ],
      repayWithPermit: () => null,
      policyMarket: { contract: comptroller },
    };
  },
};

/** Market tokens by their underlying token, without the native coin. */
async function readMarkets(scope: FamilyScope, comptroller: Address): Promise<Map<Address, Address>> {
  const markets = await readAll(scope, 'markets', scope.block, (plan) =>
    plan.call(comptroller, abi, 'getAllMarkets', []),
  );
  const tokens = await readAll(scope, 'tokens', scope.block, (plan) =>
    markets.map((market) => plan.attempt(market, abi, 'underlying', [])),
  );
  const named = markets.flatMap((market, index): [Address, Address][] => {
    const token = tokens[index];
    return token?.ok && token.value !== zeroAddress ? [[lowerCase(token.value), market]] : [];
  });
  return new Map(named);
}
