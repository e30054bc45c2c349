import {
  connectAnvil,
  demoWallet,
  deployDevnet,
  deployMorpho,
  devnetAsset,
  seedPositions,
  type DevnetAddresses,
  type SeedPlan,
} from '@plimsoll/devnet';
import {
  encodeExecute,
  encodeRevokePolicy,
  encodeSetPolicy,
  executorAbi,
  policyChanges,
  policyHashOf,
  policyIdOf,
  refusalOf,
  revertDataOf,
  runOutcomes,
  strategyMask,
  type Policy,
  type Run,
} from '@plimsoll/executor';
import { startOwnEvm, type OwnPart } from '@plimsoll/testing';
import {
  createWalletClient,
  encodeFunctionData,
  http,
  maxUint256,
  parseAbi,
  publicActions,
  zeroAddress,
  zeroHash,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { DEVNET_SPREAD_BPS, deployExecutor, type ExecutorAddresses } from './deploy-executor';

const CHAIN_ID = 31_337;
const WAD = 10n ** 18n;
const TARGET = (15n * WAD) / 10n;
const BPS = 10_000n;
const FLASH_PREMIUM_BPS = 9n;
const WETH_THRESHOLD_BPS = 8_250n;
const WETH_USD = 3_150n;
const USER = privateKeyToAccount(demoWallet(0).privateKey);
const KEEPER = privateKeyToAccount(demoWallet(1).privateKey);
const abi = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function getUserAccountData(address user) view returns (uint256 collateral, uint256 debt, uint256, uint256, uint256, uint256 healthFactor)',
]);

const PLAN: SeedPlan = {
  label: 'in danger',
  suppliedUsd: 50_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: 1.1,
  eMode: false,
};

