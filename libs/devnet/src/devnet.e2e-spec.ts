import { startOwnEvm, waitFor, type OwnPart } from '@plimsoll/testing';
import { createPublicClient, http, maxUint256, parseAbi, type PublicClient } from 'viem';
import { tokenAbi } from './aave/abis';
import { ASSETS } from './aave/assets';
import { deployDevnet, isDeployed } from './deploy-devnet';
import type { DevnetAddresses } from './addresses';
import { MarketSimulation } from './market/market-simulation';
import { setPrice } from './market/set-price';
import { priceFeedAbi } from './price-feed/price-feed';
import { seedCirculation } from './seed/seed-circulation';
import { seedPositions, type SeededWallet } from './seed/seed-positions';
import { deployVenue } from './venue/deploy-venue';

const abi = parseAbi([
  'function getUserAccountData(address user) view returns (uint256, uint256, uint256, uint256, uint256, uint256)',
  'function getAssetPrice(address asset) view returns (uint256)',
]);
const CHAIN_ID = 31_337;

let node: OwnPart;
let addresses: DevnetAddresses;
let wallets: SeededWallet[];
let viem: PublicClient;

beforeAll(async () => {
  node = await startOwnEvm({ chainId: CHAIN_ID, blockTimeSeconds: 1 });
  addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
  wallets = await seedPositions(node.url, addresses);
  viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
}, 60_000);
afterAll(() => node.dispose());

const priceOf = (symbol: string): Promise<bigint> => {
  const { address } = addresses.assets[symbol]!;
  return viem.readContract({
    address: addresses.oracle,
    abi,
    functionName: 'getAssetPrice',
    args: [address],
  });
};

describe('deployDevnet', () => {
  it('lists every asset at its seeded price', async () => {
    for (const { symbol, priceUsd } of ASSETS) expect(await priceOf(symbol)).toBe(priceUsd);
  });

  it('is found again by its addresses, but not on a node without them', async () => {
    expect(await isDeployed(node.url, addresses)).toBe(true);
    expect(await isDeployed(node.url, { ...addresses, pool: `0x${'11'.repeat(20)}` })).toBe(false);
    expect(await isDeployed(node.url, { ...addresses, chainId: 1 })).toBe(false);
  });

  it('throws when the node is another chain', async () => {
    await expect(deployDevnet({ rpcUrl: node.url, chainId: 1 })).rejects.toThrow('--chain-id 1');
  });
});

describe('seedPositions', () => {
  it('gives at least 60 wallets their position, each at its planned health factor', async () => {
    expect(wallets.length).toBeGreaterThanOrEqual(60);
    for (const { address, plan } of wallets) {
      const data = await viem.readContract({
        address: addresses.pool,
        abi,
        functionName: 'getUserAccountData',
        args: [address],
      });
      if (plan.healthFactor === null) expect(data[5]).toBe(maxUint256);
      else expect(Math.abs(Number(data[5]) / 1e18 / plan.healthFactor - 1)).toBeLessThan(1e-3);
    }
  });

  it('has several positions with two collaterals and two debts', () => {
    const wide = wallets.filter(({ plan }) => plan.supplies.length > 1 && plan.borrows.length > 1);
    expect(wide.length).toBeGreaterThanOrEqual(5);
  });
});

