import type { WhaleActivityItem, WhaleActivityList } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { type Address, type Hex, createPublicClient, encodeFunctionData, http, parseAbi } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { writeMoves } from './sample-moves';
import { USDC, WETH, actor } from './scripted-day';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(60_000);

const abi = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
  'function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)',
  'function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)',
  'function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)',
  'function totalSupply() view returns (uint256)',
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint128 accruedToTreasury; uint128 unbacked; uint128 isolationModeTotalDebt; }',
  'function getReserveData(address asset) view returns (ReserveData)',
]);
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function supply(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)',
  'function market(bytes32 id) view returns (uint128 totalSupplyAssets, uint128 totalSupplyShares, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128 lastUpdate, uint128 fee)',
  'function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)',
]);

const [lender, whale, silent] = [actor(6), actor(7), actor(8)];
let chain: ChainFixture;
let service: ServiceFixture;

const viem = () => createPublicClient({ transport: http(chain.node.url), cacheTime: 0 });

async function act(
  from: Address,
  functionName: 'supply' | 'withdraw' | 'borrow' | 'repay',
  symbol: string,
  amount: bigint,
): Promise<Hex> {
  const token = chain.token(symbol);
  const data = {
    supply: () => encodeFunctionData({ abi, functionName: 'supply', args: [token, amount, from, 0] }),
    withdraw: () => encodeFunctionData({ abi, functionName: 'withdraw', args: [token, amount, from] }),
    borrow: () => encodeFunctionData({ abi, functionName: 'borrow', args: [token, amount, 2n, 0, from] }),
    repay: () => encodeFunctionData({ abi, functionName: 'repay', args: [token, amount, 2n, from] }),
  }[functionName]();
  return chain.send(from, chain.addresses.pool, data);
}

async function itemOf(transactionHash: Hex): Promise<WhaleActivityItem> {
  await service.indexedTo(await chain.head());
  const { body } = await service.get<WhaleActivityList>('/v1/whales/activity?limit=200&minUsd=0');
  const found = body.activity.find((item) => item.transactionHash === transactionHash);
  if (!found) throw new Error(`no activity of ${transactionHash}`);
  return found;
}

/** Returns what the contracts report at a block. */
async function contractAt(block: number, symbol: string) {
  const { pool, assets } = chain.addresses;
  const { aToken, variableDebtToken, stableDebtToken } = assets[symbol]!;
  const at = { blockNumber: BigInt(block) };
  const sum = (address: Address): Promise<bigint> =>
    viem().readContract({ address, abi, functionName: 'totalSupply', ...at });
  const [account, reserve, supplied, variable, stable] = await Promise.all([
    viem().readContract({ address: pool, abi, functionName: 'getUserAccountData', args: [whale], ...at }),
    viem().readContract({
      address: pool,
      abi,
      functionName: 'getReserveData',
      args: [chain.token(symbol)],
      ...at,
    }),
    sum(aToken),
    sum(variableDebtToken),
    sum(stableDebtToken),
  ]);
  return {
    healthFactor: Number(`${account[5]}e-18`),
    supplyRate: Number(reserve.currentLiquidityRate) / 1e27,
    borrowRate: Number(reserve.currentVariableBorrowRate) / 1e27,
    supplied,
    borrowed: variable + stable,
  };
}

const percentOf = (amount: bigint, total: bigint): number =>
  Number(`${(amount * 100n * 10n ** 18n) / total}e-18`);

beforeAll(async () => {
  chain = await startChain();
  await chain.fund('USDC', 20_000_000n * USDC, lender);
  await chain.fund('WETH', 5_000n * WETH, whale, silent);
  await chain.fund('USDC', 1_000_000n * USDC, whale, silent);
  await act(lender, 'supply', 'USDC', 10_000_000n * USDC);
  await act(whale, 'supply', 'WETH', 1_000n * WETH);
  await act(whale, 'borrow', 'USDC', 500_000n * USDC);
  service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
  await service.start();
  await service.indexedTo(await chain.head());
});

afterAll(async () => {
  await service?.close();
  await chain?.close();
});