describe('the executor on the devnet', () => {
  let node: OwnPart;
  let addresses: DevnetAddresses;
  let executor: ExecutorAddresses;
  let policy: Policy;
  let id: Hex;
  let lastRun: Run;

  const clientOf = (account: PrivateKeyAccount) =>
    createWalletClient({ account, chain: foundry, transport: http(node.url) }).extend(publicActions);
  const send = async (account: PrivateKeyAccount, to: Address, data: Hex) => {
    const client = clientOf(account);
    const hash = await client.sendTransaction({ to, data, gas: 3_000_000n });
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(receipt.status).toBe('success');
    return receipt;
  };
  /** The error with which the executor reverts a call. */
  const refusal = async (account: PrivateKeyAccount, data: Hex) => {
    const call = [{ from: account.address, to: executor.aaveV3, data }, 'latest'];
    const result = connectAnvil(node.url).request('eth_call', call);
    return refusalOf((await result.then(() => undefined, revertDataOf)) ?? '0x');
  };
  const account = async () => {
    const [collateral, debt, , , , healthFactor] = await clientOf(USER).readContract({
      address: addresses.pool,
      abi,
      functionName: 'getUserAccountData',
      args: [USER.address],
    });
    return { collateral, debt, healthFactor };
  };
  const state = () =>
    clientOf(USER).readContract({
      address: executor.aaveV3,
      abi: executorAbi,
      functionName: 'stateOf',
      args: [id],
    });

  beforeAll(async () => {
    node = await startOwnEvm({ chainId: CHAIN_ID, blockTimeSeconds: 1 });
    addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
    await seedPositions(node.url, addresses, [PLAN, PLAN]);
    const { morpho } = await deployMorpho(node.url, addresses, []);
    executor = await deployExecutor(node.url, addresses, [KEEPER.address], { morpho });
    const weth = devnetAsset(addresses, 'WETH');
    const usdc = devnetAsset(addresses, 'USDC');
    policy = {
      market: addresses.pool,
      marketId: zeroHash,
      collateral: weth.address,
      debt: usdc.address,
      collateralMarket: zeroAddress,
      debtMarket: zeroAddress,
      swapPort: executor.swapPort,
      collateralFeed: weth.aggregator,
      debtFeed: usdc.aggregator,
      maxPriceAge: 86_400,
      expiresAt: 4_000_000_000n,
      triggerHealthFactor: (12n * WAD) / 10n,
      targetHealthFactor: TARGET,
      minHealthFactorAfter: (14n * WAD) / 10n,
      maxRepayPerRun: 40_000_000_000n,
      maxRepayPerDay: 50_000_000_000n,
      maxSlippageBps: 50,
      maxFeeBps: 9,
      strategies: strategyMask(['flash_loan_unwind']),
      oneShot: false,
      pinMarketRevision: true,
    };
    id = policyIdOf(USER.address, policy);
  }, 120_000);
  afterAll(() => node?.dispose());

  /** The sale and repayment that reach the target at the costs of the devnet (docs/model.md). */
  const unwind = async (): Promise<Run> => {
    const { collateral, debt } = await account();
    const costBps = DEVNET_SPREAD_BPS + FLASH_PREMIUM_BPS;
    const short = (TARGET * debt) / WAD - (collateral * WETH_THRESHOLD_BPS) / BPS;
    const slope = (TARGET * (BPS - costBps)) / WAD - WETH_THRESHOLD_BPS;
    const value = (short * BPS) / slope;
    const { policyHash, runs: nonce } = await state();
    const { timestamp } = await clientOf(USER).getBlock();
    return {
      policyId: id,
      policyHash,
      nonce,
      strategy: 'flash_loan_unwind',
      repayAmount: (value * (BPS - costBps)) / BPS / 100n - 10_000n,
      sellAmount: (value * 10n ** 10n) / WETH_USD,
      deadline: timestamp + 600n,
      route: '0x',
    };
  };

  it('a user writes a policy, and its fields determine its id and hash', async () => {
    const { logs } = await send(USER, executor.aaveV3, encodeSetPolicy(policy));
    const [change] = policyChanges(executor.aaveV3, logs);
    const place = { chainId: CHAIN_ID, executor: executor.aaveV3 };
    const policyHash = policyHashOf(place, USER.address, 1n, policy);
    expect(change).toMatchObject({
      eventName: 'PolicySet',
      args: { id, owner: USER.address, version: 1n, policyHash, policy },
    });
    expect(await state()).toMatchObject({ owner: USER.address, active: true, runs: 0n, policyHash });
  });

  it('a run without the allowance and a run of a caller that is no keeper are refused', async () => {
    const run = await unwind();
    expect(await refusal(USER, encodeExecute(run))).toEqual({ name: 'NotKeeper', args: [USER.address] });
    await expect(clientOf(KEEPER).call({ to: executor.aaveV3, data: encodeExecute(run) })).rejects.toThrow();
  });

  it('flash_loan_unwind brings the position to its target, once', async () => {
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: [executor.aaveV3, maxUint256] });
    await send(USER, devnetAsset(addresses, 'WETH').aToken, approve);
    const run = (lastRun = await unwind());
    const { logs } = await send(KEEPER, executor.aaveV3, encodeExecute(run));
    const [outcome, ...more] = runOutcomes(executor.aaveV3, logs);
    const { healthFactor } = await account();
    expect(more).toEqual([]);
    expect(outcome).toMatchObject({
      policyId: id,
      nonce: 0n,
      owner: USER.address,
      keeper: KEEPER.address,
      strategy: 'flash_loan_unwind',
      repaid: run.repayAmount,
      healthFactorAfter: healthFactor,
    });
    expect(Number(healthFactor - TARGET) / Number(TARGET)).toBeCloseTo(0, 3);
    expect(await refusal(KEEPER, encodeExecute(run))).toEqual({ name: 'WrongNonce', args: [1n, 0n] });
  });

  it('every executor serves only its own market', async () => {
    const { morphoBlue } = executor;
    const isMarket = (address: Address, market: Address) =>
      clientOf(USER).readContract({ address, abi: executorAbi, functionName: 'isMarket', args: [market] });
    expect(await isMarket(executor.aaveV3, addresses.pool)).toBe(true);
    expect(await isMarket(morphoBlue!, addresses.pool)).toBe(false);
  });

  it('a revoked policy no longer runs', async () => {
    const { policyHash, runs: nonce } = await state();
    const run: Run = { ...lastRun, policyHash, nonce };
    const { logs } = await send(USER, executor.aaveV3, encodeRevokePolicy(id));
    expect(policyChanges(executor.aaveV3, logs)).toMatchObject([
      { eventName: 'PolicyRevoked', args: { id, version: 2n } },
    ]);
    expect(await refusal(KEEPER, encodeExecute(run))).toEqual({ name: 'PolicyInactive', args: [id] });
  });
});
