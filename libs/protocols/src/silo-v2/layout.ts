import { type BlockRef, PlanBuilder, readCall, contractOf, lowerCase, subjectOf } from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import type { ReadScope } from '../reader/family';
import { siloAbi as abi } from './abi';

/** One of the two silos of a market. */
export interface SiloSide {
  silo: Address;
  token: Address;
  protectedShares: Address;
  collateralShares: Address;
  debtShares: Address;
  /** Null if the token itself is the currency of the market. */
  oracle: Address | null;
  /** Wad. */
  threshold: bigint;
}

/** A market of two silos. */
export interface SiloPair {
  config: Address;
  sides: readonly [SiloSide, SiloSide];
  /** The currency of the oracles' quotes. */
  quoteToken: Address;
}

/**
 * The markets of a factory with these ids, as far as governance cannot change them. @throws ChainReadError
 */
export async function readSiloPairs(
  { row, multicall }: ReadScope,
  block: BlockRef,
  ids: readonly string[],
): Promise<{ nextId: bigint; pairs: Map<string, SiloPair> }> {
  const factory = contractOf(row, 'factory');
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'silo configs'));
  const next = entry.add(readCall(factory, abi, 'getNextSiloId', []));
  const configSlots = ids.map((id) => entry.add(readCall(factory, abi, 'idToSiloConfig', [BigInt(id)])));
  const { nextId, configs } = await multicall.read(
    entry.build(({ value }) => ({
      nextId: value(next),
      configs: configSlots.map((slot) => lowerCase(value(slot))),
    })),
    block,
  );
  const list = new PlanBuilder(row.chainId, subjectOf(row, 'silos'));
  const siloSlots = configs.map((config) => list.add(readCall(config, abi, 'getSilos', [])));
  const silos = await multicall.read(
    list.build(({ value }) => siloSlots.map(value)),
    block,
  );
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'silo settings'));
  const sideSlots = silos.map((pair, index) =>
    pair.map((silo) => plan.add(readCall(configs[index]!, abi, 'getConfig', [silo]))),
  );
  const sides = await multicall.read(
    plan.build(({ value }) => sideSlots.map((pair) => pair.map((slot) => sideOf(value(slot))))),
    block,
  );
  const quotes = new PlanBuilder(row.chainId, subjectOf(row, 'quote tokens'));
  const quoteSlots = sides.map((pair) => {
    const oracle = pair.find((side) => side.oracle)?.oracle;
    return oracle ? quotes.add(readCall(oracle, abi, 'quoteToken', [])) : null;
  });
  return multicall.read(
    quotes.build(({ value }) => {
      const pairs = sides.map(([first, second], index): [string, SiloPair] => {
        const slot = quoteSlots[index];
        const quoteToken = slot ? lowerCase(value(slot)) : first!.token;
        return [ids[index]!, { config: configs[index]!, sides: [first!, second!], quoteToken }];
      });
      return { nextId, pairs: new Map(pairs) };
    }),
    block,
  );
}

function sideOf(config: {
  silo: Address;
  token: Address;
  protectedShareToken: Address;
  collateralShareToken: Address;
  debtShareToken: Address;
  solvencyOracle: Address;
  lt: bigint;
}): SiloSide {
  const oracle = lowerCase(config.solvencyOracle);
  return {
    silo: lowerCase(config.silo),
    token: lowerCase(config.token),
    protectedShares: lowerCase(config.protectedShareToken),
    collateralShares: lowerCase(config.collateralShareToken),
    debtShares: lowerCase(config.debtShareToken),
    oracle: oracle === zeroAddress ? null : oracle,
    threshold: config.lt,
  };
}
