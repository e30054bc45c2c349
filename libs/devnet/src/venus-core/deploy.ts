import { type Abi, type Address, maxUint256, toFunctionSelector } from 'viem';
import type { Artifact } from '../evm/artifacts';
import type { Call, QueuedChain } from '../evm/queued-chain';
import { venusCoreArtifacts, type VenusCoreArtifact } from './artifacts';

const WAD = 10n ** 18n;
const VTOKEN_DECIMALS = 8;
/** Interest accrues per block. A year with few blocks makes it visible. */
const BLOCKS_PER_YEAR = 100_000n;
const RATES = [WAD / 50n, WAD / 10n, 2n * WAD, (8n * WAD) / 10n];
const FACETS = ['MarketFacet', 'PolicyFacet', 'RewardFacet', 'SetterFacet'] as const;
const GAS = 8_000_000n;
/** A pool beside the core one, with its own thresholds: the e-mode of Venus. */
export const STABLE_POOL = 1n;

/** A token that gets a market. Factors have 18 decimals, the price of a whole token has 8. */
export interface VenusCoreListing {
  token: Address;
  symbol: string;
  decimals: number;
  price: bigint;
  factor: bigint;
  threshold: bigint;
  /** The threshold in the second pool. Undefined: not listed there. */
  poolThreshold?: bigint;
}

export interface VenusCorePool {
  comptroller: Address;
  vaiController: Address;
  oracle: Address;
  /** In the order of the listings. */
  vTokens: Address[];
  /** A call of one of its contracts. */
  call(
    name: VenusCoreArtifact,
    to: Address,
    functionName: string,
    args?: readonly unknown[],
    from?: Address,
  ): Call;
  setPrice(token: Address, mantissa: bigint): Call;
}

/**
 * The core pool of Venus from its published bytecode, with VAI and a second pool.
 * @param oracleArtifact of test/contracts/VenusCoreOracle.sol: the test sets the prices
 * @throws when a call reverts
 */
export async function deployVenusCore(
  chain: QueuedChain,
  oracleArtifact: Artifact,
  listings: readonly VenusCoreListing[],
): Promise<VenusCorePool> {
  const artifacts = venusCoreArtifacts();
  const deploy = (name: VenusCoreArtifact, args: readonly unknown[] = []): Promise<Address> =>
    chain.deploy(artifacts[name], args);
  const call: VenusCorePool['call'] = (name, to, functionName, args = [], from) => {
    return { to, abi: artifacts[name].abi, name: functionName, args, gas: GAS, ...(from && { from }) };
  };
  const oracle = await chain.deploy(oracleArtifact);
  const setPrice: VenusCorePool['setPrice'] = (token, mantissa) => {
    return { to: oracle, abi: oracleArtifact.abi, name: 'setPrice', args: [token, mantissa] };
  };
  const comptroller = await deploy('Unitroller');
  const diamond = await deploy('Diamond');
  const rights = await deploy('AccessControlManagerMock', [chain.operator]);
  const cuts = await facetCuts(artifacts, deploy);
  const set = (name: string, ...args: unknown[]): Call => call('SetterFacet', comptroller, name, args);
  await chain.send([
    call('Unitroller', comptroller, '_setPendingImplementation', [diamond]),
    call('Diamond', diamond, '_become', [comptroller]),
    call('Diamond', comptroller, 'diamondCut', [cuts]),
    set('_setAccessControl', rights),
    set('_setComptrollerLens', await deploy('ComptrollerLens')),
    set('_setPriceOracle', oracle),
    set('setDeviationBoundedOracle', oracle),
    set('_setCloseFactor', WAD / 2n),
  ]);

  const rates = await deploy('JumpRateModel', [...RATES, BLOCKS_PER_YEAR]);
  const vTokens: Address[] = [];
  for (const { token, symbol, decimals, price } of listings) {
    const exchangeRate = 2n * 10n ** BigInt(8 + decimals);
    const named = [`Venus ${symbol}`, `v${symbol}`, VTOKEN_DECIMALS];
    const args = [token, comptroller, rates, exchangeRate, ...named, chain.operator];
    const vToken = await deploy('VBep20Immutable', args);
    vTokens.push(vToken);
    await chain.send([
      call('VBep20Immutable', vToken, 'setAccessControlManager', [rights]),
      // Reserves stay in the market, because their receiver is not a contract here.
      call('VBep20Immutable', vToken, 'setReduceReservesBlockDelta', [maxUint256 / 2n]),
      call('MarketFacet', comptroller, 'supportMarket', [vToken]),
      setPrice(vToken, price * 10n ** BigInt(28 - decimals)),
    ]);
  }
  const unlimited = vTokens.map(() => maxUint256);
  await chain.send([
    set('setMarketSupplyCaps', vTokens, unlimited),
    set('setMarketBorrowCaps', vTokens, unlimited),
    ...listings.map(({ factor, threshold }, at) =>
      set('setCollateralFactor', vTokens[at], factor, threshold),
    ),
    ...listings.map((_, at) => set('setIsBorrowAllowed', 0n, vTokens[at], true)),
  ]);
  await openStablePool(chain, listings, vTokens, { call, set, comptroller });
  const vaiController = await openVai(chain, deploy, call, comptroller, rights, set);
  return { comptroller, vaiController, oracle, vTokens, call, setPrice };
}

