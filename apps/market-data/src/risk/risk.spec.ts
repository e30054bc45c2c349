import fc from 'fast-check';
import { globalRiskIndex, indexComponents, type IndexInputs } from './index-components';
import { type IndexRecord, marketHealth, riskIndex, trendOf } from './risk-responses';
import { basketVariance, currentVolatility, parkinsonVolatilities } from './volatility';

const calm: IndexInputs = {
  volatility: 0.25,
  trackedDebtUsd: 1_000_000,
  endangeredDebtUsd: 0,
  oldFeedDebtUsd: 0,
  utilisation: 0.8,
  pegDeviation: 0,
  tvlFall: 0,
};
const worst: IndexInputs = {
  volatility: 3,
  trackedDebtUsd: 100,
  endangeredDebtUsd: 100,
  oldFeedDebtUsd: 100,
  utilisation: 1.2,
  pegDeviation: 0.5,
  tvlFall: 0.9,
};

describe('indexComponents', () => {
  it('are 0, 0 and 100 in a calm market, 100, 100 and 0 in the worst', () => {
    expect(indexComponents(calm)).toEqual({ volatility: 0, liquidationPressure: 0, protocolStability: 100 });
    expect(indexComponents(worst)).toEqual({
      volatility: 100,
      liquidationPressure: 100,
      protocolStability: 0,
    });
  });

  it.each<[Partial<IndexInputs>, object]>([
    [{ volatility: 0.75 }, { volatility: 50 }],
    [{ endangeredDebtUsd: 125_000 }, { liquidationPressure: 50 }],
    [{ utilisation: 0.9 }, { protocolStability: 82.5 }],
    [{ oldFeedDebtUsd: 500_000 }, { protocolStability: 87.5 }],
    [{ pegDeviation: 0.025 }, { protocolStability: 87.5 }],
    [{ tvlFall: 0.1 }, { protocolStability: 92.5 }],
    [{ trackedDebtUsd: 0 }, { liquidationPressure: 0, protocolStability: 100 }],
  ])('%j gives %j', (over, expected) => {
    expect(indexComponents({ ...calm, ...over })).toMatchObject(expected);
  });

  it('give an index from 0 to 100', () => {
    expect(globalRiskIndex(indexComponents(calm))).toBe(0);
    expect(globalRiskIndex(indexComponents(worst))).toBe(100);
    expect(globalRiskIndex(indexComponents({ ...calm, volatility: 0.75 }))).toBe(23);
  });
});

describe('GET /v1/risk/index and GET /v1/risk/market-health', () => {
  const share = fc.double({ min: 0, max: 1.5, noNaN: true });
  const inputs = fc.record({
    volatility: fc.double({ min: 0, max: 4, noNaN: true }),
    trackedDebtUsd: fc.double({ min: 0, max: 1e9, noNaN: true }),
    endangeredDebtUsd: fc.double({ min: 0, max: 1e9, noNaN: true }),
    oldFeedDebtUsd: fc.double({ min: 0, max: 1e9, noNaN: true }),
    utilisation: share,
    pegDeviation: share,
    tvlFall: share,
  });
  const levelOf = (points: number) =>
    points < 25 ? 'low' : points < 50 ? 'moderate' : points < 75 ? 'high' : 'critical';

  it('never disagree, and every label fits the figure beside it', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 0, max: 100 }), (market, dayAgo) => {
        const components = indexComponents(market);
        const gri = globalRiskIndex(components);
        const record: IndexRecord = {
          hourMs: 0,
          gri,
          trend: trendOf(gri, dayAgo),
          components,
          measuredAtMs: 1,
        };
        const [index, health] = [riskIndex(record), marketHealth(record)];
        expect(health.riskScore).toBe(Math.round(index.gri));
        expect(health.overallRisk).toBe(index.label);
        expect(index.label).toBe(levelOf(index.gri));
        expect(health.overallRisk).toBe(levelOf(health.riskScore));
        expect(health.indicators.volatility).toBe(levelOf(index.components.volatility));
        expect(health.indicators.liquidationRisk).toBe(levelOf(index.components.liquidationPressure));
        const { protocolStability } = index.components;
        expect(health.indicators.protocolHealth).toBe(
          protocolStability >= 75 ? 'healthy' : protocolStability >= 50 ? 'degraded' : 'critical',
        );
        expect(health.updatedAt).toBe(index.updatedAt);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('trendOf', () => {
  it.each([
    [50, null, 'stable'],
    [50, 48, 'stable'],
    [50, 47, 'rising'],
    [50, 53, 'falling'],
  ] as const)('%s after %s is %s', (gri, dayAgo, expected) => {
    expect(trendOf(gri, dayAgo)).toBe(expected);
  });
});

describe('volatility', () => {
  const range = (size: number) => ({ high: Math.exp(size), low: 1 });

  it('of days with the same range is the annualised volatility of that range', () => {
    const variance = basketVariance([range(0.05), range(0.05)]);
    const expected = Math.sqrt((0.05 ** 2 / (4 * Math.LN2)) * 365);
    expect(parkinsonVolatilities(Array.from({ length: 50 }, () => variance)).at(-1)).toBeCloseTo(
      expected,
      12,
    );
  });

  it('uses the assets that have the day, and omits a day that none has', () => {
    expect(basketVariance([range(0.05), null])).toBe(basketVariance([range(0.05)]));
    expect(basketVariance([null, null])).toBeNull();
    expect(parkinsonVolatilities([0.001, null])[1]).toBe(parkinsonVolatilities([0.001])[0]);
  });

  it('rises with the current day, and does not fall with it', () => {
    const days = Array.from({ length: 30 }, () => 0.001);
    const before = currentVolatility(days, null)!;
    expect(currentVolatility(days, 0.02)).toBeGreaterThan(before);
    expect(currentVolatility(days, 0)).toBe(before);
    expect(currentVolatility([], null)).toBeNull();
  });
});
