import { type PositionKey, type PositionLegV1, type PositionV1, positionId } from '@plimsoll/contracts';
import type { BlockRef } from '@plimsoll/evm';
import type { RawLeg, RawPosition } from '@plimsoll/protocols';
import type { CrossingContent } from '@plimsoll/receipts';
import { rateOf } from '../amounts/leg-rate';
import { marketPriceOf } from '../amounts/market-price';
import { debtAndCollateralUsd, netWorthUsdRaw, suppliedUsd } from '../amounts/totals-in-usd';
import { healthFactorNumber, toDouble, toUsd } from '../amounts/units';
import { isCrossing } from './crossing-content';
import type { Change } from './detect-change';
import type { PublishedPosition } from './published-position';

/** A change of one position, ready to be written and published. */
export interface PositionChange {
  key: PositionKey;
  before: PublishedPosition | null;
  after: PublishedPosition;
  /** As in totals-in-usd. 0 when the position is closed. */
  netWorthUsdRaw: bigint | null;
  /** The content of its receipt. Absent: it has none. */
  crossing?: CrossingContent;
}

/**
 * The next event of a position and the state after it.
 * @param position as read at `block`; null: the wallet no longer holds anything
 */
export function positionChange(
  key: PositionKey,
  before: PublishedPosition | null,
  position: RawPosition | null,
  change: Change,
  block: BlockRef,
): PositionChange {
  const healthFactorRaw = position?.healthFactorRaw ?? null;
  const baseDecimals = position?.priceDecimals ?? before?.event.baseDecimals ?? 0;
  const totalCollateralRaw = position?.totalCollateralRaw ?? 0n;
  const totalDebtRaw = position?.totalDebtRaw ?? 0n;
  const totals = position ? debtAndCollateralUsd(position) : { collateralUsd: 0, debtUsd: 0 };
  const event: PositionV1 = {
    id: positionId(key),
    ...key,
    ...(position?.proxy && { proxy: { ...position.proxy } }),
    sequence: (before?.event.sequence ?? 0) + 1,
    legs: position?.legs.map((leg) => toLeg(leg, position)) ?? [],
    healthFactorRaw: healthFactorRaw?.toString() ?? null,
    healthFactor: healthFactorNumber(healthFactorRaw),
    ...(position?.verification && { verification: position.verification }),
    previousHealthFactor: before?.event.healthFactor ?? null,
    totalCollateralRaw: totalCollateralRaw.toString(),
    totalDebtRaw: totalDebtRaw.toString(),
    baseDecimals,
    ...(position && { usdPerBaseRaw: String(position.usdPerBaseRaw) }),
    totalCollateralUsd: totals.collateralUsd,
    totalDebtUsd: totals.debtUsd,
    totalSuppliedUsd: position ? suppliedUsd(position) : 0,
    flags: [...(position?.flags ?? [])],
    band: change.band,
    previousBand: change.previousBand,
    level: change.level,
    previousLevel: change.previousLevel,
    probability7d: change.probability7d,
    ...orphanedSince(before, block),
    block: Number(block.number),
    blockHash: block.hash,
    blockTime: new Date(Number(block.timestamp) * 1_000).toISOString(),
    reason: change.reason,
    material: change.material,
    closed: position === null,
    ...(isCrossing(change) ? {} : receiptOf(before)),
  };
  const materialHealthFactorRaw = change.material
    ? healthFactorRaw
    : (before?.materialHealthFactorRaw ?? null);
  return {
    key,
    before,
    after: { event, materialHealthFactorRaw },
    netWorthUsdRaw: position ? netWorthUsdRaw(position) : 0n,
  };
}

/** The receipt of the last crossing. */
function receiptOf(before: PublishedPosition | null): Pick<PositionV1, 'receiptHash' | 'receiptSequence'> {
  const { receiptHash, receiptSequence } = before?.event ?? {};
  return receiptHash === undefined || receiptSequence === undefined ? {} : { receiptHash, receiptSequence };
}

/**
 * The lowest block that a reorg removed since an event. The event's own block shows it too: it is above the
 * chain's end or has another hash.
 */
function orphanedSince(
  before: PublishedPosition | null,
  { number, hash }: BlockRef,
): Pick<PositionV1, 'orphanedFrom'> {
  if (before === null) return {};
  const { event, orphanedFrom = Infinity } = before;
  const isReplaced = event.block === Number(number) && event.blockHash !== hash;
  const above = event.block > Number(number) ? Number(number) + 1 : Infinity;
  const lowest = Math.min(orphanedFrom, above, isReplaced ? event.block : Infinity);
  return lowest === Infinity ? {} : { orphanedFrom: lowest };
}

function toLeg(leg: RawLeg, position: RawPosition): PositionLegV1 {
  return {
    asset: leg.symbol,
    address: leg.address.toLowerCase(),
    side: leg.side,
    amountRaw: leg.amountRaw.toString(),
    scaledRaw: leg.scaledRaw.toString(),
    decimals: leg.decimals,
    priceRaw: leg.priceRaw.toString(),
    priceDecimals: leg.priceDecimals,
    oracle: leg.oracle.toLowerCase(),
    liquidationThresholdBps: Number(leg.liquidationThresholdBps),
    usedAsCollateral: leg.usedAsCollateral,
    amount: toDouble(leg.amountRaw, leg.decimals),
    usdValue: toUsd(leg.amountRaw * leg.priceRaw, leg.decimals + leg.priceDecimals, position),
    priceUsd: toUsd(leg.priceRaw, leg.priceDecimals, position),
    ...marketPriceOf(leg),
    ...rateOf(leg),
  };
}
