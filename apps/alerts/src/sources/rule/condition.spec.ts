import fc from 'fast-check';
import type { ConditionType } from '@plimsoll/contracts';
import { CONDITION_KINDS, type ConditionFigures, judge } from './condition';

const figures = (over: Partial<ConditionFigures> = {}): ConditionFigures => ({
  healthFactor: 1.5,
  collateralUsd: 10_000,
  debtUsd: 5_000,
  prices: { ETH: 3_000 },
  riskScore: 40,
  liquidationProbability: 0.2,
  ...over,
});
const verdict = (
  conditionType: ConditionType,
  conditionValue: number,
  over: Partial<ConditionFigures> = {},
  asset: string | null = null,
) => judge({ conditionType, conditionValue, asset }, figures(over)).verdict;

describe('judge', () => {
  it.each<[ConditionType, number, Partial<ConditionFigures>, string]>([
    ['health_factor_below', 1.5, {}, 'held'],
    ['health_factor_below', 1.5001, {}, 'met'],
    ['health_factor_below', 1.48, {}, 'cleared'],
    ['health_factor_below', 1.5, { healthFactor: null }, 'cleared'],
    ['health_factor_above', 1.4, {}, 'met'],
    ['health_factor_above', 1.51, {}, 'held'],
    ['health_factor_above', 9, { healthFactor: null }, 'met'],
    ['ltv_above', 0.49, {}, 'met'],
    ['ltv_above', 0.5, {}, 'held'],
    ['ltv_above', 0.6, {}, 'cleared'],
    ['ltv_above', 5, { collateralUsd: 0 }, 'met'],
    ['ltv_above', 0.1, { collateralUsd: 0, debtUsd: 0 }, 'cleared'],
    ['collateral_usd_below', 10_001, {}, 'met'],
    ['collateral_usd_below', 9_950, {}, 'held'],
    ['collateral_usd_below', 9_000, {}, 'cleared'],
    ['debt_usd_above', 4_999, {}, 'met'],
    ['debt_usd_above', 5_000, {}, 'held'],
    ['risk_score_above', 39.9, {}, 'met'],
    ['risk_score_above', 40.9, {}, 'held'],
    ['risk_score_above', 41, {}, 'cleared'],
    ['risk_score_above', 0.1, { riskScore: 0 }, 'cleared'],
    ['risk_score_above', 40, { riskScore: null }, 'unknown'],
    ['liquidation_probability_above', 0.199, {}, 'met'],
    ['liquidation_probability_above', 0.205, {}, 'held'],
    ['liquidation_probability_above', 0.22, {}, 'cleared'],
    ['liquidation_probability_above', 0.005, { liquidationProbability: 0 }, 'cleared'],
    ['liquidation_probability_above', 0.1, { liquidationProbability: null }, 'unknown'],
    ['liquidation_distance_below', 34, {}, 'met'],
    ['liquidation_distance_below', 33, {}, 'held'],
    ['liquidation_distance_below', 30, {}, 'cleared'],
    ['liquidation_distance_below', 1, { healthFactor: 0 }, 'met'],
    ['liquidation_distance_below', 99, { healthFactor: null }, 'cleared'],
  ])('%s %d of %j is %s', (type, value, over, expected) => expect(verdict(type, value, over)).toBe(expected));

  it('uses market prices, maps ETH to WETH, and has no value without a fresh source', () => {
    expect(verdict('price_below', 3_000.01, {}, 'WETH')).toBe('met');
    expect(verdict('price_above', 2_999.99, {}, 'WETH')).toBe('met');
    expect(verdict('price_above', 3_000, {}, 'WETH')).toBe('held');
    expect(verdict('price_below', 1, {}, 'LINK')).toBe('unknown');
  });

  it('never judges one value as both met and cleared, and needs the margin to change from one to the other', () => {
    const types = Object.keys(CONDITION_KINDS) as ConditionType[];
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.double({ min: 0.01, max: 90, noNaN: true }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (conditionType, conditionValue, amount) => {
          const over = {
            healthFactor: amount,
            collateralUsd: amount,
            debtUsd: amount,
            prices: { X: amount },
            riskScore: amount,
            liquidationProbability: amount,
          };
          const { verdict: found, value } = judge(
            { conditionType, conditionValue, asset: 'X' },
            figures(over),
          );
          const { side, margin } = CONDITION_KINDS[conditionType];
          const beyond = side === 'below' ? conditionValue - value! : value! - conditionValue;
          if (found === 'met') expect(beyond).toBeGreaterThan(0);
          if (found === 'cleared') expect(beyond).toBeLessThanOrEqual(-margin(conditionValue));
          if (found === 'held') {
            expect(beyond).toBeLessThanOrEqual(0);
            expect(beyond).toBeGreaterThan(-margin(conditionValue));
          }
        },
      ),
    );
  });
});
