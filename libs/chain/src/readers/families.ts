import type { Multicall } from '../multicall/multicall';
import { marketsOf, type MarketRow, type ProtocolRegistry } from '../registry/registry';
import type { ChainClient } from '../rpc/chain-client';
import { aaveV2 } from './aave-v2/aave-v2';
import { aaveV3 } from './aave-v3/aave-v3';
import { aaveV4 } from './aave-v4/aave-v4';
import { comet } from './comet';
import { compoundV2, venusCore, venusIsolated } from './compound-v2';
import { dolomite } from './dolomite';
import { eulerV2 } from './euler-v2/euler-v2';
import type { Family, HeldAccount, MarketAtBlock } from './family';
import { FamilyReader } from './family-reader';
import { fluid } from './fluid/fluid';
import { fraxlend } from './fraxlend/fraxlend';
import type { HoldingsIndex } from './holdings-index';
import { liquityV1 } from './liquity-v1';
import { liquityV2 } from './liquity-v2/liquity-v2';
import { llamma, llammaSecond } from './llamma/llamma';
import { llammaMint } from './llamma/llamma-mint';
import { maker } from './maker/maker';
import { morphoBlue } from './morpho-blue';
import type { ProtocolReader } from './protocol-reader';
import { optionalContractOf } from './row-text';
import { siloV2 } from './silo-v2/silo-v2';

/** A reader of one row, of any family. */
export type AnyReader = ProtocolReader<unknown, unknown>;
type MakeReader = (row: MarketRow, parts: ConstructorParameters<typeof FamilyReader>[2]) => AnyReader;

/** The types of a family's layout and accounts are private to it. Outside, a reader's types are unknown. */
function family<L, M extends MarketAtBlock, A extends HeldAccount>(definition: Family<L, M, A>) {
  const make: MakeReader = (row, parts) => new FamilyReader(definition, row, parts) as AnyReader;
  return { make, index: definition.index };
}

/** Every family with a reader, by its name in the registry. */
export const FAMILIES = {
  'aave-v2': family(aaveV2),
  'aave-v3': family(aaveV3),
  'aave-v4': family(aaveV4),
  comet: family(comet),
  'compound-v2': family(compoundV2),
  dolomite: family(dolomite),
  'euler-v2': family(eulerV2),
  fluid: family(fluid),
  fraxlend: family(fraxlend),
  'liquity-v1': family(liquityV1),
  'liquity-v2': family(liquityV2),
  llamma: family(llamma),
  'llamma-mint': family(llammaMint),
  'llamma-second': family(llammaSecond),
  maker: family(maker),
  'morpho-blue': family(morphoBlue),
  'silo-v2': family(siloV2),
  'venus-core': family(venusCore),
  'venus-isolated': family(venusIsolated),
} as const;

/** A reader for every row of the chain whose family has one. It sends no request. */
export function createReaders(
  registry: ProtocolRegistry,
  parts: { client: ChainClient; multicall: Multicall; index?: HoldingsIndex },
): AnyReader[] {
  const { chainId } = parts.client;
  const usdOracles = marketsOf(registry, 'aave-v3', chainId).flatMap(
    ({ contracts }) => optionalContractOf(contracts, 'oracle') ?? [],
  );
  const nativeCurrency = registry.chains.find(({ id }) => id === chainId)?.nativeCurrency;
  return Object.entries(FAMILIES).flatMap(([name, { make }]) =>
    marketsOf(registry, name, chainId).map((row) =>
      make(row, { ...parts, usdOracles, ...(nativeCurrency && { nativeCurrency }) }),
    ),
  );
}
