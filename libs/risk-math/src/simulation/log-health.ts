import type { RiskPosition } from '../position/position';
import { healthFactor } from '../position/totals';
import { DAYS_PER_YEAR } from '../statistics/returns';
import { closedForm } from './closed-form';
import { healthModel, type PriceMarket } from './health-model';
import { logLinearHealth, logLinearTouch, tangentNow } from './log-linear';

/**
 * σ(ln HF) per √year at today's prices: |Σᵢ (wᵢ/W − dᵢ/D)·rowᵢ of the covariance's factor|. Near 0 if
 * collateral and debt move together. null without debt or without collateral.
 * @throws RangeError when the market lacks an asset of the position
 */
export function logHealthVolatility(position: RiskPosition, market: PriceMarket): number | null {
  const now = healthFactor(position);
  if (now === null || now === 0) return null;
  return tangentNow(healthModel(position, market)).deviation * Math.sqrt(DAYS_PER_YEAR);
}

/**
 * Probability of HF < 1 within `days` without simulating: exact if there is a closed form, else by ln HF's
 * tangent plane where a liquidation is most likely (error up to a tenth of the probability for several
 * assets). 0 without debt, 1 when HF < 1. For figures that every position needs in every block.
 * @throws RangeError when the market lacks an asset of the position
 */
export function closedTouchProbability(position: RiskPosition, market: PriceMarket, days: number): number {
  const now = healthFactor(position);
  if (now === null) return 0;
  if (now < 1) return 1;
  const model = healthModel(position, market);
  const exact = closedForm(model, now);
  if (exact) return exact.probability(days);
  return logLinearTouch(logLinearHealth(model, days), days);
}
