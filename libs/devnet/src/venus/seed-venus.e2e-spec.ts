import { startOwnEvm, type OwnPart } from '@plimsoll/testing';
import { createPublicClient, http, parseAbi, type PublicClient } from 'viem';
import { devnetAsset, type DevnetAddresses } from '../addresses';
import { deployDevnet } from '../deploy-devnet';
import { setPrice } from '../market/set-price';
import { SEED_PLANS } from '../seed/plan';
import { seedPositions } from '../seed/seed-positions';
import { demoWallet } from '../seed/wallets';
import type { VenusPool } from './deploy-venus';
import { seedVenus } from './seed-venus';

const abi = parseAbi([
  'function getAccountLiquidity(address account) view returns (uint256, uint256 liquidity, uint256 shortfall)',
  'function borrowBalanceStored(address account) view returns (uint256)',
  'function getCash() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function getUnderlyingPrice(address vToken) view returns (uint256)',
]);
const CHAIN_ID = 31_337;
const CODE_SIZE_LIMIT_BYTES = 60_000;
const USDC = 2;

describe('seedVenus', () => {
  let node: OwnPart;
  let addresses: DevnetAddresses;
  let pool: VenusPool;
  let viem: PublicClient;

  beforeAll(async () => {
    node = await startOwnEvm({
      chainId: CHAIN_ID,
      blockTimeSeconds: 1,
      codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES,
    });
    addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
    await seedPositions(node.url, addresses, SEED_PLANS.slice(0, 2));
    pool = await seedVenus(node.url, addresses);
    viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
  }, 120_000);
  afterAll(() => node?.dispose());

  const liquidityOf = (wallet: number) =>
    viem.readContract({
      address: pool.comptroller,
      abi,
      functionName: 'getAccountLiquidity',
      args: [demoWallet(wallet).address],
    });

  it('gives a wallet a debt with the planned collateral ratio', async () => {
    const debt = await viem.readContract({
      address: pool.vTokens[USDC]!,
      abi,
      functionName: 'borrowBalanceStored',
      args: [demoWallet(1).address],
    });
    const [, liquidity] = await liquidityOf(1);
    const owedUsd = Number(debt) / 1e6;
    expect((owedUsd + Number(liquidity) / 1e18) / owedUsd).toBeCloseTo(1.1, 3);
  });

  it('lends as much as a real market of its size', async () => {
    const wethUsd = 3_150n;
    const cash = await viem.readContract({ address: pool.vTokens[0]!, abi, functionName: 'getCash' });
    expect((cash * wethUsd) / 10n ** 18n).toBeGreaterThanOrEqual(99_999_999n);
    expect((cash * wethUsd) / 10n ** 18n).toBeLessThan(101_000_000n);
    const weth = devnetAsset(addresses, 'WETH').address;
    const minted = await viem.readContract({ address: weth, abi, functionName: 'totalSupply' });
    // The market of Aave mints four times the 600 million that it lends.
    expect((minted * wethUsd) / 10n ** 18n).toBeLessThan(3_000_000_000n);
  });

  it('uses the prices of the feeds, and a fall leaves a wallet with a shortfall', async () => {
    const price = await viem.readContract({
      address: pool.oracle,
      abi,
      functionName: 'getUnderlyingPrice',
      args: [pool.vTokens[USDC]!],
    });
    expect(Number(price) / 1e30).toBeCloseTo(1, 2);
    expect((await liquidityOf(1))[2]).toBe(0n);
    await setPrice(node.url, addresses, 'ETH', 2_000);
    expect((await liquidityOf(1))[2]).toBeGreaterThan(0n);
  });
});