/** Each function of a facet once, because every facet has the getters of the common storage. */
async function facetCuts(
  artifacts: Readonly<Record<VenusCoreArtifact, Artifact>>,
  deploy: (name: VenusCoreArtifact) => Promise<Address>,
) {
  const taken = new Set<string>();
  const cuts = [];
  for (const name of FACETS) {
    const functionSelectors = (artifacts[name].abi as Abi).flatMap((item) => {
      if (item.type !== 'function') return [];
      const selector = toFunctionSelector(item);
      if (taken.has(selector)) return [];
      taken.add(selector);
      return [selector];
    });
    cuts.push({ facetAddress: await deploy(name), action: 0, functionSelectors });
  }
  return cuts;
}

async function openStablePool(
  chain: QueuedChain,
  listings: readonly VenusCoreListing[],
  vTokens: readonly Address[],
  {
    call,
    set,
    comptroller,
  }: Pick<VenusCorePool, 'call' | 'comptroller'> & {
    set: (name: string, ...args: unknown[]) => Call;
  },
): Promise<void> {
  const members = listings.flatMap(({ factor, poolThreshold }, at) =>
    poolThreshold === undefined ? [] : [{ vToken: vTokens[at]!, factor, poolThreshold }],
  );
  const market = (name: string, ...args: unknown[]): Call => call('MarketFacet', comptroller, name, args);
  await chain.send([
    market('createPool', 'stable'),
    market(
      'addPoolMarkets',
      members.map(() => STABLE_POOL),
      members.map(({ vToken }) => vToken),
    ),
    ...members.map(({ vToken, factor, poolThreshold }) =>
      set('setCollateralFactor', STABLE_POOL, vToken, factor, poolThreshold),
    ),
    ...members.map(({ vToken }) => set('setIsBorrowAllowed', STABLE_POOL, vToken, true)),
  ]);
}

async function openVai(
  chain: QueuedChain,
  deploy: (name: VenusCoreArtifact, args?: readonly unknown[]) => Promise<Address>,
  call: VenusCorePool['call'],
  comptroller: Address,
  rights: Address,
  set: (name: string, ...args: unknown[]) => Call,
): Promise<Address> {
  const vai = await deploy('VAI', [1n]);
  const controller = await deploy('VAIUnitroller');
  const implementation = await deploy('VAIController');
  const vaiCall = (name: string, ...args: unknown[]): Call => call('VAIController', controller, name, args);
  await chain.send([
    call('VAIUnitroller', controller, '_setPendingImplementation', [implementation]),
    call('VAIController', implementation, '_become', [controller]),
    vaiCall('initialize'),
    vaiCall('_setComptroller', comptroller),
    vaiCall('setVAIToken', vai),
    vaiCall('setAccessControl', rights),
    vaiCall('setBaseRate', WAD / 50n),
    call('VAI', vai, 'rely', [controller]),
    set('_setVAIController', controller),
    set('_setVAIMintRate', 5_000n),
  ]);
  return controller;
}