describe('setPrice', () => {
  it('is one transaction in one block, and moves the oracle', async () => {
    const before = await viem.getBlockNumber();
    const change = await setPrice(node.url, addresses, 'eth', 2_900.5);
    expect(change.blockNumber > before).toBe(true);
    expect(await priceOf('WETH')).toBe(2_900_50000000n);
  });

  it('is returned as by a Chainlink aggregator', async () => {
    const change = await setPrice(node.url, addresses, 'LINK', 17);
    const { aggregator } = addresses.assets['LINK']!;
    const { timestamp } = await viem.getBlock({ blockNumber: change.blockNumber });
    const feed = { address: aggregator, abi: priceFeedAbi } as const;
    const [round, response, startedAt, updatedAt, answeredIn] = await viem.readContract({
      ...feed,
      functionName: 'latestRoundData',
    });
    expect([response, startedAt, updatedAt, answeredIn]).toEqual([17_00000000n, timestamp, timestamp, round]);
    expect(await viem.readContract({ ...feed, functionName: 'decimals' })).toBe(8);
    expect(await viem.readContract({ ...feed, functionName: 'latestRound' })).toBe(round);
    expect(await viem.readContract({ ...feed, functionName: 'latestTimestamp' })).toBe(timestamp);
    const [event] = await viem.getContractEvents({
      ...feed,
      eventName: 'AnswerUpdated',
      fromBlock: change.blockNumber,
    });
    expect(event?.args).toEqual({ current: 17_00000000n, roundId: round, updatedAt: timestamp });
  });

  it('rejects an unknown asset and an invalid price', async () => {
    await expect(setPrice(node.url, addresses, 'DOGE', 1)).rejects.toThrow('WETH');
    await expect(setPrice(node.url, addresses, 'ETH', 0)).rejects.toThrow('positive');
  });
});

describe('MarketSimulation', () => {
  const simulationOf = (intervalMs: number): MarketSimulation =>
    new MarketSimulation({ rpcUrl: node.url, addresses, seed: 5, intervalMs });

  it('shock moves a price by a percentage, and set moves it to a value', async () => {
    const simulation = simulationOf(5_000);
    await simulation.set('BTC', 100_000);
    expect((await simulation.shock('BTC', -30)).priceRaw).toBe(70_000_00000000n);
    await expect(simulation.shock('BTC', -100)).rejects.toThrow('-100');
  });

  it('a step starts at the prices on the chain', async () => {
    await setPrice(node.url, addresses, 'ETH', 1_000);
    const changes = await simulationOf(5_000).step();
    const eth = Number(changes.find(({ symbol }) => symbol === 'WETH')?.priceRaw) / 1e8;
    expect(Math.abs(eth / 1_000 - 1)).toBeLessThan(0.1);
  });

  it('a step moves all prices in one block', async () => {
    const changes = await simulationOf(5_000).step();
    expect(changes.length).toBeGreaterThan(3);
    expect(new Set(changes.map(({ blockNumber }) => blockNumber)).size).toBe(1);
    for (const { symbol, priceRaw } of changes) expect(await priceOf(symbol)).toBe(priceRaw);
  });

  it('moves prices while it runs, and keeps them while it is paused', async () => {
    const simulation = simulationOf(40);
    simulation.start();
    const first = await priceOf('WETH');
    await waitFor(async () => (await priceOf('WETH')) !== first, { message: 'the price moves' });
    simulation.pause();
    await simulation.set('ETH', 3_000);
    expect(await priceOf('WETH')).toBe(3_000_00000000n);
    const held = await viem.getBlockNumber();
    await waitFor(async () => (await viem.getBlockNumber()) >= held + 2n, { message: 'two blocks pass' });
    expect(await priceOf('WETH')).toBe(3_000_00000000n);
    simulation.resume();
    await waitFor(async () => (await priceOf('WETH')) !== 3_000_00000000n, { message: 'it moves again' });
    await simulation.stop();
  });
});

describe('seedCirculation', () => {
  const supplies = (): Promise<bigint[]> =>
    Promise.all(
      ASSETS.map(({ symbol }) =>
        viem.readContract({
          address: addresses.assets[symbol]!.address,
          abi: tokenAbi,
          functionName: 'totalSupply',
        }),
      ),
    );
  const circulations = ASSETS.map(({ circulation, decimals }) => circulation * 10n ** BigInt(decimals));

  it('gives every asset its circulation when the market, the venue and the wallets have their amounts', async () => {
    await deployVenue(node.url, addresses);
    const before = await supplies();
    before.forEach((supply, index) => expect(supply).toBeLessThan(circulations[index]!));
    await seedCirculation(node.url, addresses);
    expect(await supplies()).toEqual(circulations);
    await seedCirculation(node.url, addresses);
    expect(await supplies()).toEqual(circulations);
  });
});
