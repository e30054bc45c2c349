import {
  SEVERITIES,
  alertContentOf,
  checksumAddress,
  isDust,
  ownReceiptHash,
  riskLevelOfEvent,
  unreadEffect,
  type AlertChangeV1,
  type AlertGroupV1,
  type AlertV1,
  type PositionV1,
  type StreamAlert,
  type StreamPosition,
  type StreamWhale,
  type WhaleV1,
} from '@plimsoll/contracts';
import type { FilterSubject } from './stream-filter';

/** Returns `data` of the positions stream: the list form and the change. */
export function streamPosition(event: PositionV1): StreamPosition {
  const { id, protocol, chainId, market, healthFactor, healthFactorRaw } = event;
  const { totalCollateralUsd, totalDebtUsd, previousHealthFactor, band, block, flags, verification } = event;
  const totalSuppliedUsd = event.totalSuppliedUsd ?? suppliedUsd(event);
  const receiptHash = ownReceiptHash(event);
  return {
    id,
    protocol,
    chainId,
    market,
    wallet: checksumAddress(event.wallet),
    healthFactor,
    healthFactorRaw,
    totalCollateralUsd,
    totalDebtUsd,
    totalSuppliedUsd,
    netWorthUsd: totalSuppliedUsd - totalDebtUsd,
    isDust: isValued(event) && isDust(totalSuppliedUsd, totalDebtUsd),
    ...riskLevelOfEvent(event),
    probability7d: event.probability7d ?? null,
    ...(flags !== undefined && { flags }),
    ...(verification !== undefined && { verification }),
    previousHealthFactor,
    band,
    block,
    asOfBlock: block,
    ...(receiptHash !== null && { receiptHash }),
  };
}

/** Events of earlier releases have no sum, so it comes from their legs. */
function suppliedUsd({ legs }: PositionV1): number {
  return legs.reduce((sum, { side, usdValue }) => (side === 'collateral' ? sum + usdValue : sum), 0);
}

/** Returns whether all supplied and owed assets have a USD value. */
function isValued({ legs, usdPerBaseRaw }: PositionV1): boolean {
  return (
    usdPerBaseRaw !== '0' && legs.every(({ amountRaw, priceRaw }) => amountRaw === '0' || priceRaw !== '0')
  );
}

export function positionSubject(position: StreamPosition): FilterSubject {
  const { id, protocol, chainId, healthFactor, totalCollateralUsd: collateralUsd } = position;
  const wallet = position.wallet.toLowerCase();
  return { position: { id, wallet, protocol, chainId, healthFactor, collateralUsd }, severity: null };
}

/**
 * Returns `data` of the alerts stream: the REST form and the change.
 * @param timeMs when the event was created
 */
export function streamAlert(event: AlertV1 | AlertChangeV1, timeMs: number): StreamAlert {
  const { alertId: id, type, severity, title, message, status, createdAt, resolvedAt } = event;
  const { groupId, confidenceScore, ruleId, asset, level, revision, resolveReason, escalatedTo } = event;
  // Events of earlier releases have no time of the change.
  const { updatedAt = new Date(timeMs).toISOString() } = event;
  return {
    id,
    type,
    severity,
    title,
    message,
    status,
    createdAt,
    resolvedAt,
    ...(ruleId !== undefined && { ruleId }),
    ...(asset !== undefined && { asset }),
    ...alertContentOf(event),
    groupId: groupId ?? null,
    confidenceScore,
    ...(level !== undefined && { level, updatedAt }),
    ...(revision !== undefined && { revision }),
    ...(resolveReason !== undefined && { resolveReason }),
    ...(escalatedTo !== undefined && { escalatedTo }),
    ...changeOf(event),
  };
}

function changeOf(
  event: AlertV1 | AlertChangeV1,
): Pick<StreamAlert, 'change' | 'previousSeverity' | 'previousLevel' | 'reason' | 'silenceEnded'> {
  if (!('change' in event)) return { change: event.status === 'active' ? 'created' : 'resolved' };
  const { change, previousSeverity, previousLevel, reason, silenceEnded } = event;
  return {
    change,
    previousSeverity,
    previousLevel,
    ...(reason && { reason }),
    ...(silenceEnded && { silenceEnded }),
  };
}

/**
 * A group has no position, so a filter on positions excludes it. A filter on the severity uses the highest of
 * its alerts.
 */
export function groupSubject({ alerts }: AlertGroupV1): FilterSubject {
  const ranks = alerts.map(({ severity }) => SEVERITIES.indexOf(severity));
  return { position: null, severity: SEVERITIES[Math.max(0, ...ranks)] ?? null };
}

export function alertSubject({ position, severity }: AlertV1): FilterSubject {
  return { position, severity };
}

/** Returns `data` of the whales stream: the activity and whether its block is still part of the chain. */
export function streamWhale({ activityId, ...event }: WhaleV1): StreamWhale {
  return {
    id: activityId,
    // Events of earlier releases have none.
    counterpartyLabel: null,
    ...unreadEffect('not_read'),
    ...event,
    wallet: checksumAddress(event.wallet),
    counterparty: event.counterparty === null ? null : checksumAddress(event.counterparty),
    assetAddress: checksumAddress(event.assetAddress),
  };
}

/**
 * A move has no health factor and is not a position, so filters on these never match. minUsd compares its
 * value.
 */
export function whaleSubject({ activityId, wallet, protocol, chainId, usdValue }: WhaleV1): FilterSubject {
  const position = { id: activityId, wallet, protocol, chainId, healthFactor: null, collateralUsd: usdValue };
  return { position, severity: null };
}
