import { Injectable } from '@nestjs/common';
import type { RiskScoreAnswer } from '@plimsoll/contracts';
import {
  LEVEL_FLOORS,
  assetsOf,
  logHealthVolatility,
  riskLabel,
  riskScore,
  scoreOfLevel,
} from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import type { Caller } from '@plimsoll/service-kit';
import { ProtocolClasses } from '../losses/protocol-classes';
import { Covariances } from '../market/covariances';
import type { Requester } from '../pool/pending-job';
import { positionBasis } from '../position/position-basis';
import { PositionSource } from '../position/position-source';
import { LiquidationForecaster } from '../simulate/liquidation-forecaster';

const HORIZON_DAYS = 30;
const ITERATIONS = 5_000;

@Injectable()
export class RiskScoreService {
  constructor(
    private readonly positions: PositionSource,
    private readonly covariances: Covariances,
    private readonly forecaster: LiquidationForecaster,
    private readonly protocols: ProtocolClasses,
  ) {}

  async score(caller: Caller, positionId: string, requester: Requester): Promise<RiskScoreAnswer> {
    const detail = await this.positions.read(caller, positionId, requester.left);
    const risk = riskPosition(detail);
    const { healthFactor, protocol, debtAssets, riskLevel } = detail;
    const volatility =
      healthFactor === null
        ? 0
        : logHealthVolatility(risk, this.covariances.of(assetsOf(risk), HORIZON_DAYS).market);
    const request = { model: 'fhs', horizonDays: HORIZON_DAYS, iterations: ITERATIONS } as const;
    const { result, historySource, historyWindow, drift } = await this.forecaster.run(
      detail,
      request,
      requester,
    );
    const base = riskScore({
      healthFactor,
      logHealthVolatility: volatility ?? 0,
      debtUsd: debtAssets.map(({ usdValue }) => usdValue),
      riskTier: this.protocols.riskTierOf(protocol),
      liquidationProbability30d: result.liquidationProbability,
    });
    const score = scoreOfLevel(base.riskScore, riskLevel);
    return {
      ...positionBasis(detail),
      riskScore: score,
      label: riskLabel(score),
      level: riskLevel,
      baseScore: base.riskScore,
      levelFloor: LEVEL_FLOORS[riskLevel],
      factors: base.factors,
      liquidationProbability30d: result.liquidationProbability,
      model: request.model,
      standardError: result.standardError,
      upperBound95: result.upperBound95,
      drift,
      historySource,
      historyWindow,
    };
  }
}
