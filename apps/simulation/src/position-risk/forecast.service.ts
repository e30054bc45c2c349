import { Injectable } from '@nestjs/common';
import {
  type Drift,
  type ForecastAnswer,
  type PositionDetail,
  isStableAsset,
  priceSymbol,
} from '@plimsoll/contracts';
import {
  type RiskPosition,
  NEVER,
  distancePercent,
  liquidationPrice,
  volatileDistancePercent,
} from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import type { Caller } from '@plimsoll/service-kit';
import type { Requester } from '../pool/pending-job';
import { positionBasis } from '../position/position-basis';
import { PositionSource } from '../position/position-source';
import { LiquidationForecaster } from '../simulate/liquidation-forecaster';
import { carryOf } from './carry';

/** The same as in the risk score, so that both state the same probability of 30 days. */
const PROBABILITY_DAYS = 30;
const ITERATIONS = 5_000;
/** The largest time to liquidation that is searched. */
const MAX_DAYS = 365;

type TimeToLiquidation = Omit<
  ForecastAnswer,
  | keyof ReturnType<typeof positionBasis>
  | keyof ReturnType<typeof carryOf>
  | 'liquidationPrice'
  | 'distancePercent'
  | 'volatileDistancePercent'
>;

@Injectable()
export class ForecastService {
  constructor(
    private readonly positions: PositionSource,
    private readonly forecaster: LiquidationForecaster,
  ) {}

  async forecast(
    caller: Caller,
    positionId: string,
    drift: Drift | undefined,
    requester: Requester,
  ): Promise<ForecastAnswer> {
    const detail = await this.positions.read(caller, positionId, requester.left);
    const risk = riskPosition(detail);
    return {
      ...positionBasis(detail),
      liquidationPrice: liquidationPrices(detail, risk),
      distancePercent: distancePercent(risk),
      volatileDistancePercent: volatileDistancePercent(risk, isStableAsset),
      ...carryOf(detail),
      ...(await this.timeToLiquidation(detail, drift, requester)),
    };
  }

  private async timeToLiquidation(
    detail: PositionDetail,
    drift: Drift | undefined,
    requester: Requester,
  ): Promise<TimeToLiquidation> {
    const request = {
      model: 'fhs',
      horizonDays: MAX_DAYS,
      withinDays: PROBABILITY_DAYS,
      iterations: ITERATIONS,
      drift,
    } as const;
    const { result, seed: _seed, ...basis } = await this.forecaster.run(detail, request, requester);
    const { firstPassageDays = NEVER, liquidationProbability, standardError, upperBound95 } = result;
    const owes = detail.healthFactor !== null;
    const isBeyond = owes && Object.values(firstPassageDays).includes(null);
    return {
      daysToLiquidation: firstPassageDays.p50,
      firstPassageDays,
      notWithinDays: isBeyond ? MAX_DAYS : null,
      liquidationProbability30d: liquidationProbability,
      iterations: owes ? ITERATIONS : 0,
      model: request.model,
      standardError,
      upperBound95,
      ...basis,
    };
  }
}

/** Keyed by the position's symbols for its assets. */
function liquidationPrices(detail: PositionDetail, risk: RiskPosition): Record<string, number> {
  const symbols = new Set([...detail.collateralAssets, ...detail.debtAssets].map(({ asset }) => asset));
  return Object.fromEntries(
    [...symbols].flatMap((symbol) => {
      const price = liquidationPrice(risk, priceSymbol(symbol));
      return price === null ? [] : [[symbol, price]];
    }),
  );
}
