import {
  allMarkets,
  marketsOf,
  optionalContractOf,
  type ChainClient,
  type MarketRow,
  type Multicall,
  type ProtocolRegistry,
} from '@plimsoll/evm';
import { aaveV2Activity } from './aave-v2/activity';
import { aaveV2 } from './aave-v2/reader';
import { aaveV3Activity } from './aave-v3/activity';
import { aaveV3Execution } from './aave-v3/execution';
import { aaveV3Pools } from './aave-v3/pools';
import { aaveV3 } from './aave-v3/reader';
import { aaveV4Activity } from './aave-v4/activity';
import { aaveV4 } from './aave-v4/reader';
import type { ActivityFamily } from './activity/activity-family';
import { activityReader, type ActivityParts, type ActivityReader } from './activity/activity-reader';
import { cometActivity } from './comet/activity';
import { comets } from './comet/comets';
import { cometExecution } from './comet/execution';
import { comet } from './comet/reader';
import { compoundV2Activity, venusCoreActivity, venusIsolatedActivity } from './compound-v2/activity';
import { compoundExecution } from './compound-v2/execution';
import { compoundV2, venusCore, venusIsolated } from './compound-v2/reader';
import { venusPools } from './compound-v2/venus-pools';
import { dolomiteActivity } from './dolomite/activity';
import { dolomite } from './dolomite/reader';
import { eulerActivity } from './euler-v2/activity';
import { eulerV2 } from './euler-v2/reader';
import type { ExecutionFamily } from './execution/execution-family';
import { fluidActivity } from './fluid/activity';
import { fluid } from './fluid/reader';
import { fraxlendActivity } from './fraxlend/activity';
import { fraxlend } from './fraxlend/reader';
import { liquityV1Activity } from './liquity-v1/activity';
import { liquityV1 } from './liquity-v1/reader';
import { liquityV2Activity } from './liquity-v2/activity';
import { liquityV2 } from './liquity-v2/reader';
import { llammaActivity, llammaMintActivity, llammaSecondActivity } from './llamma/activity';
import type { MarketList } from './listing/market-list';
import { MarketLists, type ListBounds } from './listing/market-lists';
import { mintMarkets } from './llamma/mint-markets';
import { llammaMint } from './llamma/mint-reader';
import { llamma, llammaSecond } from './llamma/reader';
import { makerActivity } from './maker/activity';
import { maker } from './maker/reader';
import { morphoActivity } from './morpho-blue/activity';
import { morphoExecution } from './morpho-blue/execution';
import { morphoBlue } from './morpho-blue/reader';
import { OwnerProxies } from './proxies/owner-proxies';
import { ProxiedReader } from './proxies/proxied-reader';
import type { Family, HeldAccount, MarketAtBlock, HoldingsIndex } from './reader/family';
import { FamilyReader, type ReaderParts } from './reader/family-reader';
import type { ProtocolReader } from './reader/protocol-reader';
import type { UsdOracle } from './reader/usd-price';
import { siloActivity } from './silo-v2/activity';
import { siloV2 } from './silo-v2/reader';

/** A reader of one row, of any family. */
export type AnyReader = ProtocolReader<unknown, unknown>;

/** The readers and the execution of a family. The types of its layout and accounts are private to it. */
function family<L, M extends MarketAtBlock, A extends HeldAccount, S>(
  reader: Family<L, M, A>,
  activity: ActivityFamily<S>,
  execution?: ExecutionFamily,
) {
  return {
    makeReader: (row: MarketRow, { proxies, ...parts }: ReaderParts & { proxies?: OwnerProxies }) => {
      const own = new FamilyReader(reader, row, parts);
      if (!proxies) return own as AnyReader;
      // Such a row finds these proxies itself.
      const skipped = optionalContractOf(row.contracts, 'proxyRegistry') ? (['ds-proxy'] as const) : [];
      return new ProxiedReader(own, proxies, skipped) as AnyReader;
    },
    makeActivityReader: (row: MarketRow, { nativeCurrency, ...parts }: ActivityParts) =>
      activityReader(activity, { row, ...parts }, nativeCurrency),
    /** Present if a wallet's positions can be found only in logs. */
    index: reader.index,
    /** Present if the positions of the family can be executed on. */
    execution,
  };
}

