import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AlertRemedy } from '@plimsoll/contracts';
import {
  type AnvilRpc,
  type DevnetAddresses,
  type MorphoAddresses,
  SEED_PLANS,
  type VenusPool,
  connectAnvil,
  demoWallet,
  deployDevnet,
  devnetAsset,
  registryOverlay,
  seedMorpho,
  seedPositions,
  seedVenus,
} from '@plimsoll/devnet';
import { type ChainClient, Multicall, createChainClient, loadRegistry, readLatestHead } from '@plimsoll/evm';
import { type HoldingsIndex, type RawLeg, type RawPosition, createReaders } from '@plimsoll/protocols';
import { type OwnPart, type TestFolder, createTestFolder, startOwnEvm } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  type PublicClient,
  createPublicClient,
  encodeFunctionData,
  http,
  maxUint256,
  numberToHex,
  parseAbi,
} from 'viem';
import { remediesOf } from '../src/content/remedies';
import type { ContractFigures, StoredLeg } from '../src/positions/holdings';

const tokenAbi = parseAbi([
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
]);
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function repay(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data) returns (uint256, uint256)',
  'function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)',
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function market(bytes32 id) view returns (uint128 totalSupplyAssets, uint128 totalSupplyShares, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128 lastUpdate, uint128 fee)',
  'function price() view returns (uint256)',
]);
const venusAbi = parseAbi([
  'function repayBorrowBehalf(address borrower, uint256 repayAmount) returns (uint256)',
  'function mintBehalf(address minter, uint256 mintAmount) returns (uint256)',
  'function borrowBalanceStored(address account) view returns (uint256)',
  'function getAccountLiquidity(address account) view returns (uint256, uint256 liquidity, uint256 shortfall)',
  'function getUnderlyingPrice(address vToken) view returns (uint256)',
]);
const CHAIN_ID = 31_337;
const CODE_SIZE_LIMIT_BYTES = 60_000;
const WAD = 10n ** 18n;
const ORACLE_SCALE = 10n ** 36n;
const TARGET = 1.5;
const TARGET_WAD = 15n * 10n ** 17n;
const PLENTY = 10n ** 30n;
const SYMBOLS = ['WETH', 'WBTC', 'USDC'];

let node: OwnPart;
let folder: TestFolder;
let rpc: AnvilRpc;
let addresses: DevnetAddresses;
let morpho: MorphoAddresses;
let venus: VenusPool;
let viem: PublicClient;
let overlayPath: string;

beforeAll(async () => {
  node = await startOwnEvm({ chainId: CHAIN_ID, codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES });
  folder = await createTestFolder();
  rpc = connectAnvil(node.url);
  addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
  await seedPositions(node.url, addresses, SEED_PLANS.slice(0, 2));
  morpho = await seedMorpho(node.url, addresses);
  venus = await seedVenus(node.url, addresses);
  viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
  overlayPath = path.join(folder.path, 'registry-overlay.json');
  const beside = { morpho: morpho.morpho, venus: venus.comptroller };
  await writeFile(overlayPath, JSON.stringify(registryOverlay(addresses, beside)));
  // The wallet that pays for the remedies.
  for (const symbol of SYMBOLS) {
    const { address } = devnetAsset(addresses, symbol);
    await send(
      address,
      encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [addresses.operator, PLENTY] }),
    );
    for (const spender of [morpho.morpho, ...venus.vTokens])
      await send(
        address,
        encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spender, maxUint256] }),
      );
  }
}, 180_000);
afterAll(async () => {
  await node?.dispose();
  await folder?.remove();
});

async function send(to: Address, data: Hex): Promise<void> {
  const call = { from: addresses.operator, to, data, gas: numberToHex(3_000_000n) };
  const { status } = await rpc.request<{ status: Hex }>('eth_sendTransactionSync', [call]);
  if (status !== '0x1') throw new Error(`a transaction to ${to} reverted`);
}

