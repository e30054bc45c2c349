import {
  STABLE_POOL,
  type Artifact,
  deployVenusCore,
  deployVenusPool,
  venusArtifacts,
  venusCoreArtifacts,
} from '@plimsoll/devnet';
import type { MarketRow } from '@plimsoll/evm';
import { encodeFunctionData, numberToHex, type Address } from 'viem';
import { WAD } from '../src/fixed-point/math';
import { FamilyReader } from '../src/reader/family-reader';
import { logIndex } from '../src/reader/log-index';
import { venusCore, venusIsolated } from '../src/compound-v2/reader';
import { amountsFrom, standIns, testWallets, type Call, type LocalChain } from './local-chain';
import {
  CORE_ASSETS,
  ISOLATED_ASSETS,
  type BookAsset,
  mantissa,
  mantissaAfterFall,
  share,
} from './venus-book-assets';

/** A pool of Venus with positions just above and just below a health factor of 1. */
export interface VenusBook {
  row: MarketRow;
  wallets: readonly Address[];
  /** Sets the price of an asset to a part of its first price. 0: its feed fails. */
  price(symbol: string, percent: bigint): Call;
}

/** The parts of a pool that differ between the core pool and isolated ones. */
interface BookPool {
  family: keyof typeof READERS;
  comptroller: Address;
  vTokens: readonly Address[];
  call(contract: 'market' | 'comptroller', to: Address, name: string, args: readonly unknown[]): Call;
  setPrice(at: number, mantissa: bigint): Call;
}

const READERS = { 'venus-core': venusCore, 'venus-isolated': venusIsolated };
export const BOOK_SEED = 30;
const CALL_GAS = 1_200_000n;
const NEAR = 170;
const HEALTHY = 10;
const SHORT = 20;
/** Interest before prices fall: of the core pool by the block, of isolated ones by the second. */
const BLOCKS = 200;
const BLOCKS_AT_ONCE = 20;
const SECONDS = 400 * 86_400;
/** The steps between two health factors around 1: one millionth. */
const STEP = 10n ** 12n;
const LIQUIDITY_TOKENS = 10n ** 9n;

/** The wallets of every book: those near 1 first, then healthy ones, then those far below 1. */
const WALLETS = testWallets(NEAR + HEALTHY + SHORT);
const [WHALE] = testWallets(1, 0x8000) as [Address];

/**
 * The core pool with its Liquidator, the only one that may liquidate there, which wants VAI repaid first. Wallets are in
 * the core pool or in a second one; they owe one or two tokens, and VAI.
 */
export async function openCoreBook(chain: LocalChain): Promise<VenusBook> {
  const { MockToken } = venusArtifacts();
  const tokens: Address[] = [];
  for (const { symbol, decimals } of CORE_ASSETS)
    tokens.push(await chain.deploy(MockToken, [symbol, symbol, decimals]));
  const core = await deployVenusCore(
    chain,
    standIns()['VenusCoreOracle']!,
    CORE_ASSETS.map((asset, at) => ({ ...asset, token: tokens[at]! })),
  );
  const { comptroller, vTokens, vaiController } = core;
  const incentive = (args: readonly unknown[]): Call =>
    core.call('SetterFacet', comptroller, 'setLiquidationIncentive', args);
  await chain.send([
    ...vTokens.map((vToken) => incentive([vToken, share(110n)])),
    ...[2, 3].map((at) => incentive([STABLE_POOL, vTokens[at], share(104n)])),
  ]);
  const pool: BookPool = {
    family: 'venus-core',
    comptroller,
    vTokens,
    call: (contract, to, name, args) => ({
      ...core.call(contract === 'market' ? 'VBep20Immutable' : 'MarketFacet', to, name, args),
      gas: CALL_GAS,
    }),
    setPrice: (at, value) => core.setPrice(vTokens[at]!, value),
  };
  const liquidator = await openLiquidator(chain, core);
  const vai = (await readOne(chain, core.call('VAIController', vaiController, 'getVAIAddress'))) as Address;
  const plenty = 10n ** 40n;
  await chain.send([
    core.call('VAI', vai, 'mint', [chain.multicall3, plenty]),
    core.call('VAI', vai, 'approve', [liquidator, plenty], chain.multicall3),
  ]);
  await openLiquidity(chain, pool, CORE_ASSETS, tokens, liquidator);
  const isStable = (index: number): boolean => index % 5 === 4;
  await chain.send(
    WALLETS.filter((_, index) => isStable(index)).map((wallet) => ({
      ...pool.call('comptroller', comptroller, 'enterPool', [STABLE_POOL]),
      from: wallet,
    })),
  );
  // Before other debts: VAI may be at most half of what the supplies secure.
  const mintVai = (wallet: Address, amount: bigint): Call => ({
    ...core.call('VAIController', vaiController, 'mintVAI', [amount], wallet),
    gas: CALL_GAS,
  });
  await openPositions(chain, pool, CORE_ASSETS, {
    securing: (index) => (isStable(index) ? [3] : [0, 1, 3]),
    owed: (index, held) => (isStable(index) || held.some((at) => at !== 3) ? [2] : [0, 1, 2]),
    mintVai: (index, wallet, amount) =>
      !isStable(index) && index % 4 === 1 ? mintVai(wallet, amount) : null,
  });
  return finish(chain, pool, CORE_ASSETS);
}

