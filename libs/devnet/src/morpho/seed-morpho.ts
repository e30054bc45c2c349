import { encodeFunctionData, maxUint256, numberToHex, parseAbi, parseEther } from 'viem';
import { devnetAsset, type DevnetAddresses } from '../addresses';
import { connectAnvil } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { tokenAmount, USD } from '../seed/amounts';
import { demoWallet } from '../seed/wallets';
import {
  deployMorpho,
  type MorphoAddresses,
  type MorphoListing,
  type MorphoMarketAddresses,
} from './deploy-morpho';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)',
  'function borrow(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)',
]);

const LLTV = 860_000_000_000_000_000n;
const PPM = 1_000_000n;
const GAS = 600_000n;

/** Markets of the local Morpho: two that count in USDC, and one that counts in WETH. */
const LISTINGS: readonly MorphoListing[] = [
  { loan: 'USDC', collateral: 'WETH', lltv: LLTV },
  { loan: 'USDC', collateral: 'WBTC', lltv: LLTV },
  { loan: 'WETH', collateral: 'USDC', lltv: LLTV },
];

/** A position beside the one that the wallet has on Aave. */
interface MorphoPlan {
  /** Index of the demo wallet. */
  wallet: number;
  /** Index in LISTINGS. */
  market: number;
  suppliedUsd: bigint;
  /** Millionths. */
  healthFactor: bigint;
}

const HEALTH_FACTORS = [1_060_000n, 1_150_000n, 1_220_000n, 1_350_000n, 1_600_000n, 2_400_000n];
/** Every third wallet. Some of them have two markets. */
const PLANS: readonly MorphoPlan[] = Array.from({ length: 20 }, (_, index) => ({
  wallet: index < 16 ? 3 * index : 3 * (index - 16),
  market: index < 16 ? index % 3 : (index - 15) % 3,
  suppliedUsd: 12_000n * BigInt(1 + (index % 5)),
  healthFactor: HEALTH_FACTORS[index % HEALTH_FACTORS.length]!,
}));

/**
 * Deploys the genuine Morpho Blue beside the seeded Aave market, priced by its feeds, and gives demo wallets positions on
 * it, so that they hold positions in two protocols.
 * @throws when a transaction reverts
 */
export async function seedMorpho(rpcUrl: string, addresses: DevnetAddresses): Promise<MorphoAddresses> {
  const { operator } = addresses;
  const { morpho, markets } = await deployMorpho(rpcUrl, addresses, LISTINGS);
  const rpc = connectAnvil(rpcUrl);
  const borrowers = [...new Set(PLANS.map(({ wallet }) => demoWallet(wallet).address))];
  await Promise.all(
    borrowers.flatMap((wallet) => [
      rpc.request('anvil_setBalance', [wallet, numberToHex(parseEther('10'))]),
      rpc.request('anvil_impersonateAccount', [wallet]),
    ]),
  );
  const supplies = await TransactionQueue.open(rpc, [operator]);
  for (const symbol of new Set(LISTINGS.map(({ collateral }) => collateral))) {
    const token = devnetAsset(addresses, symbol).address;
    const amount = PLANS.reduce(
      (sum, plan) => (LISTINGS[plan.market]!.collateral === symbol ? sum + collateralOf(plan) : sum),
      0n,
    );
    const mint = encodeFunctionData({ abi, functionName: 'mint', args: [operator, amount] });
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: [morpho, maxUint256] });
    supplies.call(operator, `mint ${symbol}`, token, mint, GAS);
    supplies.call(operator, `approve ${symbol}`, token, approve, GAS);
  }
  for (const plan of PLANS)
    supplies.call(operator, 'supply collateral', morpho, supplyData(plan, markets), GAS);
  await supplies.flush();
  const borrows = await TransactionQueue.open(rpc, borrowers);
  for (const plan of PLANS)
    borrows.call(demoWallet(plan.wallet).address, 'borrow', morpho, borrowData(plan, markets), GAS);
  await borrows.flush();
  await Promise.all(borrowers.map((wallet) => rpc.request('anvil_stopImpersonatingAccount', [wallet])));
  return { morpho, markets };
}

function collateralOf({ market, suppliedUsd }: MorphoPlan): bigint {
  return tokenAmount(LISTINGS[market]!.collateral, suppliedUsd * USD);
}

function supplyData(plan: MorphoPlan, markets: readonly MorphoMarketAddresses[]) {
  const { params } = markets[plan.market]!;
  const args = [params, collateralOf(plan), demoWallet(plan.wallet).address, '0x'] as const;
  return encodeFunctionData({ abi, functionName: 'supplyCollateral', args });
}

function borrowData(
  { wallet, market, suppliedUsd, healthFactor }: MorphoPlan,
  markets: readonly MorphoMarketAddresses[],
) {
  const { address } = demoWallet(wallet);
  const owed = (suppliedUsd * USD * LLTV * PPM) / (10n ** 18n * healthFactor);
  const assets = tokenAmount(LISTINGS[market]!.loan, owed);
  const args = [markets[market]!.params, assets, 0n, address, address] as const;
  return encodeFunctionData({ abi, functionName: 'borrow', args });
}
