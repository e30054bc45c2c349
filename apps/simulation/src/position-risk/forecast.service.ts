import { Injectable } from '@nestjs/common';
import { type ForecastAnswer, type PositionDetail, isStableAsset, priceSymbol } from '@plimsoll/contracts';
import {
  type RiskPosition,
  assetsOf,
  distancePercent,
  forecastDaysToLiquidation,
  liquidationPrice,
  volatileDistancePercent,
} from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import type { Caller } from '@plimsoll/service-kit';
import { Covariances } from '../market/covariances';
import { positionBasis } from '../position/position-basis';
import { PositionSource } from '../position/position-source';
import { carryOf } from './carry';

/** Volatility goes back to its long-run level within this time, and the median is asked for within a year. */
const LAW_DAYS = 30;
const MAX_DAYS = 365;

@Injectable()
export class ForecastService {
  constructor(
    private readonly positions: PositionSource,
    private readonly covariances: Covariances,
  ) {}

  async forecast(caller: Caller, positionId: string, left: AbortSignal): Promise<ForecastAnswer> {
    const detail = await this.positions.read(caller, positionId, left);
    const risk = riskPosition(detail);
    return {
      ...positionBasis(detail),
      liquidationPrice: liquidationPrices(detail, risk),
      distancePercent: distancePercent(risk),
      volatileDistancePercent: volatileDistancePercent(risk, isStableAsset),
      ...carryOf(detail),
      model: 'gbm',
      ...this.timeToLiquidation(detail, risk),
    };
  }

  private timeToLiquidation(
    { healthFactor }: PositionDetail,
    risk: RiskPosition,
  ): Pick<ForecastAnswer, 'daysToLiquidation' | 'historySource' | 'historyWindow'> {
    if (healthFactor === null) return { daysToLiquidation: null, historySource: null, historyWindow: null };
    const { market, ...basis } = this.covariances.of(assetsOf(risk), LAW_DAYS);
    const days = forecastDaysToLiquidation(risk, market);
    return { daysToLiquidation: days !== null && days > MAX_DAYS ? null : days, ...basis };
  }
}

/** Under the symbols that the position has for its assets. */
function liquidationPrices(detail: PositionDetail, risk: RiskPosition): Record<string, number> {
  const symbols = new Set([...detail.collateralAssets, ...detail.debtAssets].map(({ asset }) => asset));
  return Object.fromEntries(
    [...symbols].flatMap((symbol) => {
      const price = liquidationPrice(risk, priceSymbol(symbol));
      return price === null ? [] : [[symbol, price]];
    }),
  );
}
