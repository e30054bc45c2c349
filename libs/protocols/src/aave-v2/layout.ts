import { type BlockRef, PlanBuilder, readCall, contractOf, lowerCase, subjectOf } from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import type { AaveV3Layout } from '../aave-v3/layout';
import { providerAbi, oracleAbi } from '../aave-v3/abi';
import type { ReadScope } from '../reader/family';
import { addSymbol } from '../reader/tokens';
import { v2ProviderAbi, v2PoolAbi } from './abi';

/** Older oracles do not state their currency. It is ether. */
const ETHER_DECIMALS = 18;
/** Means "before v3": those pools have no POOL_REVISION. */
const REVISION = 0n;

/** The layout of a v2 market, in the form that v3 markets have. @throws ChainReadError */
export async function readLayout({ row, multicall }: ReadScope, block: BlockRef): Promise<AaveV3Layout> {
  const addressesProvider = contractOf(row, 'addressesProvider');
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'addresses'));
  const poolSlot = entry.add(readCall(addressesProvider, v2ProviderAbi, 'getLendingPool', []));
  const oracleSlot = entry.add(readCall(addressesProvider, providerAbi, 'getPriceOracle', []));
  const { pool, oracle } = await multicall.read(
    entry.build(({ value }) => ({ pool: value(poolSlot), oracle: value(oracleSlot) })),
    block,
  );
  const general = new PlanBuilder(row.chainId, subjectOf(row, 'pool'));
  const unitSlot = general.add(readCall(oracle, oracleAbi, 'BASE_CURRENCY_UNIT', []));
  const listSlot = general.add(readCall(pool, v2PoolAbi, 'getReservesList', []));
  const { priceDecimals, list } = await multicall.read(
    general.build(({ value, outcome }) => {
      const unit = outcome(unitSlot);
      return {
        priceDecimals: unit.ok ? unit.value.toString().length - 1 : ETHER_DECIMALS,
        list: value(listSlot).map(lowerCase),
      };
    }),
    block,
  );
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'assets'));
  const slots = list.map((address) => ({
    address,
    data: plan.add(readCall(pool, v2PoolAbi, 'getReserveData', [address])),
    symbol: addSymbol(plan, address),
  }));
  const assets = await multicall.read(
    plan.build((results) =>
      slots.map(({ address, data, symbol }) => ({
        address,
        symbol: symbol(results),
        stableDebtToken: tokenOrNull(results.value(data).stableDebtTokenAddress),
      })),
    ),
    block,
  );
  return {
    addressesProvider,
    pool,
    oracle,
    revision: REVISION,
    priceDecimals,
    assets,
    hasEModeBitmaps: false,
    eModes: [],
  };
}

function tokenOrNull(token: Address): Address | null {
  return token === zeroAddress ? null : lowerCase(token);
}
