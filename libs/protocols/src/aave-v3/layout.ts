import {
  type Multicall,
  type BlockRef,
  PlanBuilder,
  readCall,
  type MarketRow,
  contractOf,
  lowerCase,
  optionalContractOf,
  subjectOf,
} from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import type { ReadScope } from '../reader/family';
import { addSymbol } from '../reader/tokens';
import { oracleAbi, poolAbi, providerAbi } from './abi';

/** A listed asset; addresses in lower case. */
export interface AaveV3Asset {
  address: Address;
  symbol: string;
  /** Null if the revision has none (3.2 and later). */
  stableDebtToken: Address | null;
}

/**
 * The part of a market that only governance changes. It is read once, and again when a block shows a change.
 */
export interface AaveV3Layout {
  addressesProvider: Address;
  pool: Address;
  oracle: Address;
  revision: bigint;
  /** Decimals of the base currency in which prices and totals are. */
  priceDecimals: number;
  assets: readonly AaveV3Asset[];
  /** Revision 3.2 and later: a category lists its assets in a bitmap, and an asset may be in several. */
  hasEModeBitmaps: boolean;
  eModes: readonly { id: number; priceSource: Address }[];
}

const MAX_EMODE_ID = 255;

/** Reads the layout of a market at a block. @throws ChainReadError */
export async function readLayout({ row, multicall }: ReadScope, block: BlockRef): Promise<AaveV3Layout> {
  const addressesProvider = await resolveProvider(row, multicall, block);
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'addresses'));
  const poolSlot = entry.add(readCall(addressesProvider, providerAbi, 'getPool', []));
  const oracleSlot = entry.add(readCall(addressesProvider, providerAbi, 'getPriceOracle', []));
  const { pool, oracle } = await multicall.read(
    entry.build(({ value }) => ({ pool: value(poolSlot), oracle: value(oracleSlot) })),
    block,
  );

  const general = new PlanBuilder(row.chainId, subjectOf(row, 'pool'));
  const revisionSlot = general.add(readCall(pool, poolAbi, 'POOL_REVISION', []));
  const unitSlot = general.add(readCall(oracle, oracleAbi, 'BASE_CURRENCY_UNIT', []));
  const listSlot = general.add(readCall(pool, poolAbi, 'getReservesList', []));
  const bitmapSlot = general.add(readCall(pool, poolAbi, 'getEModeCategoryCollateralBitmap', [1]));
  const { revision, unit, list, hasEModeBitmaps } = await multicall.read(
    general.build(({ value, outcome }) => ({
      revision: value(revisionSlot),
      unit: value(unitSlot),
      list: value(listSlot),
      hasEModeBitmaps: outcome(bitmapSlot).ok,
    })),
    block,
  );
  const assets = await readAssets(row, multicall, block, pool, list);
  const eModes = await readEModes(row, multicall, block, pool);
  return {
    addressesProvider,
    pool,
    oracle,
    revision,
    priceDecimals: unit.toString().length - 1,
    assets,
    hasEModeBitmaps,
    eModes,
  };
}

async function resolveProvider(row: MarketRow, multicall: Multicall, block: BlockRef): Promise<Address> {
  const provider = optionalContractOf(row.contracts, 'addressesProvider');
  if (provider) return provider;
  const dataProvider = contractOf(row, 'protocolDataProvider');
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'addresses provider'));
  const slot = plan.add(readCall(dataProvider, providerAbi, 'ADDRESSES_PROVIDER', []));
  return multicall.read(
    plan.build(({ value }) => value(slot)),
    block,
  );
}

async function readAssets(
  row: MarketRow,
  multicall: Multicall,
  block: BlockRef,
  pool: Address,
  list: readonly Address[],
): Promise<AaveV3Asset[]> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'assets'));
  const slots = list.map((address) => ({
    address: lowerCase(address),
    data: plan.add(readCall(pool, poolAbi, 'getReserveData', [address])),
    symbol: addSymbol(plan, address),
  }));
  const assets = plan.build((results) =>
    slots.map(({ address, data, symbol }): AaveV3Asset => {
      const { stableDebtTokenAddress: token } = results.value(data);
      return {
        address,
        symbol: symbol(results),
        stableDebtToken: token === zeroAddress ? null : lowerCase(token),
      };
    }),
  );
  return multicall.read(assets, block);
}

async function readEModes(
  row: MarketRow,
  multicall: Multicall,
  block: BlockRef,
  pool: Address,
): Promise<AaveV3Layout['eModes']> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'e-modes'));
  const slots = Array.from({ length: MAX_EMODE_ID }, (_, index) => ({
    id: index + 1,
    slot: plan.add(readCall(pool, poolAbi, 'getEModeCategoryData', [index + 1])),
  }));
  const known = plan.build(({ value }) =>
    slots
      .map(({ id, slot }) => ({ id, ...value(slot) }))
      .filter(({ liquidationThreshold }) => liquidationThreshold > 0),
  );
  const eModes = await multicall.read(known, block);
  return eModes.map(({ id, priceSource }) => ({ id, priceSource: lowerCase(priceSource) }));
}