/** An isolated pool in which collateral of up to 100 dollars can only be liquidated as a whole. */
export async function openIsolatedBook(chain: LocalChain): Promise<VenusBook> {
  const artifacts = venusArtifacts();
  const tokens: Address[] = [];
  for (const { symbol, decimals } of ISOLATED_ASSETS)
    tokens.push(await chain.deploy(artifacts.MockToken, [symbol, symbol, decimals]));
  const { comptroller, vTokens, oracle } = await deployVenusPool(
    chain.rpc,
    chain.operator,
    ISOLATED_ASSETS.map((asset, at) => ({ ...asset, token: tokens[at]!, collateralFactor: asset.factor })),
    'MockPriceOracle',
    (call) =>
      tokens.forEach((token, at) =>
        call('setPrice', 'MockPriceOracle', 'setPrice', [token, mantissa(ISOLATED_ASSETS[at]!)]),
      ),
  );
  const pool: BookPool = {
    family: 'venus-isolated',
    comptroller,
    vTokens,
    call: (contract, to, name, args) => {
      const { abi } = contract === 'market' ? artifacts.VToken : artifacts.Comptroller;
      return { to, abi, name, args, gas: CALL_GAS };
    },
    setPrice: (at, value) => {
      const { abi } = artifacts.MockPriceOracle;
      return { to: oracle, abi, name: 'setPrice', args: [tokens[at], value] };
    },
  };
  const own = (name: string, args: readonly unknown[] = []): Call =>
    pool.call('comptroller', comptroller, name, args);
  const rights = (await readOne(chain, own('accessControlManager'))) as Address;
  const allowed = [comptroller, 'setMinLiquidatableCollateral(uint256)', chain.operator];
  await chain.send([
    { to: rights, abi: artifacts.AccessControlManager.abi, name: 'giveCallPermission', args: allowed },
    own('setMinLiquidatableCollateral', [100n * WAD]),
  ]);
  const reserve = await openReserve(chain, comptroller, rights);
  await chain.send(
    vTokens.map((vToken) => pool.call('market', vToken, 'setProtocolShareReserve', [reserve])),
  );
  await openLiquidity(chain, pool, ISOLATED_ASSETS, tokens, null);
  await openPositions(chain, pool, ISOLATED_ASSETS, {
    securing: () => [0, 1],
    owed: () => [2, 3],
    mintVai: () => null,
  });
  return finish(chain, pool, ISOLATED_ASSETS);
}

async function readOne(chain: LocalChain, call: Call): Promise<unknown> {
  const [result] = await chain.readMany([call], await chain.head());
  return result;
}

/** The Liquidator of the core pool, behind a proxy as Venus deploys it. */
async function openLiquidator(
  chain: LocalChain,
  core: Awaited<ReturnType<typeof deployVenusCore>>,
): Promise<Address> {
  const { AccessControlManagerMock, Liquidator } = venusCoreArtifacts();
  // Instead of the native market and coin, which this pool does not have.
  const none = core.oracle;
  const rights = await chain.deploy(AccessControlManagerMock, [chain.operator]);
  const reserve = await openReserve(chain, core.comptroller, rights);
  const initial = [share(50n), rights, reserve];
  const liquidator = await proxied(chain, Liquidator, [core.comptroller, none, none], initial);
  const set = (name: string, args: readonly unknown[] = []): Call => {
    return { to: liquidator, abi: Liquidator.abi, name, args };
  };
  await chain.send([
    set('setMinLiquidatableVAI', [1_000n * WAD]),
    set('resumeForceVAILiquidate'),
    set('setPendingRedeemChunkLength', [5n]),
    core.call('SetterFacet', core.comptroller, '_setLiquidatorContract', [liquidator]),
  ]);
  return liquidator;
}

