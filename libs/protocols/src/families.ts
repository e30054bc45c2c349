import {
  allMarkets,
  marketsOf,
  optionalContractOf,
  type ChainClient,
  type MarketRow,
  type Multicall,
  type ProtocolRegistry,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import { aaveV2Activity } from './aave-v2/activity';
import { aaveV2 } from './aave-v2/reader';
import { aaveV3Activity } from './aave-v3/activity';
import { aaveV3Execution } from './aave-v3/execution';
import { aaveV3 } from './aave-v3/reader';
import { aaveV4Activity } from './aave-v4/activity';
import { aaveV4 } from './aave-v4/reader';
import type { ActivityFamily } from './activity/activity-family';
import { activityReader, type ActivityParts, type ActivityReader } from './activity/activity-reader';
import { cometActivity } from './comet/activity';
import { cometExecution } from './comet/execution';
import { comet } from './comet/reader';
import { compoundV2Activity, venusCoreActivity, venusIsolatedActivity } from './compound-v2/activity';
import { compoundExecution } from './compound-v2/execution';
import { compoundV2, venusCore, venusIsolated } from './compound-v2/reader';
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
import { llammaMint } from './llamma/mint-reader';
import { llamma, llammaSecond } from './llamma/reader';
import { makerActivity } from './maker/activity';
import { maker } from './maker/reader';
import { morphoActivity } from './morpho-blue/activity';
import { morphoExecution } from './morpho-blue/execution';
import { morphoBlue } from './morpho-blue/reader';
import type { Family, HeldAccount, MarketAtBlock, HoldingsIndex } from './reader/family';
import { FamilyReader, type ReaderParts } from './reader/family-reader';
import type { ProtocolReader } from './reader/protocol-reader';
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
    makeReader: (row: MarketRow, parts: ReaderParts) => new FamilyReader(reader, row, parts) as AnyReader,
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

/** A reader for every row of the chain whose family has one. It sends no request. */
export function createReaders(
  registry: ProtocolRegistry,
  parts: { client: ChainClient; multicall: Multicall; index?: HoldingsIndex },
): AnyReader[] {
  const { chainId } = parts.client;
  const all = { ...parts, ...chainParts(registry, chainId) };
  return Object.entries(FAMILIES).flatMap(([name, { makeReader }]) =>
    marketsOf(registry, name, chainId).map((row) => makeReader(row, all)),
  );
}

/** A reader of the activities of every row of the chain. It sends no request. */
export function createActivityReaders(
  registry: ProtocolRegistry,
  parts: { client: ChainClient; multicall: Multicall },
): ActivityReader[] {
  const { chainId } = parts.client;
  const all = { ...parts, ...chainParts(registry, chainId) };
  return allMarkets(registry, chainId).flatMap((row) => familyOf(row)?.makeActivityReader(row, all) ?? []);
}

/** The contracts of a chain that price tokens in dollars: the oracles of its Aave v3 markets. */
export function usdOraclesOf(registry: ProtocolRegistry, chainId: number): Address[] {
  return marketsOf(registry, 'aave-v3', chainId).flatMap(
    ({ contracts }) => optionalContractOf(contracts, 'oracle') ?? [],
  );
}

/** The values of the registry that all readers of a chain use. */
function chainParts(registry: ProtocolRegistry, chainId: number) {
  return {
    usdOracles: usdOraclesOf(registry, chainId),
    nativeCurrency: registry.chains.find(({ id }) => id === chainId)?.nativeCurrency ?? 'ETH',
  };
}
