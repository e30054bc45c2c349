import type { SeededWallet } from '@plimsoll/devnet';
import { type PolicyTarget, devnetPolicy, writePolicies } from '@plimsoll/devnet-executor';
import type { Policy, Strategy } from '@plimsoll/executor';
import type { Hex } from 'viem';
import type { LocalMarket } from './local-market';

/** Returns where policies of a market are written. */
export const policyTarget = ({ node, addresses, executor }: LocalMarket): PolicyTarget => ({
  rpcUrl: node.url,
  addresses,
  executors: executor!,
});

/** Returns a policy of the wallet on its first debt and first collateral. */
export function policyOf(
  market: LocalMarket,
  wallet: SeededWallet,
  strategies: readonly Strategy[],
  over: Partial<Policy> = {},
): Policy {
  return devnetPolicy(policyTarget(market), wallet, strategies, over);
}

/** Writes a policy of the wallet, and the allowances that it needs. */
export async function writePolicy(
  market: LocalMarket,
  wallet: SeededWallet,
  strategies: readonly Strategy[],
  over: Partial<Policy> = {},
): Promise<Hex> {
  const [id] = await writePolicies(policyTarget(market), [wallet], strategies, over);
  return id!;
}