/** Every family by its name in the registry. */
export const FAMILIES = {
  'aave-v2': family(aaveV2, aaveV2Activity),
  'aave-v3': family(aaveV3, aaveV3Activity, aaveV3Execution),
  'aave-v4': family(aaveV4, aaveV4Activity),
  comet: family(comet, cometActivity, cometExecution),
  'compound-v2': family(compoundV2, compoundV2Activity, compoundExecution),
  dolomite: family(dolomite, dolomiteActivity),
  'euler-v2': family(eulerV2, eulerActivity),
  fluid: family(fluid, fluidActivity),
  fraxlend: family(fraxlend, fraxlendActivity),
  'liquity-v1': family(liquityV1, liquityV1Activity),
  'liquity-v2': family(liquityV2, liquityV2Activity),
  llamma: family(llamma, llammaActivity),
  'llamma-mint': family(llammaMint, llammaMintActivity),
  'llamma-second': family(llammaSecond, llammaSecondActivity),
  maker: family(maker, makerActivity),
  'morpho-blue': family(morphoBlue, morphoActivity, morphoExecution),
  'silo-v2': family(siloV2, siloActivity),
  'venus-core': family(venusCore, venusCoreActivity, compoundExecution),
  'venus-isolated': family(venusIsolated, venusIsolatedActivity, compoundExecution),
} as const;

type ProtocolFamily = ReturnType<typeof family>;

/** The family of a row. Undefined if its protocol is not read. */
export function familyOf({ family: name }: Pick<MarketRow, 'family'>): ProtocolFamily | undefined {
  return (FAMILIES as Readonly<Record<string, ProtocolFamily>>)[name];
}

/**
 * How the markets of a family are listed from the contracts of their protocol. The families that are not here list
 * the markets of a row themselves, or their protocols have no such contract.
 */
const MARKET_LISTS: Readonly<Record<string, MarketList>> = {
  'aave-v3': aaveV3Pools,
  comet: comets,
  'llamma-mint': mintMarkets,
  'venus-isolated': venusPools,
} satisfies { [F in keyof typeof FAMILIES]?: MarketList };

/** The clients that the readers of a chain share. */
export interface ChainParts {
  client: ChainClient;
  multicall: Multicall;
  index?: HoldingsIndex;
  /** Present: positions of a wallet include those that its proxies hold. */
  proxies?: OwnerProxies;
}

/** The proxies of wallets on a chain. Undefined if the registry names no contract that lists them. */
export function ownerProxiesOf(
  registry: ProtocolRegistry,
  { client: { chainId }, ...parts }: ChainParts & { index: HoldingsIndex },
): OwnerProxies | undefined {
  const accounts = registry.chains.find(({ id }) => id === chainId)?.accounts;
  return accounts && new OwnerProxies(accounts, chainId, parts);
}

/** The markets of a chain, which the chain itself lists. It sends no request. */
export function marketListsOf(
  registry: ProtocolRegistry,
  { client, multicall, index }: ChainParts,
  bounds: Partial<ListBounds> = {},
): MarketLists {
  const { chainId } = client;
  return new MarketLists(registry, MARKET_LISTS, { chainId, multicall, ...(index && { index }) }, bounds);
}

/**
 * A reader for each of the rows whose family has one; by default, for every row of the registry on the chain. It
 * sends no request.
 */
export function createReaders(
  registry: ProtocolRegistry,
  parts: ChainParts,
  rows: readonly MarketRow[] = rowsByFamily(registry, parts.client.chainId),
): AnyReader[] {
  const all = { ...parts, ...chainParts(registry, parts.client.chainId) };
  return rows.flatMap((row) => familyOf(row)?.makeReader(row, all) ?? []);
}

/**
 * A reader of the activities of each row; by default, of every row of the registry on the chain. It sends no
 * request.
 */
export function createActivityReaders(
  registry: ProtocolRegistry,
  parts: Pick<ChainParts, 'client' | 'multicall'>,
  rows: readonly MarketRow[] = allMarkets(registry, parts.client.chainId),
): ActivityReader[] {
  const all = { ...parts, ...chainParts(registry, parts.client.chainId) };
  return rows.flatMap((row) => familyOf(row)?.makeActivityReader(row, all) ?? []);
}

/** The rows of a chain that are read, in the order of the families. */
function rowsByFamily(registry: ProtocolRegistry, chainId: number): MarketRow[] {
  return Object.keys(FAMILIES).flatMap((name) => marketsOf(registry, name, chainId));
}

/**
 * The contracts of a chain that price tokens in dollars: the oracles of its Aave v3 markets, and the resilient oracle
 * of Venus where the registry names it.
 */
export function usdOraclesOf(registry: ProtocolRegistry, chainId: number): UsdOracle[] {
  const ofAave = marketsOf(registry, 'aave-v3', chainId).flatMap(
    ({ contracts }) => optionalContractOf(contracts, 'oracle') ?? [],
  );
  const ofVenus = new Set(
    allMarkets(registry, chainId).flatMap(
      ({ contracts }) => optionalContractOf(contracts, 'resilientOracle') ?? [],
    ),
  );
  return [...ofAave, ...[...ofVenus].map((venus) => ({ venus }))];
}

/** The values of the registry that all readers of a chain use. */
function chainParts(registry: ProtocolRegistry, chainId: number) {
  return {
    usdOracles: usdOraclesOf(registry, chainId),
    nativeCurrency: registry.chains.find(({ id }) => id === chainId)?.nativeCurrency ?? 'ETH',
  };
}
