import type { UnsignedTransaction } from '@plimsoll/contracts';
import { type SeededWallet, devnetAsset } from '@plimsoll/devnet';
import { type Policy, type Strategy, encodeSetPolicy, policyIdOf, strategyMask } from '@plimsoll/executor';
import {
  type Address,
  type Hex,
  encodeFunctionData,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem';
import type { LocalMarket } from './local-market';
import { sendBuilt } from './send-built';

const abi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);

/** A policy of the wallet on its first debt and first collateral. */
export function policyOf(
  market: LocalMarket,
  wallet: SeededWallet,
  strategies: readonly Strategy[],
  over: Partial<Policy> = {},
): Policy {
  const collateral = devnetAsset(market.addresses, wallet.amounts.supplies[0]!.symbol);
  const debt = devnetAsset(market.addresses, wallet.amounts.borrows[0]!.symbol);
  const sells = strategies.some((strategy) => strategy !== 'repay_debt');
  return {
    market: market.addresses.pool,
    marketId: zeroHash,
    collateral: sells ? collateral.address : zeroAddress,
    debt: debt.address,
    collateralMarket: zeroAddress,
    debtMarket: zeroAddress,
    swapPort: sells ? market.executor!.swapPort : zeroAddress,
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

/** The wallet writes a policy, and gives the allowances that it takes. */
export async function writePolicy(
  market: LocalMarket,
  wallet: SeededWallet,
  strategies: readonly Strategy[],
  over: Partial<Policy> = {},
): Promise<Hex> {
  const executor = market.executor!.aaveV3;
  const policy = policyOf(market, wallet, strategies, over);
  const transaction = (description: string, to: Address, data: Hex): UnsignedTransaction => ({
    description,
    from: wallet.address,
    to,
    data,
    value: '0',
    chainId: market.endpoint.chainId,
    gas: '1000000',
  });
  const allow = encodeFunctionData({ abi, functionName: 'approve', args: [executor, maxUint256] });
  const { aToken } = devnetAsset(market.addresses, wallet.amounts.supplies[0]!.symbol);
  await sendBuilt(market, wallet.privateKey, [
    transaction('allow the collateral', aToken, allow),
    transaction('allow the debt', policy.debt, allow),
    transaction('write the policy', executor, encodeSetPolicy(policy)),
  ]);
  return policyIdOf(wallet.address, policy);
}