/** The contract that receives the protocol's part of what liquidations seize. */
export function openReserve(chain: LocalChain, comptroller: Address, rights: Address): Promise<Address> {
  const { ProtocolShareReserve } = venusArtifacts();
  return proxied(chain, ProtocolShareReserve, [comptroller, chain.operator, chain.operator], [rights, 10n]);
}

/** A contract behind a proxy, as Venus deploys it. */
async function proxied(
  chain: LocalChain,
  artifact: Artifact,
  args: readonly unknown[],
  initial: readonly unknown[],
): Promise<Address> {
  const { BeaconProxy, UpgradeableBeacon } = venusArtifacts();
  const beacon = await chain.deploy(UpgradeableBeacon, [await chain.deploy(artifact, args)]);
  const data = encodeFunctionData({ abi: artifact.abi, functionName: 'initialize', args: initial });
  return chain.deploy(BeaconProxy, [beacon, data]);
}

/** Supplies to borrow from, most of them borrowed by one wallet, and tokens of the sender of simulations. */
async function openLiquidity(
  chain: LocalChain,
  pool: BookPool,
  assets: readonly BookAsset[],
  tokens: readonly Address[],
  liquidator: Address | null,
): Promise<void> {
  const { abi } = venusArtifacts().MockToken;
  const plenty = 10n ** 40n;
  const { comptroller, vTokens } = pool;
  const wholes = assets.map(({ decimals }) => LIQUIDITY_TOKENS * 10n ** BigInt(decimals));
  await chain.send(
    vTokens.flatMap((vToken, at) => {
      const token = (name: string, args: readonly unknown[], from?: Address): Call => {
        return { to: tokens[at]!, abi, name, args, ...(from && { from }) };
      };
      return [
        token('faucet', [plenty]),
        token('approve', [vToken, plenty]),
        pool.call('market', vToken, 'mint', [wholes[at]!]),
        // The wallet that borrows has a billion of each token.
        pool.call('market', vToken, 'mintBehalf', [WHALE, wholes[at]! * 2n]),
      ];
    }),
  );
  const whale = (call: Call): Call => ({ ...call, from: WHALE });
  await chain.send([whale(pool.call('comptroller', comptroller, 'enterMarkets', [vTokens]))]);
  await chain.send(vTokens.map((vToken, at) => whale(pool.call('market', vToken, 'borrow', [wholes[at]!]))));
  const sender = chain.multicall3;
  await chain.send(
    vTokens.flatMap((vToken, at) => [
      { to: tokens[at]!, abi, name: 'faucet', args: [plenty], from: sender },
      { to: tokens[at]!, abi, name: 'approve', args: [liquidator ?? vToken, plenty], from: sender },
    ]),
  );
}

/** The assets that a wallet may supply and owe, by its index. */
interface Choice {
  securing(index: number): readonly number[];
  owed(index: number, held: readonly number[]): readonly number[];
  mintVai(index: number, wallet: Address, amount: bigint): Call | null;
}

