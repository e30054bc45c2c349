import { encodeFunctionData, maxUint256, numberToHex, parseAbi, parseEther, type Address } from 'viem';
import { devnetAsset, type DevnetAddresses } from '../addresses';
import { connectAnvil } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { tokenAmount, USD } from '../seed/amounts';
import { demoWallet } from '../seed/wallets';
import { deployVenusPool, type VenusPool } from './deploy-venus';

const abi = parseAbi([
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function mintBehalf(address minter, uint256 mintAmount) returns (uint256)',
  'function mint(uint256 mintAmount) returns (uint256)',
  'function enterMarkets(address[] vTokens) returns (uint256[])',
  'function borrow(uint256 borrowAmount) returns (uint256)',
]);

/** The operator's supply in each market. */
const LENT_USD = 100_000_000n * USD;
const PERCENT = 10n ** 16n;
const PPM = 1_000_000n;
const GAS = 2_000_000n;
/**
 * Decimals of the devnet's feeds. A pool expects prices whose decimals and those of the token add up to 36.
 */
const FEED_DECIMALS = 8;
const PRICE_DECIMALS = 36;

/** Markets of the local pool. Factors are in percent. */
const LISTINGS = [
  { symbol: 'WETH', collateralFactor: 75n, threshold: 80n },
  { symbol: 'WBTC', collateralFactor: 70n, threshold: 75n },
  { symbol: 'USDC', collateralFactor: 80n, threshold: 85n },
] as const;
const USDC = 2;

const HEALTH_FACTORS = [1_100_000n, 1_180_000n, 1_300_000n, 1_500_000n, 2_000_000n];
/**
 * Every third wallet supplies one of the volatile assets, and owes USDC. The next wallets after those on
 * Morpho.
 */
const PLANS = Array.from({ length: 14 }, (_, index) => ({
  wallet: 3 * index + 1,
  market: index % USDC,
  suppliedUsd: 9_000n * BigInt(1 + (index % 6)),
  /** Millionths. */
  healthFactor: HEALTH_FACTORS[index % HEALTH_FACTORS.length]!,
}));

/**
 * Deploys a genuine isolated pool of Venus beside the seeded Aave market, priced by its feeds, and gives demo wallets
 * positions in it. The node must allow contracts of 60,000 bytes.
 * @throws when a transaction reverts
 */
export async function seedVenus(rpcUrl: string, addresses: DevnetAddresses): Promise<VenusPool> {
  const { operator } = addresses;
  const rpc = connectAnvil(rpcUrl);
  const assets = LISTINGS.map(({ symbol }) => devnetAsset(addresses, symbol));
  const pool = await deployVenusPool(
    rpc,
    operator,
    LISTINGS.map(({ symbol, collateralFactor, threshold }, index) => ({
      symbol,
      token: assets[index]!.address,
      decimals: assets[index]!.decimals,
      collateralFactor: collateralFactor * PERCENT,
      threshold: threshold * PERCENT,
    })),
    'VenusFeedOracle',
    (call, vTokens) =>
      assets.forEach(({ aggregator, decimals }, index) => {
        const scale = 10n ** BigInt(PRICE_DECIMALS - decimals - FEED_DECIMALS);
        call('setFeed', 'VenusFeedOracle', 'setFeed', [vTokens[index], aggregator, scale]);
      }),
  );
  const borrowers = PLANS.map(({ wallet }) => demoWallet(wallet).address);
  await Promise.all(
    borrowers.flatMap((wallet) => [
      rpc.request('anvil_setBalance', [wallet, numberToHex(parseEther('10'))]),
      rpc.request('anvil_impersonateAccount', [wallet]),
    ]),
  );
  await supply(await TransactionQueue.open(rpc, [operator]), addresses, pool);
  await borrow(await TransactionQueue.open(rpc, borrowers), pool);
  await Promise.all(borrowers.map((wallet) => rpc.request('anvil_stopImpersonatingAccount', [wallet])));
  return pool;
}

async function supply(queue: TransactionQueue, addresses: DevnetAddresses, pool: VenusPool): Promise<void> {
  const { operator } = addresses;
  LISTINGS.forEach(({ symbol }, index) => {
    const { address } = devnetAsset(addresses, symbol);
    const vToken = pool.vTokens[index]!;
    const lent = tokenAmount(symbol, LENT_USD);
    const collateral = PLANS.reduce(
      (sum, plan) => (plan.market === index ? sum + collateralOf(plan) : sum),
      0n,
    );
    const mint = encodeFunctionData({ abi, functionName: 'mint', args: [operator, lent + collateral] });
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: [vToken, maxUint256] });
    queue.call(operator, `mint ${symbol}`, address, mint, GAS);
    queue.call(operator, `approve ${symbol}`, address, approve, GAS);
    const lend = encodeFunctionData({ abi, functionName: 'mint', args: [lent] });
    queue.call(operator, `supply ${symbol}`, vToken, lend, GAS);
  });
  for (const plan of PLANS) {
    const args = [demoWallet(plan.wallet).address, collateralOf(plan)] as const;
    const data = encodeFunctionData({ abi, functionName: 'mintBehalf', args });
    queue.call(operator, 'supply collateral', pool.vTokens[plan.market]!, data, GAS);
  }
  await queue.flush();
}

function collateralOf({ market, suppliedUsd }: (typeof PLANS)[number]): bigint {
  return tokenAmount(LISTINGS[market]!.symbol, suppliedUsd * USD);
}

async function borrow(queue: TransactionQueue, pool: VenusPool): Promise<void> {
  for (const { wallet, market, suppliedUsd, healthFactor } of PLANS) {
    const { address } = demoWallet(wallet);
    const entered: Address[] = [pool.vTokens[market]!];
    const enter = encodeFunctionData({ abi, functionName: 'enterMarkets', args: [entered] });
    const owed = (suppliedUsd * USD * LISTINGS[market]!.threshold * PPM) / (100n * healthFactor);
    const data = encodeFunctionData({
      abi,
      functionName: 'borrow',
      args: [tokenAmount(LISTINGS[USDC].symbol, owed)],
    });
    queue.call(address, 'enter', pool.comptroller, enter, GAS);
    queue.call(address, 'borrow', pool.vTokens[USDC]!, data, GAS);
  }
  await queue.flush();
}
