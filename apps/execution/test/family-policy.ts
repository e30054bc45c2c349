import type { ExecutionAnswer, ExecutionStatusAnswer } from '@plimsoll/contracts';
import { devnetAsset } from '@plimsoll/devnet';
import { encodeSetPolicy, strategyMask } from '@plimsoll/executor';
import type { RawPosition } from '@plimsoll/protocols';
import { waitFor } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  createPublicClient,
  encodeFunctionData,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { plainAuthorisationText } from '../src/submission/wallet-signature';
import { type Scene, healthFactor, placed, readAgain, walletOf } from './build-and-send';
import type { LocalMarket } from './local-market';
import { sendBuilt } from './send-built';

const abi = parseAbi([
  'function setAuthorization(address authorized, bool isAuthorized)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function getAllMarkets() view returns (address[])',
  'function underlying() view returns (address)',
]);

/** The wallet's permissions for the two protocols: the contract and the calls that pass on the collateral. */
export interface Allowed {
  market: Address;
  marketId: Hex;
  collateralMarket: Address;
  debtMarket: Address;
  executor: Address;
  allow: { to: Address; data: Hex };
  /** Absent: the market's own. */
  swapPort?: Address;
}

const legOf = ({ legs }: RawPosition, side: 'collateral' | 'debt') =>
  legs.find((leg) => leg.side === side && (side === 'debt' || leg.usedAsCollateral))!;

export async function onMorpho(market: LocalMarket, { subId }: RawPosition): Promise<Allowed> {
  const [morpho, executor] = [market.morpho!, market.executor!.morphoBlue!];
  const data = encodeFunctionData({ abi, functionName: 'setAuthorization', args: [executor, true] });
  const none = { collateralMarket: zeroAddress, debtMarket: zeroAddress };
  return { market: morpho, marketId: subId as Hex, ...none, executor, allow: { to: morpho, data } };
}

export const onVenus = (market: LocalMarket, position: RawPosition): Promise<Allowed> =>
  onCompoundLike(market, position, market.venus!, market.executor!.compoundV2!);

/** On a comptroller: finds the market tokens by their underlying token. */
export async function onCompoundLike(
  market: LocalMarket,
  position: RawPosition,
  comptroller: Address,
  executor: Address,
): Promise<Allowed> {
  const viem = createPublicClient({ transport: http(market.node.url) });
  const tokens = await viem.readContract({ address: comptroller, abi, functionName: 'getAllMarkets' });
  const underlyings = await Promise.all(
    tokens.map((address) => viem.readContract({ address, abi, functionName: 'underlying' })),
  );
  const marketOf = (token: Address): Address =>
    tokens[underlyings.findIndex((each) => each.toLowerCase() === token)]!;
  const collateralMarket = marketOf(legOf(position, 'collateral').address);
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [executor, maxUint256] });
  const debtMarket = marketOf(legOf(position, 'debt').address);
  const allow = { to: collateralMarket, data };
  return { market: comptroller, marketId: zeroHash, collateralMarket, debtMarket, executor, allow };
}

export async function allow(scene: Scene, position: RawPosition, allowed: Allowed): Promise<void> {
  const { market } = scene;
  const wallet = walletOf(scene, position);
  const { executor, allow: given, swapPort = market.executor!.swapPort, ...place } = allowed;
  const [collateral, debt] = [legOf(position, 'collateral'), legOf(position, 'debt')];
  const policy = encodeSetPolicy({
    ...place,
    collateral: collateral.address,
    debt: debt.address,
    swapPort,
    collateralFeed: devnetAsset(market.addresses, collateral.symbol).aggregator,
    debtFeed: devnetAsset(market.addresses, debt.symbol).aggregator,
    maxPriceAge: 86_400,
    expiresAt: 4_000_000_000n,
    triggerHealthFactor: parseEther('5'),
    targetHealthFactor: parseEther('5'),
    minHealthFactorAfter: parseEther('1.01'),
    maxRepayPerRun: 2n ** 100n,
    maxRepayPerDay: 2n ** 100n,
    maxSlippageBps: 100,
    maxFeeBps: 20,
    strategies: strategyMask(['flash_loan_unwind']),
    oneShot: false,
    pinMarketRevision: false,
  });
  const transaction = (to: Address, data: Hex) => ({
    description: 'allow',
    from: wallet.address,
    to,
    data,
    value: '0',
    chainId: 1,
    gas: '1500000',
  });
  await sendBuilt(market, wallet.privateKey, [
    transaction(given.to, given.data),
    transaction(executor, policy),
  ]);
}

/** Submits for a position and waits until it is completed at its target. */
export async function submitUnderPolicy(scene: Scene, position: RawPosition, target: number): Promise<void> {
  const { market, service } = scene;
  const { chainId, wallet } = position;
  const message = plainAuthorisationText(service.accountId, { chainId, wallet });
  const { status, body } = await service.call<ExecutionAnswer>('POST', '/v1/execution/deleverage', {
    positionId: placed(scene, position),
    targetHealthFactor: target,
    mode: 'submit',
    strategy: 'flash_loan_unwind',
    maxSlippageBps: 60,
    walletSignature: await privateKeyToAccount(walletOf(scene, position).privateKey).signMessage({ message }),
  });
  expect([status, body.detail]).toEqual([202, undefined]);
  const execution = await waitFor(
    async () => {
      await market.mine();
      const path = `/v1/execution/status?id=${body.execution.id}`;
      const found = (await service.call<ExecutionStatusAnswer>('GET', path)).body.execution!;
      return !['pending', 'running'].includes(found.status) && found;
    },
    { intervalMs: 100, message: 'the execution ends' },
  );
  expect(execution).toMatchObject({ status: 'completed', failure: null });
  expect(Math.abs(healthFactor(await readAgain(scene, position)) / target - 1)).toBeLessThan(1e-3);
  expect(Math.abs(execution.healthFactorAfter! / target - 1)).toBeLessThan(1e-3);
}
