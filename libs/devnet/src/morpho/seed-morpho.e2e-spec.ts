import { startOwnEvm, type OwnPart } from '@plimsoll/testing';
import { createPublicClient, http, parseAbi, type PublicClient } from 'viem';
import { devnetAsset, type DevnetAddresses } from '../addresses';
import { deployDevnet } from '../deploy-devnet';
import { setPrice } from '../market/set-price';
import { SEED_PLANS } from '../seed/plan';
import { seedPositions } from '../seed/seed-positions';
import { demoWallet } from '../seed/wallets';
import type { MorphoAddresses } from './deploy-morpho';
import { seedMorpho } from './seed-morpho';

const abi = parseAbi([
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function price() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function market(bytes32 id) view returns (uint128 totalSupplyAssets, uint128 totalSupplyShares, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128 lastUpdate, uint128 fee)',
]);
const CHAIN_ID = 31_337;
const WETH_USD = 3_150n;

describe('seedMorpho', () => {
  let node: OwnPart;
  let addresses: DevnetAddresses;
  let morpho: MorphoAddresses;
  let viem: PublicClient;

  beforeAll(async () => {
    node = await startOwnEvm({ chainId: CHAIN_ID, blockTimeSeconds: 1 });
    addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
    await seedPositions(node.url, addresses, SEED_PLANS.slice(0, 2));
    morpho = await seedMorpho(node.url, addresses);
    viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
  }, 60_000);
  afterAll(() => node?.dispose());

  const priceOf = (market: number): Promise<bigint> =>
    viem.readContract({
      address: morpho.markets[market]!.params.oracle,
      abi,
      functionName: 'price',
    });

  it('gives a wallet collateral and debt beside its position on Aave', async () => {
    const [, borrowShares, collateral] = await viem.readContract({
      address: morpho.morpho,
      abi,
      functionName: 'position',
      args: [morpho.markets[0]!.id, demoWallet(0).address],
    });
    expect(collateral).toBe((12_000n * 10n ** 18n) / WETH_USD);
    expect(borrowShares).toBeGreaterThan(0n);
  });

  it('lends as much as a real market of its size', async () => {
    const [lent] = await viem.readContract({
      address: morpho.morpho,
      abi,
      functionName: 'market',
      args: [morpho.markets[0]!.id],
    });
    expect(lent).toBe(100_000_000n * 10n ** 6n);
    const usdc = devnetAsset(addresses, 'USDC').address;
    const minted = await viem.readContract({ address: usdc, abi, functionName: 'totalSupply' });
    // The market of Aave mints four times the 600 million that it lends.
    expect(minted / 10n ** 6n).toBeLessThan(3_000_000_000n);
  });

  it('prices its markets by the feeds, in the currency of the loan', async () => {
    expect(await priceOf(0)).toBe(WETH_USD * 10n ** 24n);
    expect(await priceOf(2)).toBe(10n ** 48n / WETH_USD);
    await setPrice(node.url, addresses, 'ETH', 2_000);
    expect(await priceOf(0)).toBe(2_000n * 10n ** 24n);
    expect(await priceOf(2)).toBe(10n ** 48n / 2_000n);
  });
});
