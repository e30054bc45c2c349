import type { HistoricState } from '../history/market-history';
import { previewRule } from './preview-rule';

const MINUTE_MS = 60_000;
const state = (healthFactor: number, minute: number): HistoricState => ({
  atMs: minute * MINUTE_MS,
  block: minute,
  healthFactor,
  collateralUsd: 1_000,
  debtUsd: 500,
  prices: {},
  symbols: [],
  riskScore: null,
  liquidationProbability: null,
  closed: false,
});
const condition = { conditionType: 'health_factor_below' as const, conditionValue: 1.2, asset: null };

describe('previewRule', () => {
  it('finds each firing with its value and the time it cleared', () => {
    const history = [state(1.3, 0), state(1.1, 1), state(1.21, 2), state(1.3, 3), state(1.15, 20)];
    expect(previewRule(condition, history)).toEqual([
      { firedAtMs: MINUTE_MS, block: 1, value: 1.1, clearedAtMs: 3 * MINUTE_MS },
      { firedAtMs: 20 * MINUTE_MS, block: 20, value: 1.15, clearedAtMs: null },
    ]);
  });

  it('does not count a firing within the cooldown of the one before', () => {
    const history = [state(1.1, 0), state(1.3, 1), state(1.1, 2), state(1.3, 3)];
    expect(previewRule(condition, history)).toHaveLength(1);
  });

  it('finds nothing in an empty history', () => expect(previewRule(condition, [])).toEqual([]));
});
