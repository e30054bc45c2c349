import { PlanBuilder } from '@plimsoll/evm';
import { type PlannedCall, amountOf } from '@plimsoll/protocols';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import type { PositionScene } from './plan';

const abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
]);

/**
 * Returns the wallet's balance of each token.
 * @throws ChainReadError
 */
export async function readBalances(
  { row, chain, block, place }: PositionScene,
  tokens: readonly Address[],
): Promise<Map<Address, bigint>> {
  const plan = new PlanBuilder(row.chainId, 'balances of the wallet');
  const slots = tokens.map((token) => plan.call(token, abi, 'balanceOf', [place.wallet]));
  const balances = await chain.multicall.read(
    plan.build(({ value }) => slots.map(value)),
    block,
  );
  return new Map(tokens.map((token, index) => [token, balances[index]!]));
}

/**
 * Returns the calls that approve a spender: none when the allowance is sufficient. A smaller allowance is
 * first set to zero, because some tokens reject a change of a non-zero allowance.
 * @throws ChainReadError
 */
export async function approvals(
  { row, chain, block, place }: PositionScene,
  token: { address: Address; symbol: string; decimals: number },
  spender: { address: Address; name: string },
  amountRaw: bigint,
): Promise<PlannedCall[]> {
  const plan = new PlanBuilder(row.chainId, 'allowance of the wallet');
  const slot = plan.call(token.address, abi, 'allowance', [place.wallet, spender.address]);
  const approvedRaw = await chain.multicall.read(
    plan.build(({ value }) => value(slot)),
    block,
  );
  if (approvedRaw >= amountRaw) return [];
  const approve = (amount: bigint): PlannedCall => ({
    description:
      amount === 0n
        ? `Revoke the existing approval of ${token.symbol} for ${spender.name}`
        : `Approve ${amountOf(token, amount)} for ${spender.name}`,
    to: token.address,
    data: encodeFunctionData({ abi, functionName: 'approve', args: [spender.address, amount] }),
    value: 0n,
  });
  return approvedRaw === 0n ? [approve(amountRaw)] : [approve(0n), approve(amountRaw)];
}
