import { readAll, type PlanBuilder } from '@plimsoll/evm';
import { parseAbi, type Address } from 'viem';
import type { VerdictScope } from './verdict';

const abi = parseAbi([
  'function balanceOf(address user) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);

/**
 * How much of each token the sender of simulations can pay to its spender: 0 where it has none, approved none, or the
 * token is the chain's own coin. @throws ChainReadError
 */
export async function readFunds(
  { simulation: { sender }, ...scope }: VerdictScope,
  payments: readonly { token: Address; spender: Address }[],
): Promise<bigint[]> {
  const funds = await readAll(scope, 'funds', scope.block, (plan: PlanBuilder) =>
    payments.map(({ token, spender }) => ({
      balance: plan.attempt(token, abi, 'balanceOf', [sender]),
      allowance: plan.attempt(token, abi, 'allowance', [sender, spender]),
    })),
  );
  return funds.map(({ balance, allowance }) => {
    if (!balance.ok || !allowance.ok) return 0n;
    return balance.value < allowance.value ? balance.value : allowance.value;
  });
}