describe('the effect of a move on Aave v3', () => {
  it.each([
    ['borrow', 'USDC', 800_000n * USDC, 'borrowed'],
    ['repay', 'USDC', 300_000n * USDC, 'borrowed'],
    ['supply', 'WETH', 250n * WETH, 'supplied'],
    ['withdraw', 'WETH', 100n * WETH, 'supplied'],
  ] as const)(
    '%s %s: the share, health factors and rates are the contract’s',
    async (kind, symbol, amount, of) => {
      const item = await itemOf(await act(whale, kind, symbol, amount));
      const [before, after] = await Promise.all([
        contractAt(item.block - 1, symbol),
        contractAt(item.block, symbol),
      ]);
      expect(item).toMatchObject({
        shareOfPoolPercent: percentOf(amount, before[of]),
        shareOfPoolReason: null,
        healthFactorBefore: before.healthFactor,
        healthFactorAfter: after.healthFactor,
        healthFactorReason: null,
        rateEffect: {
          supplyRateBefore: before.supplyRate,
          supplyRateAfter: after.supplyRate,
          borrowRateBefore: before.borrowRate,
          borrowRateAfter: after.borrowRate,
        },
        rateEffectReason: null,
      });
      expect(item.healthFactorAfter).not.toBe(item.healthFactorBefore);
    },
  );

  it('is the same in whale.v1 and in the list', async () => {
    const item = await itemOf(await act(whale, 'borrow', 'USDC', 50_000n * USDC));
    const event = await waitFor(
      () => service.events.find(({ value }) => value?.activityId === item.id)?.value,
      { message: 'its event' },
    );
    const { shareOfPoolPercent, healthFactorBefore, healthFactorAfter, rateEffect } = item;
    expect(event).toMatchObject({ shareOfPoolPercent, healthFactorBefore, healthFactorAfter, rateEffect });
  });

  it('has no health factor without a debt, and states the reason', async () => {
    const item = await itemOf(await act(silent, 'supply', 'WETH', 20n * WETH));
    expect(item).toMatchObject({
      healthFactorBefore: null,
      healthFactorAfter: null,
      healthFactorReason: 'no_debt',
    });
    expect(item.shareOfPoolPercent).toBeGreaterThan(0);
  });

  it('has no share of an empty pool, and states the reason', async () => {
    await chain.fund('LINK', 10_000n * WETH, silent);
    const item = await itemOf(await act(silent, 'supply', 'LINK', 5_000n * WETH));
    expect(item).toMatchObject({ shareOfPoolPercent: null, shareOfPoolReason: 'empty_pool' });
  });

  it('is not read for a move below the threshold, and states that', async () => {
    const item = await itemOf(await act(silent, 'supply', 'WETH', WETH / 10n));
    expect(item).toMatchObject({ shareOfPoolPercent: null, shareOfPoolReason: 'not_read', rateEffect: null });
  });
});

describe('the effect of a move on Morpho Blue', () => {
  it('has the share and the rates of a loan, and no rates for collateral', async () => {
    const { morpho, markets } = chain.morpho;
    const { id, params } = markets[0]!;
    const lend = (): Promise<Hex> => {
      const args = [params, 100_000n * USDC, 0n, whale, '0x'] as const;
      return chain.send(whale, morpho, encodeFunctionData({ abi: morphoAbi, functionName: 'supply', args }));
    };
    const item = await itemOf(await lend());
    const [supplied] = await viem().readContract({
      address: morpho,
      abi: morphoAbi,
      functionName: 'market',
      args: [id],
      blockNumber: BigInt(item.block - 1),
    });
    expect(item).toMatchObject({
      shareOfPoolPercent: percentOf(100_000n * USDC, supplied),
      shareOfPoolReason: null,
      // The market has no rate model, so its loans bear no interest.
      rateEffect: { borrowRateBefore: 0, borrowRateAfter: 0 },
    });
    const args = [params, 40n * WETH, whale, '0x'] as const;
    const data = encodeFunctionData({ abi: morphoAbi, functionName: 'supplyCollateral', args });
    expect(await itemOf(await chain.send(whale, morpho, data))).toMatchObject({
      shareOfPoolReason: 'not_supported',
      healthFactorReason: 'no_debt',
      rateEffectReason: 'not_supported',
    });
  });
});

describe('a move that is too late to read its effect', () => {
  it('is published, with its effect stated as unknown', async () => {
    await service.stop();
    service.config.EFFECTS_BUDGET_MS = 0;
    await service.start();
    const item = await itemOf(await act(whale, 'supply', 'WETH', 30n * WETH));
    expect(item).toMatchObject({
      shareOfPoolReason: 'out_of_time',
      healthFactorReason: 'out_of_time',
      rateEffectReason: 'out_of_time',
    });
    await waitFor(() => service.events.some(({ value }) => value?.activityId === item.id), {
      message: 'its event',
    });
  });
});

describe('the deployer of the market', () => {
  it('is in no list and no event, but is shown as a counterparty', async () => {
    const { operator, pool } = chain.addresses;
    await chain.fund('WETH', 1_000n * WETH, operator);
    const supply = (onBehalfOf: Address): Hex =>
      encodeFunctionData({
        abi,
        functionName: 'supply',
        args: [chain.token('WETH'), 200n * WETH, onBehalfOf, 0],
      });
    await chain.send(operator, pool, supply(operator));
    const item = await itemOf(await chain.send(operator, pool, supply(silent)));
    expect(item).toMatchObject({
      counterpartyLabel: { kind: 'deployer', name: 'Deployer of the local market' },
    });
    const { body } = await service.get<WhaleActivityList>('/v1/whales/activity?limit=200&minUsd=0');
    const wallets = new Set([
      ...body.activity.map(({ wallet }) => wallet.toLowerCase()),
      ...service.events.map(({ value }) => value?.wallet),
    ]);
    const { assets } = chain.addresses;
    const contracts = Object.values(assets).flatMap(({ address, aToken }) => [address, aToken]);
    for (const address of [operator, pool, chain.morpho.morpho, ...contracts])
      expect(wallets.has(address.toLowerCase())).toBe(false);
  });

  it('is removed from the moves that were stored before it had a label', async () => {
    const wallet = chain.addresses.operator.toLowerCase();
    await writeMoves(service.pool, [{ wallet, block: 1, usd: 1_000_000 }]);
    const stored = async (): Promise<number | null> =>
      (await service.pool.query('SELECT 1 FROM activity WHERE wallet = $1', [wallet])).rowCount;
    expect(await stored()).toBe(1);
    await service.stop();
    await service.start();
    await waitFor(async () => (await stored()) === 0, { message: 'its move is removed' });
  });
});
