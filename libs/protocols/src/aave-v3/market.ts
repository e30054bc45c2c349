import { planOf, type BlockRef, type Outcome, PlanBuilder, type ReadPlan, lowerCase } from '@plimsoll/evm';
import { isAddressEqual, zeroAddress, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import {
  decodeReserveCaps,
  decodeReserveConfiguration,
  type ReserveParameters,
  arithmeticOf,
  hasLtvZero,
} from './math';
import { normalizedIncome } from './interest-math';
import type { ReadScope } from '../reader/family';
import { valueOrNull } from '../reader/read-each';
import { oracleAbi, poolAbi, providerAbi, tokenAbi } from './abi';
import type { AaveV3Asset, AaveV3Layout } from './layout';

/** One reserve at one block; indices in ray. */
export interface AaveV3Reserve {
  /** Position in the pool's list and in the wallets' configuration words. */
  id: number;
  symbol: string;
  address: Address;
  parameters: ReserveParameters;
  /** 10 to the power of its decimals. */
  unit: bigint;
  /** The most that the pool takes, in raw units. Null: any amount. */
  supplyCap: bigint | null;
  /** The most that the pool lends, in raw units. Null: any amount. */
  borrowCap: bigint | null;
  aToken: Address;
  variableDebtToken: Address;
  /** Null if the revision has none (3.2 and later). */
  stableDebtToken: Address | null;
  /** Whether any wallet has stable debt in this reserve. */
  hasStableDebt: boolean;
  /** Null: its oracle fails, which concerns only the wallets whose collateral or debt it is. */
  price: bigint | null;
  priceSource: Address;
  normalizedIncome: bigint;
  normalizedDebt: bigint;
  /** Yearly rates of supply and variable debt, in ray. */
  liquidityRate: bigint;
  variableBorrowRate: bigint;
}

/** An e-mode category at one block. */
export interface AaveV3EMode {
  label: string;
  ltvBps: bigint;
  liquidationThresholdBps: bigint;
  /** As in the configuration of a reserve: 10,500 is a bonus of 5 %. */
  liquidationBonusBps: bigint;
  /** Bit n: the reserve with id n is collateral in it. Null if assets name their category themselves. */
  collateralBitmap: bigint | null;
  /** Bit n: the reserve with id n may be borrowed in it. Null with collateralBitmap. */
  borrowableBitmap: bigint | null;
  /**
   * Bit n: reserve n counts as collateral in this e-mode, but a wallet that holds it cannot enter. Null
   * before 3.6.
   */
  ltvZeroBitmap: bigint | null;
  /** One price for all its assets, if the category has its own source (up to 3.1). Its value is null if the source fails. */
  price: { value: bigint | null; source: Address } | null;
}

/** The values of one market that change with every block. */
export interface AaveV3Market {
  layout: AaveV3Layout;
  block: BlockRef;
  reserves: readonly AaveV3Reserve[];
  eModes: ReadonlyMap<number, AaveV3EMode>;
  /** Dollars (wad) for one unit of the base currency. Null if no oracle of the chain has it. */
  usdPerBaseRaw: bigint | null;
}

/**
 * Plans the read of a market: every reserve, price and e-mode in one multicall. Null: the layout is out of
 * date.
 */
export function planMarket(
  { row }: ReadScope,
  layout: AaveV3Layout,
  block: BlockRef,
): ReadPlan<AaveV3Market | null> {
  const plan = planOf(row, 'reserves');
  const { pool, oracle, addressesProvider } = layout;
  const oracleSlot = plan.call(addressesProvider, providerAbi, 'getPriceOracle', []);
  const listSlot = plan.call(pool, poolAbi, 'getReservesList', []);
  const revisionSlot = plan.call(pool, poolAbi, 'POOL_REVISION', []);
  const reserveSlots = layout.assets.map((asset) => ({ asset, ...addReserve(plan, layout, asset) }));
  const eModeSlots = layout.eModes.map(({ id, priceSource }) => ({
    id,
    priceSource,
    data: plan.call(pool, poolAbi, 'getEModeCategoryData', [id]),
    bitmap: layout.hasEModeBitmaps
      ? plan.call(pool, poolAbi, 'getEModeCategoryCollateralBitmap', [id])
      : null,
    borrowable: layout.hasEModeBitmaps
      ? plan.call(pool, poolAbi, 'getEModeCategoryBorrowableBitmap', [id])
      : null,
    ltvZero: hasLtvZero(layout.revision)
      ? plan.call(pool, poolAbi, 'getEModeCategoryLtvzeroBitmap', [id])
      : null,
    price: priceSource === zeroAddress ? null : plan.call(oracle, oracleAbi, 'getAssetPrice', [priceSource]),
  }));

  return plan.build(({ value, outcome }) => {
    const list = value(listSlot);
    const reserves = reserveSlots.map(({ asset, data, price, source, stableSupply }) => {
      const hasStableDebt = stableSupply !== null && value(stableSupply)[0] > 0n;
      const [priceSource, reserveData] = [lowerCase(value(source)), value(data)];
      return {
        ...toReserve(asset, reserveData, block, layout.revision),
        hasStableDebt,
        price: valueOrNull(outcome(price)),
        priceSource,
      };
    });
    const eModes = eModeSlots.map(({ id, priceSource, data, bitmap, borrowable, ltvZero, price }) => ({
      id,
      isCurrent: isAddressEqual(value(data).priceSource, priceSource),
      category: {
        label: value(data).label,
        ltvBps: BigInt(value(data).ltv),
        liquidationThresholdBps: BigInt(value(data).liquidationThreshold),
        liquidationBonusBps: BigInt(value(data).liquidationBonus),
        collateralBitmap: bitmap && value(bitmap),
        borrowableBitmap: borrowable && value(borrowable),
        ltvZeroBitmap: ltvZero && value(ltvZero),
        price: price && eModePrice(outcome(price), priceSource),
      },
    }));
    const knownIds = new Set(layout.eModes.map(({ id }) => id));
    const isCurrent =
      isAddressEqual(value(oracleSlot), oracle) &&
      value(revisionSlot) === layout.revision &&
      list.length === layout.assets.length &&
      list.every((address, index) => isAddressEqual(address, layout.assets[index]!.address)) &&
      eModes.every((eMode) => eMode.isCurrent) &&
      reserves.every(
        ({ parameters: { eModeCategory } }) => eModeCategory === 0 || knownIds.has(eModeCategory),
      );
    if (!isCurrent) return null;
    return {
      layout,
      block,
      reserves,
      eModes: new Map(eModes.map(({ id, category }) => [id, category])),
      usdPerBaseRaw: WAD,
    };
  });
}

/** A category whose source states 0 uses the prices of its assets. */
function eModePrice(price: Outcome<bigint>, source: Address): AaveV3EMode['price'] {
  return price.ok && price.value === 0n ? null : { value: valueOrNull(price), source };
}

function addReserve(
  plan: PlanBuilder,
  { pool, oracle }: AaveV3Layout,
  { address, stableDebtToken }: AaveV3Asset,
) {
  return {
    data: plan.call(pool, poolAbi, 'getReserveData', [address]),
    price: plan.call(oracle, oracleAbi, 'getAssetPrice', [address]),
    source: plan.call(oracle, oracleAbi, 'getSourceOfAsset', [address]),
    stableSupply: stableDebtToken && plan.call(stableDebtToken, tokenAbi, 'getTotalSupplyAndAvgRate', []),
  };
}

/** The fields of Pool.getReserveData that are used. */
interface ReserveData {
  configuration: bigint;
  liquidityIndex: bigint;
  currentLiquidityRate: bigint;
  variableBorrowIndex: bigint;
  currentVariableBorrowRate: bigint;
  lastUpdateTimestamp: number;
  id: number;
  aTokenAddress: Address;
  variableDebtTokenAddress: Address;
}

/** A reserve of a pool of any revision, without its price. */
export function toReserve(
  { address, symbol, stableDebtToken }: AaveV3Asset,
  data: ReserveData,
  { timestamp }: BlockRef,
  revision: bigint,
) {
  const parameters = decodeReserveConfiguration(data.configuration);
  const unit = 10n ** BigInt(parameters.decimals);
  const caps = decodeReserveCaps(data.configuration);
  const accrual = {
    liquidityIndex: data.liquidityIndex,
    liquidityRate: data.currentLiquidityRate,
    variableBorrowIndex: data.variableBorrowIndex,
    variableBorrowRate: data.currentVariableBorrowRate,
    lastUpdate: BigInt(data.lastUpdateTimestamp),
  };
  return {
    id: data.id,
    symbol,
    address,
    parameters,
    unit,
    supplyCap: caps.supply === 0n ? null : caps.supply * unit,
    borrowCap: caps.borrow === 0n ? null : caps.borrow * unit,
    aToken: data.aTokenAddress,
    variableDebtToken: data.variableDebtTokenAddress,
    stableDebtToken,
    normalizedIncome: normalizedIncome(accrual, timestamp),
    normalizedDebt: arithmeticOf(revision).normalizedDebt(accrual, timestamp),
    liquidityRate: accrual.liquidityRate,
    variableBorrowRate: accrual.variableBorrowRate,
  };
}
