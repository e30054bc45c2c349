import { Injectable } from '@nestjs/common';
import { type Band, type PositionDetail, notFound } from '@plimsoll/contracts';
import { type Caller, InnerClient } from '@plimsoll/service-kit';
import type { Deleverage } from '../sources/rule/deleverage';
import type { CurrentFigures } from './rule-writer';
import { AlertsConfig } from '../config';
import { holdingsOf } from '../positions/holdings';

/** Reads present positions from the positions service. */
@Injectable()
export class PositionLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_POSITIONS }: AlertsConfig) {
    this.upstream = new InnerClient(UPSTREAM_POSITIONS, 'The position');
  }

  /** @throws not_found for an unknown id */
  async read(caller: Caller, positionId: string): Promise<PositionReading> {
    const path = `/v1/positions/${encodeURIComponent(positionId)}`;
    const detail = await this.upstream.get<PositionDetail>(path, caller);
    if (detail === null) throw notFound('position');
    return { figures: currentFigures(detail), venue: venueOf(detail) };
  }
}

/** A present position: its figures and its identity. */
export interface PositionReading {
  figures: CurrentFigures;
  venue: Deleverage['place'];
}

function venueOf({ protocol, chainId, market, subId, wallet }: PositionDetail): Deleverage['place'] {
  return { protocol, chainId, market, ...(subId !== undefined && { subId }), wallet: wallet.toLowerCase() };
}

function currentFigures(detail: PositionDetail): CurrentFigures {
  const { healthFactor, totalCollateralUsd, totalDebtUsd, riskLevel, chainId, asOfBlock } = detail;
  const legs = [
    ...detail.collateralAssets.map((leg) => ({ ...leg, side: 'collateral' as const })),
    ...detail.debtAssets.map((leg) => ({ ...leg, side: 'debt' as const })),
  ];
  return {
    healthFactor,
    collateralUsd: totalCollateralUsd,
    debtUsd: totalDebtUsd,
    band: riskLevel as Band,
    holdings: holdingsOf(legs),
    closed: legs.length === 0,
    block: detail.block ?? asOfBlock[String(chainId)] ?? 0,
  };
}
