import {
  type AlertV1,
  type PositionV1,
  type StreamAlert,
  type StreamPosition,
  checksumAddress,
} from '@plimsoll/contracts';
import type { FilterSubject } from './stream-filter';

/** `data` of the positions stream: list form, with what changed (contracts.md, Streams). */
export function streamPosition(event: PositionV1): StreamPosition {
  const { id, protocol, chainId, market, healthFactor, healthFactorRaw } = event;
  const { totalCollateralUsd, totalDebtUsd, previousHealthFactor, band, block, flags } = event;
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
    riskLevel: band,
    ...(flags !== undefined && { flags }),
    previousHealthFactor,
    band,
    asOfBlock: block,
  };
}

export function positionSubject(position: StreamPosition): FilterSubject {
  const { id, protocol, chainId, healthFactor, totalCollateralUsd: collateralUsd } = position;
  const wallet = position.wallet.toLowerCase();
  return { position: { id, wallet, protocol, chainId, healthFactor, collateralUsd }, severity: null };
}

/** `data` of the alerts stream: the REST form. */
export function streamAlert(event: AlertV1): StreamAlert {
  const { alertId: id, type, severity, title, message, status, createdAt, resolvedAt, position } = event;
  const { ruleId, asset } = event;
  return {
    id,
    type,
    severity,
    title,
    message,
    status,
    positionId: position?.id ?? null,
    createdAt,
    resolvedAt,
    ...(ruleId !== undefined && { ruleId }),
    ...(asset !== undefined && { asset }),
  };
}

export function alertSubject({ position, severity }: AlertV1): FilterSubject {
  return { position, severity };
}