/** Sub-ids from the logs of the whole chain. */
function indexOf(client: ChainClient): HoldingsIndex {
  return {
    subIdsOf: async (_row, source, wallets) => {
      const filter = { address: [...source.addresses], fromBlock: '0x0', toBlock: 'latest' };
      const logs = await client.request<
        { address: Address; topics: [Hex, ...Hex[]]; data: Hex; blockNumber: Hex }[]
      >('eth_getLogs', [filter]);
      const subIds = new Map<Address, string[]>();
      for (const log of logs.filter(({ topics }) => source.topics.includes(topics[0]))) {
        for (const { wallet, subId } of source.entriesOf(log)) {
          const known = subIds.get(wallet) ?? [];
          if (wallets.includes(wallet) && !known.includes(subId)) subIds.set(wallet, [...known, subId]);
        }
      }
      return subIds;
    },
  };
}

/** The positions with debt of the demo wallets on a protocol, as the positions service reads them. */
async function positionsOn(protocol: string): Promise<RawPosition[]> {
  const client = createChainClient({ chainId: CHAIN_ID, rpcUrl: node.url });
  const multicall = new Multicall(client, addresses.multicall3);
  const readers = createReaders(await loadRegistry(overlayPath), {
    client,
    multicall,
    index: indexOf(client),
  });
  const reader = readers.find(({ row }) => row.protocol === protocol && row.chainId === CHAIN_ID)!;
  const wallets = Array.from(
    { length: 48 },
    (_, index) => demoWallet(index).address.toLowerCase() as Address,
  );
  const { positions, unreadable } = await reader.readPositions(wallets, await readLatestHead(client));
  expect(unreadable).toEqual([]);
  return positions.filter(({ healthFactorRaw }) => healthFactorRaw !== null);
}

/** The figures of a position that alerts keep. */
function figuresOf({ legs, healthFactorRaw, priceDecimals, usdPerBaseRaw }: RawPosition): ContractFigures {
  const stored = (leg: RawLeg): StoredLeg => ({
    asset: leg.symbol,
    address: leg.address,
    side: leg.side,
    amountRaw: leg.amountRaw.toString(),
    scaledRaw: leg.scaledRaw.toString(),
    decimals: leg.decimals,
    priceRaw: leg.priceRaw.toString(),
    priceDecimals: leg.priceDecimals,
    thresholdBps: leg.usedAsCollateral ? Number(leg.liquidationThresholdBps) : 0,
    amount: Number(leg.amountRaw) / 10 ** leg.decimals,
    priceUsd: Number(leg.priceRaw) / 10 ** leg.priceDecimals,
  });
  return {
    healthFactorRaw: healthFactorRaw?.toString() ?? null,
    baseDecimals: priceDecimals,
    isUsdKnown: usdPerBaseRaw !== null,
    legs: legs.filter(({ amountRaw }) => amountRaw > 0n).map(stored),
  };
}

/** Runs `work` in a block of the given time, and reverts it: the actions use the state from that block. */
async function inBlockAt<T>(timestamp: bigint, work: () => Promise<T>): Promise<T> {
  const snapshot = await rpc.request<Hex>('evm_snapshot', []);
  await rpc.request('evm_setNextBlockTimestamp', [numberToHex(timestamp)]);
  try {
    return await work();
  } finally {
    await rpc.request('evm_revert', [snapshot]);
  }
}

/**
 * A protocol: the calls of a remedy there, and its contracts' figure of a position's health afterwards (wad).
 */
interface Venue {
  protocol: string;
  execute(position: RawPosition, remedy: AlertRemedy): Promise<void>;
  healthOf(position: RawPosition): Promise<bigint>;
}

const marketOf = ({ subId }: RawPosition) => morpho.markets.find(({ id }) => id === subId)!;
const vTokenOf = (token: string): Address =>
  venus.vTokens[
    SYMBOLS.findIndex(
      (symbol) => devnetAsset(addresses, symbol).address.toLowerCase() === token.toLowerCase(),
    )
  ]!;

