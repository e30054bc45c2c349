import {
  TransactionQueue,
  connectAnvil,
  devnetAsset,
  type DevnetAddresses,
  type SeededWallet,
} from '@plimsoll/devnet';
import { encodeSetPolicy, policyIdOf, strategyMask, type Policy, type Strategy } from '@plimsoll/executor';
import {
  encodeFunctionData,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
  type Hex,
} from 'viem';
import type { ExecutorAddresses } from './deploy-executor';

const abi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);
const BALANCE = numberToHex(parseEther('10'));

/** A devnet with executors. */
export interface PolicyTarget {
  rpcUrl: string;
  addresses: DevnetAddresses;
  executors: ExecutorAddresses;
}

/** A wide policy of a wallet on its first debt and first collateral in Aave. */
export function devnetPolicy(
  { addresses, executors }: Omit<PolicyTarget, 'rpcUrl'>,
  { amounts }: SeededWallet,
  strategies: readonly Strategy[],
  over: Partial<Policy> = {},
): Policy {
  const collateral = devnetAsset(addresses, amounts.supplies[0]!.symbol);
  const debt = devnetAsset(addresses, amounts.borrows[0]!.symbol);
  const sells = strategies.some((strategy) => strategy !== 'repay_debt');
  return {
    market: addresses.pool,
    marketId: zeroHash,
    collateral: sells ? collateral.address : zeroAddress,
    debt: debt.address,
    collateralMarket: zeroAddress,
    debtMarket: zeroAddress,
    swapPort: sells ? executors.swapPort : zeroAddress,
    collateralFeed: sells ? collateral.aggregator : zeroAddress,
    debtFeed: sells ? debt.aggregator : zeroAddress,
    maxPriceAge: sells ? 86_400 : 0,
    expiresAt: 4_000_000_000n,
    triggerHealthFactor: parseEther('3'),
    targetHealthFactor: parseEther('3'),
    minHealthFactorAfter: parseEther('1.01'),
    maxRepayPerRun: 2n ** 100n,
    maxRepayPerDay: 2n ** 100n,
    maxSlippageBps: sells ? 100 : 0,
    maxFeeBps: sells ? 20 : 0,
    strategies: strategyMask(strategies),
    oneShot: false,
    pinMarketRevision: false,
    ...over,
  };
}

/**
 * Writes these policies by the wallets and gives the required allowances, in one batch.
 * @returns the id of each policy
 * @throws when a transaction reverts
 */
export async function writePolicies(
  place: PolicyTarget,
  wallets: readonly SeededWallet[],
  strategies: readonly Strategy[],
  over: Partial<Policy> = {},
): Promise<Hex[]> {
  const { rpcUrl, addresses, executors } = place;
  const rpc = connectAnvil(rpcUrl);
  const senders = wallets.map(({ address }) => address);
  await Promise.all(
    senders.flatMap((sender) => [
      rpc.request('anvil_impersonateAccount', [sender]),
      rpc.request('anvil_setBalance', [sender, BALANCE]),
    ]),
  );
  const queue = await TransactionQueue.open(rpc, senders);
  const allow = encodeFunctionData({ abi, functionName: 'approve', args: [executors.aaveV3, maxUint256] });
  const ids = wallets.map((wallet) => {
    const policy = devnetPolicy(place, wallet, strategies, over);
    const { aToken } = devnetAsset(addresses, wallet.amounts.supplies[0]!.symbol);
    queue.call(wallet.address, 'allow the collateral', aToken, allow);
    queue.call(wallet.address, 'allow the debt', policy.debt, allow);
    queue.call(wallet.address, 'write the policy', executors.aaveV3, encodeSetPolicy(policy));
    return policyIdOf(wallet.address, policy);
  });
  await queue.flush();
  return ids;
}
