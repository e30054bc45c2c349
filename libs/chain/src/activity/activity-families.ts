import type { ChainClient } from '../rpc/chain-client';
import type { Multicall } from '../multicall/multicall';
import { allMarkets, marketsOf, type MarketRow, type ProtocolRegistry } from '../registry/registry';
import { optionalContractOf } from '../readers/row-text';
import { aaveV2Activity, aaveV3Activity } from './aave';
import { aaveV4Activity } from './aave-v4';
import type { ActivityFamily } from './activity-family';
import { type ActivityParts, type ActivityReader, activityReader } from './activity-reader';
import { cometActivity } from './comet';
import { compoundV2Activity, venusCoreActivity, venusIsolatedActivity } from './compound';
import { dolomiteActivity } from './dolomite';
import { eulerActivity } from './euler';
import { fluidActivity } from './fluid';
import { fraxlendActivity } from './fraxlend';
import { liquityV1Activity } from './liquity-v1';
import { liquityV2Activity } from './liquity-v2';
import { llammaActivity, llammaMintActivity, llammaSecondActivity } from './llamma';
import { makerActivity } from './maker';
import { morphoActivity } from './morpho';
import { siloActivity } from './silo';

type MakeReader = (row: MarketRow, parts: ActivityParts) => ActivityReader;

const family =
  <S>(definition: ActivityFamily<S>): MakeReader =>
  (row, { nativeCurrency, ...parts }) =>
    activityReader(definition, { row, ...parts }, nativeCurrency);

/** Every family whose logs are read as activity, by its name in the registry. */
export const ACTIVITY_FAMILIES: Readonly<Record<string, MakeReader>> = {
  'aave-v2': family(aaveV2Activity),
  'aave-v3': family(aaveV3Activity),
  'aave-v4': family(aaveV4Activity),
  comet: family(cometActivity),
  'compound-v2': family(compoundV2Activity),
  dolomite: family(dolomiteActivity),
  'euler-v2': family(eulerActivity),
  fluid: family(fluidActivity),
  fraxlend: family(fraxlendActivity),
  'liquity-v1': family(liquityV1Activity),
  'liquity-v2': family(liquityV2Activity),
  llamma: family(llammaActivity),
  'llamma-mint': family(llammaMintActivity),
  'llamma-second': family(llammaSecondActivity),
  maker: family(makerActivity),
  'morpho-blue': family(morphoActivity),
  'silo-v2': family(siloActivity),
  'venus-core': family(venusCoreActivity),
  'venus-isolated': family(venusIsolatedActivity),
};

/** A reader for every row of the chain whose family has activities. It sends no request. */
export function createActivityReaders(
  registry: ProtocolRegistry,
  { client, multicall }: { client: ChainClient; multicall: Multicall },
): ActivityReader[] {
  const { chainId } = client;
  const usdOracles = marketsOf(registry, 'aave-v3', chainId).flatMap(
    ({ contracts }) => optionalContractOf(contracts, 'oracle') ?? [],
  );
  const nativeCurrency = registry.chains.find(({ id }) => id === chainId)?.nativeCurrency ?? 'ETH';
  return allMarkets(registry, chainId).flatMap(
    (row) => ACTIVITY_FAMILIES[row.family]?.(row, { client, multicall, usdOracles, nativeCurrency }) ?? [],
  );
}
