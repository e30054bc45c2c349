import { Injectable } from '@nestjs/common';
import { type RiskScoreAnswer, notFound } from '@plimsoll/contracts';
import { type Caller, InnerClient } from '@plimsoll/service-kit';
import { AlertsConfig } from '../config';
import type { RiskFigures } from '../positions/position-state';

/** The simulation service reads the position first, and may have a queue. */
const DEADLINE_MS = 8_000;

/** Reads present risk figures from the simulation service. */
@Injectable()
export class RiskLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_SIMULATION }: AlertsConfig) {
    this.upstream = new InnerClient(UPSTREAM_SIMULATION, 'The risk of the position', DEADLINE_MS);
  }

  /** @throws upstream_unavailable also while the history of an asset is missing; not_found */
  async read(caller: Caller, positionId: string): Promise<RiskFigures> {
    const path = `/v1/positions/${encodeURIComponent(positionId)}/risk-score`;
    const response = await this.upstream.get<RiskScoreAnswer>(path, caller);
    if (response === null) throw notFound('position');
    return { riskScore: response.riskScore, liquidationProbability: response.liquidationProbability30d };
  }
}
