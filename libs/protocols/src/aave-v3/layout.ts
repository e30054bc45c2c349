import {
  contractOf,
  lowerCase,
  optionalContractOf,
  readAll,
  type BlockRef,
  type PlanBuilder,
  type Slot,
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

/** The calls in which Aave v2 and v3 differ. */
export interface PoolCalls {
  addPool(plan: PlanBuilder, provider: Address): Slot<Address>;
  addReserve(
    plan: PlanBuilder,
    pool: Address,
    asset: Address,
  ): Slot<{ aTokenAddress: Address; stableDebtTokenAddress: Address }>;
}

export const V3_CALLS: PoolCalls = {
  addPool: (plan, provider) => plan.call(provider, providerAbi, 'getPool', []),
  addReserve: (plan, pool, asset) => plan.call(pool, poolAbi, 'getReserveData', [asset]),
};

type Scope = Pick<ReadScope, 'row' | 'multicall'>;

/** Reads the layout of a market at a block. @throws ChainReadError */
export async function readLayout(scope: ReadScope, block: BlockRef): Promise<AaveV3Layout> {
  const addressesProvider = await resolveProvider(scope, block);
  const { pool, oracle } = await readAddresses(scope, addressesProvider, V3_CALLS, block);
  const { revision, unit, list, bitmap } = await readAll(scope, 'pool', block, (plan) => ({
    revision: plan.call(pool, poolAbi, 'POOL_REVISION', []),
    unit: plan.call(oracle, oracleAbi, 'BASE_CURRENCY_UNIT', []),
    list: plan.call(pool, poolAbi, 'getReservesList', []),
    bitmap: plan.attempt(pool, poolAbi, 'getEModeCategoryCollateralBitmap', [1]),
  }));
  return {
    addressesProvider,
    pool,
    oracle,
    revision,
    priceDecimals: unit.toString().length - 1,
    assets: await readAssets(scope, pool, list, V3_CALLS, block),
    hasEModeBitmaps: bitmap.ok,
    eModes: await readEModes(scope, block, pool),
  };
}

/** The addresses provider of a row, which may name the data provider instead. */
export async function resolveProvider(scope: Scope, block: BlockRef): Promise<Address> {
  const provider = optionalContractOf(scope.row.contracts, 'addressesProvider');
  if (provider) return provider;
  const dataProvider = contractOf(scope.row, 'protocolDataProvider');
  return readAll(scope, 'addresses provider', block, (plan) =>
    plan.call(dataProvider, providerAbi, 'ADDRESSES_PROVIDER', []),
  );
}

export function readAddresses(scope: Scope, provider: Address, { addPool }: PoolCalls, block: BlockRef) {
  return readAll(scope, 'addresses', block, (plan) => ({
    pool: addPool(plan, provider),
    oracle: plan.call(provider, providerAbi, 'getPriceOracle', []),
  }));
}

export async function readAssets(
  scope: Scope,
  pool: Address,
  list: readonly Address[],
  { addReserve }: PoolCalls,
  block: BlockRef,
): Promise<AaveV3Asset[]> {
  const assets = await readAll(scope, 'assets', block, (plan) =>
    list.map((address) => ({
      address: lowerCase(address),
      data: addReserve(plan, pool, address),
      symbol: addSymbol(plan, address),
    })),
  );
  return assets.map(({ address, symbol, data: { stableDebtTokenAddress: token } }) => ({
    address,
    symbol,
    stableDebtToken: token === zeroAddress ? null : lowerCase(token),
  }));
}

async function readEModes(scope: Scope, block: BlockRef, pool: Address): Promise<AaveV3Layout['eModes']> {
  const ids = Array.from({ length: MAX_EMODE_ID }, (_, index) => index + 1);
  const eModes = await readAll(scope, 'e-modes', block, (plan) =>
    ids.map((id) => ({ id, data: plan.call(pool, poolAbi, 'getEModeCategoryData', [id]) })),
  );
  return eModes
    .filter(({ data }) => data.liquidationThreshold > 0)
    .map(({ id, data }) => ({ id, priceSource: lowerCase(data.priceSource) }));
}
