import { encodeFunctionData, maxUint256, numberToHex, parseEther, type Address } from 'viem';
import { poolAbi, tokenAbi } from '../aave/abis';
import { ASSETS, STABLE_E_MODE } from '../aave/assets';
import { devnetAsset, type DevnetAddresses } from '../addresses';
import { connectAnvil, type AnvilRpc } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { sendPrice } from '../market/set-price';
import { seedAmounts, tokenAmount, USD, type SeedAmounts } from './amounts';
import { SEED_PLANS, type SeedPlan } from './plan';
import { demoWallet, type DemoWallet } from './wallets';

/** A wallet with its seed. */
export interface SeededWallet extends DemoWallet {
  plan: SeedPlan;
  amounts: SeedAmounts;
}

const LIQUIDITY_USD = 600_000_000n * USD;
const SUPPLY_GAS = 450_000n;
const BORROW_GAS = 650_000n;
const RATE_MODE = { stable: 1n, variable: 2n } as const;

/**
 * The demo wallets in order, without any access to a chain. @param plans of each wallet; default all of the
 * demo
 */
export function seededWallets(plans: readonly SeedPlan[] = SEED_PLANS): SeededWallet[] {
  return plans.map((plan, index) => ({ ...demoWallet(index), plan, amounts: seedAmounts(plan) }));
}

/**
 * Gives every demo wallet its position on a fresh market. The protocol permits no borrowing up to a health
 * factor near 1, so wallets borrow while volatile assets are 30 % higher, and then the prices fall to their
 * seeded values.
 */
export async function seedPositions(
  rpcUrl: string,
  addresses: DevnetAddresses,
  plans: readonly SeedPlan[] = SEED_PLANS,
): Promise<SeededWallet[]> {
  const rpc = connectAnvil(rpcUrl);
  const wallets = seededWallets(plans);
  await movePrices(rpc, addresses, (priceUsd) => (priceUsd * 13n) / 10n);
  await supplyAll(rpc, addresses, wallets);
  await borrowAll(rpc, addresses, wallets);
  await movePrices(rpc, addresses, (priceUsd) => priceUsd);
  return wallets;
}

async function movePrices(
  rpc: AnvilRpc,
  addresses: DevnetAddresses,
  price: (priceUsd: bigint) => bigint,
): Promise<void> {
  for (const { symbol, priceUsd } of ASSETS.filter(({ curve }) => curve === 'volatile')) {
    await sendPrice(rpc, addresses, symbol, price(priceUsd));
  }
}

/** The operator mints, keeps the market liquid and supplies on behalf of every wallet: one approval an asset. */
async function supplyAll(
  rpc: AnvilRpc,
  addresses: DevnetAddresses,
  wallets: readonly SeededWallet[],
): Promise<void> {
  const { operator, pool } = addresses;
  const queue = await TransactionQueue.open(rpc, [operator]);
  const supply = (symbol: string, amount: bigint, onBehalfOf: Address): void => {
    const asset = devnetAsset(addresses, symbol).address;
    const data = encodeFunctionData({
      abi: poolAbi,
      functionName: 'supply',
      args: [asset, amount, onBehalfOf, 0],
    });
    queue.call(operator, `supply ${symbol} for ${onBehalfOf}`, pool, data, SUPPLY_GAS);
  };
  for (const listing of ASSETS) {
    const token = devnetAsset(addresses, listing.symbol).address;
    const liquidity = tokenAmount(listing.symbol, LIQUIDITY_USD);
    const mint = encodeFunctionData({
      abi: tokenAbi,
      functionName: 'mint',
      args: [operator, liquidity * 4n],
    });
    queue.call(operator, `mint ${listing.symbol}`, token, mint, SUPPLY_GAS);
    const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [pool, maxUint256] });
    queue.call(operator, `approve ${listing.symbol}`, token, approve, SUPPLY_GAS);
    supply(listing.symbol, liquidity, operator);
  }
  for (const { address, amounts } of wallets) {
    for (const { symbol, amount } of amounts.supplies) supply(symbol, amount, address);
  }
  await queue.flush();
}

async function borrowAll(
  rpc: AnvilRpc,
  addresses: DevnetAddresses,
  wallets: readonly SeededWallet[],
): Promise<void> {
  await Promise.all(
    wallets.flatMap(({ address }) => [
      rpc.request('anvil_setBalance', [address, numberToHex(parseEther('10'))]),
      rpc.request('anvil_impersonateAccount', [address]),
    ]),
  );
  const queue = await TransactionQueue.open(
    rpc,
    wallets.map(({ address }) => address),
  );
  for (const wallet of wallets) queueWalletActions(queue, addresses, wallet);
  await queue.flush();
  await Promise.all(wallets.map(({ address }) => rpc.request('anvil_stopImpersonatingAccount', [address])));
}

function queueWalletActions(queue: TransactionQueue, addresses: DevnetAddresses, wallet: SeededWallet): void {
  const { address, plan, amounts } = wallet;
  const act = (label: string, data: `0x${string}`): void =>
    queue.call(address, `${label} of "${plan.label}"`, addresses.pool, data, BORROW_GAS);
  for (const { symbol, asCollateral } of amounts.supplies) {
    // An asset with a threshold of 0 is never collateral, so there is nothing to disable.
    if (asCollateral || ASSETS.find((listing) => listing.symbol === symbol)?.liquidationThresholdBps === 0n)
      continue;
    const args = [devnetAsset(addresses, symbol).address, false] as const;
    act(
      'collateral off',
      encodeFunctionData({ abi: poolAbi, functionName: 'setUserUseReserveAsCollateral', args }),
    );
  }
  if (plan.eMode)
    act(
      'e-mode',
      encodeFunctionData({ abi: poolAbi, functionName: 'setUserEMode', args: [STABLE_E_MODE.id] }),
    );
  for (const { symbol, amount, rate } of amounts.borrows) {
    const args = [devnetAsset(addresses, symbol).address, amount, RATE_MODE[rate], 0, address] as const;
    act(`borrow ${symbol}`, encodeFunctionData({ abi: poolAbi, functionName: 'borrow', args }));
  }
}