const VENUES: readonly Venue[] = [
  {
    protocol: 'morpho-blue',
    execute: (position, { action, amountRaw }) => {
      const { params } = marketOf(position);
      const amount = BigInt(amountRaw);
      const data =
        action === 'repay'
          ? encodeFunctionData({
              abi: morphoAbi,
              functionName: 'repay',
              args: [params, amount, 0n, position.wallet, '0x'],
            })
          : encodeFunctionData({
              abi: morphoAbi,
              functionName: 'supplyCollateral',
              args: [params, amount, position.wallet, '0x'],
            });
      return send(morpho.morpho, data);
    },
    // As Morpho's own _isHealthy, but as a ratio: debt rounded up, collateral at the oracle price and the LLTV.
    healthOf: async (position) => {
      const { id, params } = marketOf(position);
      const at = { address: morpho.morpho, abi: morphoAbi } as const;
      const [, shares, collateral] = await viem.readContract({
        ...at,
        functionName: 'position',
        args: [id, position.wallet],
      });
      const [, , assets, totalShares] = await viem.readContract({
        ...at,
        functionName: 'market',
        args: [id],
      });
      const price = await viem.readContract({
        address: params.oracle,
        abi: morphoAbi,
        functionName: 'price',
      });
      const [numerator, denominator] = [shares * (assets + 1n), totalShares + 1_000_000n];
      const debt = (numerator + denominator - 1n) / denominator;
      return (collateral * price * params.lltv) / ORACLE_SCALE / debt;
    },
  },
  {
    protocol: 'venus',
    execute: ({ wallet }, { action, address, amountRaw }) => {
      const args = [wallet, BigInt(amountRaw)] as const;
      const functionName = action === 'repay' ? 'repayBorrowBehalf' : 'mintBehalf';
      return send(vTokenOf(address), encodeFunctionData({ abi: venusAbi, functionName, args }));
    },
    // The comptroller's liquidity or shortfall plus the debt, divided by the debt.
    healthOf: async ({ wallet }) => {
      const [, liquidity, shortfall] = await viem.readContract({
        address: venus.comptroller,
        abi: venusAbi,
        functionName: 'getAccountLiquidity',
        args: [wallet],
      });
      const owed = await Promise.all(
        venus.vTokens.map(async (vToken) => {
          const debt = await viem.readContract({
            address: vToken,
            abi: venusAbi,
            functionName: 'borrowBalanceStored',
            args: [wallet],
          });
          const price = await viem.readContract({
            address: venus.oracle,
            abi: venusAbi,
            functionName: 'getUnderlyingPrice',
            args: [vToken],
          });
          return (debt * price) / WAD;
        }),
      );
      const debt = owed.reduce((sum, each) => sum + each, 0n);
      return ((debt + liquidity - shortfall) * WAD) / debt;
    },
  },
];

describe.each(VENUES)('remedies on the genuine bytecode of $protocol', ({ protocol, execute, healthOf }) => {
  it('each bring the health factor of the contracts to the target, and at most a millionth above it', async () => {
    const { timestamp } = await viem.getBlock();
    const at = timestamp + 60n;
    const positions = await inBlockAt(at, async () => {
      await rpc.request('anvil_mine', [numberToHex(1n)]);
      return positionsOn(protocol);
    });
    const endangered = positions.filter(({ healthFactorRaw }) => healthFactorRaw! < TARGET_WAD);
    expect(endangered.length).toBeGreaterThanOrEqual(8);
    let executed = 0;
    for (const position of endangered) {
      const { remedies, remediesReason } = remediesOf(figuresOf(position), TARGET, protocol);
      expect(remediesReason).toBeNull();
      expect(remedies.map(({ action }) => action)).toEqual(['repay', 'add_collateral']);
      for (const remedy of remedies) {
        const reached = await inBlockAt(at, async () => {
          await execute(position, remedy);
          return healthOf(position);
        });
        const of = `${position.wallet}: ${remedy.action} ${remedy.amountRaw} ${remedy.asset}`;
        const missing = reached < TARGET_WAD ? TARGET_WAD - reached : 0n;
        expect({ of, missing }).toEqual({ of, missing: 0n });
        expect(Number(reached - TARGET_WAD) / Number(TARGET_WAD)).toBeLessThan(1e-6);
        executed += 1;
      }
    }
    expect(executed).toBeGreaterThanOrEqual(16);
  }, 120_000);
});