/** Debts near the limit of the wallet, except those of the healthy ones, and supplies that secure nothing. */
async function openPositions(
  chain: LocalChain,
  pool: BookPool,
  assets: readonly BookAsset[],
  choice: Choice,
): Promise<void> {
  const { below, chance, random } = amountsFrom(BOOK_SEED);
  const phases: Record<'supplies' | 'entries' | 'mints' | 'borrows', Call[]> = {
    supplies: [],
    entries: [],
    mints: [],
    borrows: [],
  };
  for (const [index, wallet] of WALLETS.entries()) {
    const from = (call: Call): Call => ({ ...call, from: wallet });
    const possible = choice.securing(index);
    const held = possible.filter((at) => chance(0.4) || at === possible[index % possible.length]);
    // Amounts are of 10 dollars to 100 million.
    const worth = 10n ** BigInt(19 + Math.floor(random() * 7));
    let capacity = 0n;
    for (const at of held) {
      const value = worth + below(9n * worth);
      const amount = (value * WAD) / mantissa(assets[at]!);
      phases.supplies.push(pool.call('market', pool.vTokens[at]!, 'mintBehalf', [wallet, amount]));
      // A vToken has eight decimals, so a little less than the amount secures.
      capacity += (((amount * mantissa(assets[at]!)) / WAD) * assets[at]!.factor) / WAD;
    }
    const owed = choice.owed(index, held);
    // A loan makes the supply of its asset count.
    const loose = assets.map((_, at) => at).filter((at) => ![...held, ...owed].includes(at) && chance(0.3));
    for (const at of loose)
      phases.supplies.push(
        pool.call('market', pool.vTokens[at]!, 'mintBehalf', [wallet, 10n ** BigInt(assets[at]!.decimals)]),
      );
    const entered = held.map((at) => pool.vTokens[at]!);
    phases.entries.push(from(pool.call('comptroller', pool.comptroller, 'enterMarkets', [entered])));
    const isHealthy = index >= NEAR && index < NEAR + HEALTHY;
    let left = (capacity * (isHealthy ? 50n : 98n)) / 100n;
    const minted = (left * (5n + below(25n))) / 100n;
    const mint = choice.mintVai(index, wallet, minted);
    if (mint) {
      phases.mints.push(mint);
      left -= minted;
    }
    // Not by the index alone: the supplies are by it too.
    const first = Math.floor(index / 2);
    const debts = [owed[first % owed.length]!, owed[(first + 1) % owed.length]!];
    const parts = debts[0] === debts[1] || chance(0.6) ? [left] : [(left * 3n) / 4n, left / 4n];
    parts.forEach((value, part) => {
      const at = debts[part]!;
      const amount = (value * WAD) / mantissa(assets[at]!);
      phases.borrows.push(from(pool.call('market', pool.vTokens[at]!, 'borrow', [amount])));
    });
  }
  // Calls of two senders have no defined order.
  for (const calls of Object.values(phases)) await chain.send(calls);
}

/** Lets interest accrue and prices fall, and then repays as much as brings each wallet near 1 to its step. */
async function finish(chain: LocalChain, pool: BookPool, assets: readonly BookAsset[]): Promise<VenusBook> {
  await chain.passTime(SECONDS);
  for (let mined = 0; mined < BLOCKS; mined += BLOCKS_AT_ONCE)
    await chain.rpc.request('anvil_mine', [numberToHex(BLOCKS_AT_ONCE)]);
  await chain.send(assets.map((asset, at) => pool.setPrice(at, mantissaAfterFall(asset))));
  const row = {
    protocol: 'venus',
    family: pool.family,
    chainId: 1,
    market: 'book',
    contracts: { comptroller: pool.comptroller },
  };
  const { client, multicall } = chain;
  const reader = new FamilyReader(READERS[pool.family], row, {
    client,
    multicall,
    index: logIndex(client),
    usdOracles: [],
  });
  const near = WALLETS.slice(0, NEAR);
  const { positions } = await reader.readPositions(near, await chain.head());
  const underlyings = (await chain.readMany(
    pool.vTokens.map((vToken) => pool.call('market', vToken, 'underlying', [])),
    await chain.head(),
  )) as Address[];
  const repayments = positions.flatMap(({ wallet, healthFactorRaw, totalDebtRaw, legs }) => {
    const index = near.indexOf(wallet);
    const target = WAD + STEP * BigInt(index - NEAR / 2);
    const permitted = (healthFactorRaw! * totalDebtRaw) / target;
    const debt = legs.find(
      ({ side, address }) => side === 'debt' && underlyings.some((each) => each.toLowerCase() === address),
    )!;
    const at = assets.findIndex(({ symbol }) => symbol === debt.symbol);
    const amount = ((totalDebtRaw - permitted) * WAD) / mantissaAfterFall(assets[at]!);
    return [pool.call('market', pool.vTokens[at]!, 'repayBorrowBehalf', [wallet, amount])];
  });
  await chain.send(repayments);
  return {
    row,
    wallets: WALLETS,
    price: (symbol, percent) => {
      const at = assets.findIndex((asset) => asset.symbol === symbol);
      return pool.setPrice(at, (mantissa(assets[at]!) * percent) / 100n);
    },
  };
}
