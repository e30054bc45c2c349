import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  PACKAGES_FOLDER,
  type SeededWallet,
  type VenusCorePool,
  compileSolidity,
  deployMorpho,
  deployVenusCore,
  devnetAsset,
  queuedChain,
  tokenAbi,
} from '@plimsoll/devnet';
import { type ExecutorAddresses, deployExecutor } from '@plimsoll/devnet-executor';
import { workspaceRoot } from '@plimsoll/local-parts';
import type { Address } from 'viem';
import type { LocalMarket } from './local-market';

const WAD = 10n ** 18n;
const share = (percent: bigint): bigint => (percent * WAD) / 100n;
/** Whole units that the operator lends, and that a flash loan may take. */
const PLENTY = 10n ** 30n;
const LISTINGS = [
  { symbol: 'WETH', factor: share(75n), threshold: share(80n) },
  { symbol: 'USDC', factor: share(80n), threshold: share(83n), poolThreshold: share(90n) },
] as const;
const [WETH, USDC] = [0, 1];

/** The core pool of Venus on a market, from Venus' published bytecode, with its executor. */
export interface CorePool {
  comptroller: Address;
  executors: ExecutorAddresses;
  vTokens: readonly Address[];
}

/**
 * Opens it, gives each wallet WETH against USDC at one of these health factors, and writes both into the
 * market's overlay. Start the service afterwards.
 */
export async function openCorePool(
  market: LocalMarket,
  keeper: Address,
  healthFactors: readonly number[],
): Promise<CorePool> {
  const { rpc, addresses, wallets } = market;
  await rpc.request('anvil_autoImpersonateAccount', [true]);
  const chain = queuedChain(rpc, addresses.operator);
  const pool = await deployVenusCore(
    chain,
    oracleArtifact(),
    LISTINGS.map((listing) => {
      const { address: token, decimals } = devnetAsset(addresses, listing.symbol);
      return { ...listing, token, decimals, price: BigInt(Math.round(usdOf(market, listing.symbol) * 1e8)) };
    }),
  );
  await lend(market, pool);
  for (const [index, wallet] of wallets.entries())
    await borrow(market, pool, wallet, healthFactors[index % healthFactors.length]!);
  const { morpho } = await deployMorpho(market.node.url, addresses, []);
  await market.mint('USDC', morpho, PLENTY);
  const { comptroller, vTokens } = pool;
  const executors = await deployExecutor(market.node.url, addresses, [keeper], { morpho, comptroller });
  await writeOverlay(market, comptroller, executors);
  return { comptroller, executors, vTokens };
}

function oracleArtifact() {
  const folder = path.join(workspaceRoot(), 'test/contracts');
  return compileSolidity({
    compiler: 'solc',
    folders: [folder, PACKAGES_FOLDER],
    entries: ['VenusCoreOracle.sol'],
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  })['VenusCoreOracle']!;
}

const usdOf = (market: LocalMarket, symbol: string): number =>
  market.prices().get(symbol === 'WETH' ? 'ETH' : symbol)!.usd;

async function lend(market: LocalMarket, pool: VenusCorePool): Promise<void> {
  const { operator } = market.addresses;
  const chain = queuedChain(market.rpc, operator);
  for (const [at, { symbol }] of LISTINGS.entries()) {
    const vToken = pool.vTokens[at]!;
    await market.mint(symbol, operator, 2n * PLENTY);
    await chain.send([
      { to: market.token(symbol), abi: tokenAbi, name: 'approve', args: [vToken, 2n * PLENTY] },
      pool.call('VBep20Immutable', vToken, 'mint', [PLENTY]),
    ]);
  }
}

/** 10 WETH against as much USDC as the health factor allows. */
async function borrow(
  market: LocalMarket,
  pool: VenusCorePool,
  { address }: SeededWallet,
  healthFactor: number,
): Promise<void> {
  const chain = queuedChain(market.rpc, market.addresses.operator);
  const [vWeth, vUsdc] = [pool.vTokens[WETH]!, pool.vTokens[USDC]!];
  const owed = (10 * usdOf(market, 'WETH') * 0.8) / healthFactor / usdOf(market, 'USDC');
  await chain.send([pool.call('VBep20Immutable', vWeth, 'mintBehalf', [address, 10n * WAD])]);
  await chain.send([
    pool.call('MarketFacet', pool.comptroller, 'enterMarkets', [[vWeth]], address),
    pool.call('VBep20Immutable', vUsdc, 'borrow', [BigInt(Math.floor(owed * 1e6))], address),
  ]);
}

async function writeOverlay(
  { overlayPath, endpoint: { chainId } }: LocalMarket,
  comptroller: Address,
  { compoundV2 }: ExecutorAddresses,
): Promise<void> {
  const overlay = JSON.parse(await readFile(overlayPath, 'utf8')) as {
    protocols: object[];
    execution: { executors?: Record<string, Address | undefined> }[];
  };
  const contracts = { corePool: comptroller, corePoolFamily: 'venus-core' };
  overlay.protocols.push({ id: 'venus', chains: { [String(chainId)]: contracts } });
  overlay.execution[0]!.executors = { ...overlay.execution[0]!.executors, 'venus/corePool': compoundV2 };
  await writeFile(overlayPath, JSON.stringify(overlay));
}
