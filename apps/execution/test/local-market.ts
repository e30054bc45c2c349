import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Id, positionId, priceSymbol } from '@plimsoll/contracts';
import {
  ASSETS,
  type AnvilRpc,
  DEVNET_MARKET,
  type DevnetAddresses,
  type SeedPlan,
  type SeededWallet,
  connectAnvil,
  deployDevnet,
  deployVenue,
  devnetAsset,
  registryOverlay,
  seedMorpho,
  seedPositions,
  seedVenus,
} from '@plimsoll/devnet';
import { type ExecutorAddresses, deployExecutor } from '@plimsoll/devnet-executor';
import type { ChainEndpoint } from '@plimsoll/evm';
import { type OwnPart, createTestFolder, startOwnEvm } from '@plimsoll/testing';
import { type Address, type Hex, encodeFunctionData, numberToHex, parseAbi, parseEther } from 'viem';
import type { PositionVenue } from '../src/positions/position-source';

const abi = parseAbi([
  'function mint(address account, uint256 value) returns (bool)',
  'function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)',
  'function balanceOf(address account) view returns (uint256)',
]);
const HF_WORD = 5;
/** Its address on the devnet. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** The plan of a position that supplies WETH worth 20,000 USD and owes USDC. */
export function ethPlan(label: string, healthFactor: number): SeedPlan {
  return {
    label,
    suppliedUsd: 20_000,
    supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
    borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
    healthFactor,
    eMode: false,
  };
}

/**
 * A local chain with the genuine Aave v3.0, seeded positions and the venue. It mines each transaction
 * immediately.
 */
export interface LocalMarket {
  node: OwnPart;
  rpc: AnvilRpc;
  addresses: DevnetAddresses;
  venue: Address;
  /** Executor of the keepers that startMarket received. */
  executor: ExecutorAddresses | undefined;
  morpho: Address | undefined;
  /** The comptroller of the isolated pool. */
  venus: Address | undefined;
  wallets: SeededWallet[];
  overlayPath: string;
  endpoint: ChainEndpoint;
  token(symbol: string): Address;
  /** Returns the wallet's position on Aave as the positions service would report it. */
  venueOf(wallet: Address): PositionVenue;
  mint(symbol: string, to: Address, amount: bigint): Promise<void>;
  balanceOf(symbol: string, account: Address): Promise<bigint>;
  /** Returns the contract's own health factor on the newest block. */
  healthFactorOf(wallet: Address): Promise<number>;
  mine(blocks?: number): Promise<void>;
  /** Returns the seeded prices of the feeds by symbol. */
  prices(): Map<string, { usd: number; isStale: boolean }>;
  close(): Promise<void>;
}

/** @param others whether to add Morpho Blue and an isolated pool of Venus */
export async function startMarket(
  plans?: readonly SeedPlan[],
  {
    chainId = 1,
    others = false,
    keeper,
    keepers = keeper ? [keeper] : [],
  }: { chainId?: number; others?: boolean; keeper?: Address; keepers?: readonly Address[] } = {},
): Promise<LocalMarket> {
  const node = await startOwnEvm({ chainId, codeSizeLimitBytes: 60_000 });
  const folder = await createTestFolder();
  const addresses = await deployDevnet({ rpcUrl: node.url, chainId });
  const wallets = await seedPositions(node.url, addresses, plans);
  const venue = await deployVenue(node.url, addresses);
  const morpho = others ? (await seedMorpho(node.url, addresses)).morpho : undefined;
  const venus = others ? (await seedVenus(node.url, addresses)).comptroller : undefined;
  const executor =
    keepers.length === 0
      ? undefined
      : await deployExecutor(node.url, addresses, keepers, {
          ...(morpho && { morpho }),
          ...(venus && { comptroller: venus }),
        });
  const overlayPath = path.join(folder.path, 'registry-overlay.json');
  await writeFile(
    overlayPath,
    JSON.stringify(registryOverlay(addresses, { venue, morpho, venus, executors: executor })),
  );
  const rpc = connectAnvil(node.url);
  const rich = [...wallets.map(({ address }) => address), ...keepers];
  for (const address of rich) await rpc.request('anvil_setBalance', [address, numberToHex(parseEther('10'))]);

  const call = async (to: Address, data: Hex): Promise<Hex> =>
    rpc.request<Hex>('eth_call', [{ to, data }, 'latest']);
  const market: LocalMarket = {
    node,
    rpc,
    addresses,
    venue,
    executor,
    morpho,
    venus,
    wallets,
    overlayPath,
    endpoint: { chainId, rpcUrl: node.url },
    token: (symbol) => devnetAsset(addresses, symbol).address,
    venueOf: (wallet) => {
      const key = {
        protocol: 'aave-v3',
        chainId,
        market: DEVNET_MARKET,
        subId: '',
        wallet: wallet.toLowerCase() as Address,
      };
      const { subId: _none, ...place } = key;
      return { id: positionId(key) as Id<'pos'>, ...place };
    },
    mint: async (symbol, to, amount) => {
      const data = encodeFunctionData({ abi, functionName: 'mint', args: [to, amount] });
      const call = { from: addresses.operator, to: market.token(symbol), data };
      await rpc.request('eth_sendTransactionSync', [call]);
    },
    balanceOf: async (symbol, account) =>
      BigInt(
        await call(
          market.token(symbol),
          encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] }),
        ),
      ),
    healthFactorOf: async (wallet) => {
      const data = encodeFunctionData({ abi, functionName: 'getUserAccountData', args: [wallet] });
      const words = (await call(addresses.pool, data)).slice(2);
      return Number(BigInt(`0x${words.slice(HF_WORD * 64, (HF_WORD + 1) * 64)}`)) / 1e18;
    },
    mine: async (blocks = 1) => {
      await rpc.request('anvil_mine', [numberToHex(blocks)]);
    },
    prices: () =>
      new Map(
        ASSETS.map(({ symbol, priceUsd }) => [
          priceSymbol(symbol),
          { usd: Number(priceUsd) / 1e8, isStale: false },
        ]),
      ),
    close: async () => {
      await node.dispose();
      await folder.remove();
    },
  };
  return market;
}
