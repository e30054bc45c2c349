import fc from 'fast-check';
import type { RiskPosition } from '../position/position';
import { seedOf } from '../random/random';
import { simulateDailySteps } from './daily-steps';
import { filterHistory, type DailyHistory } from './history/filtered-history';
import { simulateGbm } from './gbm';
import type { PriceMarket } from './health-model';
import { simulateHistorical } from './history/historical';
import { closedTouchProbability, logHealthVolatility } from './log-health';
import { SimulationCancelled, type SimulationResult } from './simulation';

const VOLATILE = ['WETH', 'WBTC', 'LINK', 'UNI'];
const CORRELATION = 0.7;

/** A market of four volatile assets and a stable one. `scale` multiplies every volatility. */
function marketOf(scale = 1): PriceMarket {
  const daily = [0.75, 0.55, 0.95, 1].map((sigma) => (sigma * scale) / Math.sqrt(365));
  const row = (i: number): number[] =>
    daily.map((other, j) => daily[i]! * other * (i === j ? 1 : CORRELATION));
  return {
    assets: [...VOLATILE, 'USDC'],
    dailyCovariance: [...daily.map((_, i) => [...row(i), 0]), [0, 0, 0, 0, 0]],
  };
}

/** Collaterals by value, scaled to the health factor against a debt of 50,000. */
function positionAt(
  healthFactor: number,
  values: readonly number[],
  debts = { USDC: 1 } as Record<string, number>,
): RiskPosition {
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    collateral: values.map((value, i) => ({
      asset: VOLATILE[i]!,
      amount: (value / total) * healthFactor * 50_000,
      priceUsd: 1,
      liquidationThreshold: 1,
      liquidationBonus: 0,
    })),
    debt: Object.entries(debts).map(([asset, share]) => ({ asset, amount: share * 50_000, priceUsd: 1 })),
  };
}

/** Two years of made-up days, the same every time. */
function historyOf(): DailyHistory {
  const days = 400;
  const paths = VOLATILE.map((_, i) => {
    let price = 100;
    return Array.from({ length: days }, (_unused, day) => {
      price *= Math.exp(0.05 * Math.sin(day * day * 0.37) + 0.02 * Math.cos(day * (i + 2)));
      return price;
    });
  });
  const still = Array.from({ length: days }, () => 1);
  return {
    assets: [...VOLATILE, 'USDC'],
    close: [...paths, still],
    low: [...paths.map((path) => path.map((price) => price * 0.98)), still],
    high: [...paths.map((path) => path.map((price) => price * 1.02)), still],
  };
}
const history = filterHistory(historyOf());

const options = { horizonDays: 30, paths: 512, seed: 7 };
type Simulate = (
  position: RiskPosition,
  changes?: { horizonDays?: number; scale?: number },
) => SimulationResult;
const gbm: Simulate = (position, { scale, ...rest } = {}) =>
  simulateGbm(position, marketOf(scale), { ...options, ...rest });
const fhs: Simulate = (position, { horizonDays = 30 } = {}) =>
  simulateHistorical(position, history, { ...options, horizonDays });
const models: [string, Simulate][] = [
  ['gbm', gbm],
  ['fhs', fhs],
];

const values = fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 });
const health = fc.double({ min: 1.02, max: 2.5, noNaN: true });
const runs = { numRuns: 10 };

describe.each(models)('%s', (_, simulate) => {
  it('probability falls as the health factor grows', () => {
    fc.assert(
      fc.property(values, health, fc.double({ min: 0.05, max: 0.5, noNaN: true }), (shares, now, more) => {
        const [low, high] = [now, now + more].map((each) => simulate(positionAt(each, shares)));
        const slack = 2 * (low!.standardError + high!.standardError);
        expect(high!.liquidationProbability).toBeLessThanOrEqual(low!.liquidationProbability + slack);
      }),
      runs,
    );
  });

  it('probability grows with the days', () => {
    fc.assert(
      fc.property(values, health, fc.integer({ min: 1, max: 20 }), (shares, now, days) => {
        const position = positionAt(now, shares);
        const [short, long] = [days, 2 * days].map((horizonDays) => simulate(position, { horizonDays }));
        const slack = 2 * (short!.standardError + long!.standardError);
        expect(long!.liquidationProbability).toBeGreaterThanOrEqual(short!.liquidationProbability - slack);
      }),
      runs,
    );
  });

  it('1 when HF < 1, 0 without debt', () => {
    expect(simulate(positionAt(0.99, [1, 1])).liquidationProbability).toBe(1);
    expect(simulate({ ...positionAt(2, [1, 1]), debt: [] })).toMatchObject({
      liquidationProbability: 0,
      percentiles: null,
    });
  });

  it('scale and the order of the legs do not matter', () => {
    fc.assert(
      fc.property(values, health, fc.double({ min: 1e-3, max: 1e4, noNaN: true }), (shares, now, factor) => {
        const position = positionAt(now, shares);
        const larger = {
          collateral: position.collateral.map((leg) => ({ ...leg, amount: leg.amount * factor })),
          debt: position.debt.map((leg) => ({ ...leg, amount: leg.amount * factor })),
        };
        const turned = { ...position, collateral: position.collateral.toReversed() };
        const base = simulate(position);
        const slack = 1e-9 + 6 * base.standardError;
        expect(Math.abs(simulate(larger).liquidationProbability - base.liquidationProbability)).toBeLessThan(
          slack,
        );
        expect(Math.abs(simulate(turned).liquidationProbability - base.liquidationProbability)).toBeLessThan(
          slack,
        );
      }),
      runs,
    );
  });

  it('the terminal share below 1 is at most the probability of a touch', () => {
    fc.assert(
      fc.property(values, health, (shares, now) => {
        const { liquidationProbability, percentiles } = simulate(positionAt(now, shares));
        if (percentiles!.p5 < 1) expect(liquidationProbability).toBeGreaterThanOrEqual(0.05);
        if (percentiles!.p50 < 1) expect(liquidationProbability).toBeGreaterThanOrEqual(0.5);
      }),
      runs,
    );
  });

  it('the same inputs and seed give the same figures', () => {
    const position = positionAt(1.3, [1, 2, 3]);
    expect(simulate(position)).toEqual(simulate(position));
  });

  it('rejects an invalid horizon or number of paths', () => {
    const position = positionAt(1.3, [1, 2]);
    for (const horizonDays of [0, -1, 1.5, Number.NaN, 3_651]) {
      expect(() => simulate(position, { horizonDays })).toThrow(RangeError);
    }
    for (const paths of [0, -5, Number.NaN, 1e9]) {
      expect(() => simulateGbm(position, marketOf(), { ...options, paths })).toThrow(RangeError);
      expect(() => simulateHistorical(position, history, { ...options, paths })).toThrow(RangeError);
    }
  });

  it('names an unknown asset', () => {
    const position = positionAt(1.3, [1]);
    const odd = { ...position, debt: [{ asset: 'XYZ', amount: 1, priceUsd: 1 }] };
    expect(() => simulate(odd)).toThrow('XYZ');
  });
});

describe('simulateGbm', () => {
  it('probability grows with volatility', () => {
    fc.assert(
      fc.property(values, health, fc.double({ min: 1.05, max: 2, noNaN: true }), (shares, now, scale) => {
        const position = positionAt(now, shares);
        const calm = gbm(position);
        const wild = gbm(position, { scale });
        const slack = 2 * (calm.standardError + wild.standardError) + 1e-9;
        expect(wild.liquidationProbability).toBeGreaterThanOrEqual(calm.liquidationProbability - slack);
      }),
      runs,
    );
  });

  it('a collateral split in two legs keeps its closed form', () => {
    const whole = positionAt(1.3, [1]);
    const [leg] = whole.collateral;
    const halves = {
      ...whole,
      collateral: [leg!, leg!].map((each) => ({ ...each, amount: each.amount / 2 })),
    };
    expect(gbm(halves)).toEqual(gbm(whole));
    expect(gbm(whole)).toMatchObject({ method: 'closed_form', standardError: 0 });
  });

  it('a single moving price has the first passage of that price', () => {
    const position = positionAt(1, [1]);
    const stable = { ...position.collateral[0]!, asset: 'USDC', amount: 12_500 };
    const mixed = { ...position, collateral: [...position.collateral, stable] };
    const alone = positionAt(4 / 3, [1]);
    expect(gbm(mixed).liquidationProbability).toBeCloseTo(gbm(alone).liquidationProbability, 12);
    const owed = { ...stable, amount: 70_000 };
    const short = {
      collateral: [owed],
      debt: [
        { ...position.debt[0]!, asset: 'WETH' },
        { ...position.debt[0]!, amount: 10_000 },
      ],
    };
    expect(gbm(short)).toMatchObject({ method: 'closed_form', standardError: 0 });
    expect(gbm(short).percentiles!.p5).toBeLessThan(gbm(short).percentiles!.p95);
  });

  it('the simulation of a position with a closed form equals the closed form', () => {
    const exact = gbm(positionAt(1.3, [1]));
    // A tiny second collateral makes the position one for the simulation.
    const nearly = gbm(positionAt(1.3, [1, 1e-9]));
    expect(nearly.method).toBe('quasi_monte_carlo');
    expect(Math.abs(nearly.liquidationProbability - exact.liquidationProbability)).toBeLessThan(1e-6);
    for (const name of ['p5', 'p50', 'p95'] as const) {
      expect(Math.abs(nearly.percentiles![name] / exact.percentiles![name] - 1)).toBeLessThan(1e-6);
    }
  });

  it('four and more assets agree with three when the fourth is tiny', () => {
    const three = gbm(positionAt(1.3, [3, 2, 1]));
    const four = gbm(positionAt(1.3, [3, 2, 1, 1e-9]));
    const slack = 4 * (three.standardError + four.standardError);
    expect(Math.abs(four.liquidationProbability - three.liquidationProbability)).toBeLessThan(slack);
  });

  it('stable collateral that covers the debt makes the probability zero', () => {
    const position = positionAt(1.3, [1]);
    const stable = { ...position.collateral[0]!, asset: 'USDC', amount: 60_000 };
    const covered = { ...position, collateral: [...position.collateral, stable] };
    expect(gbm(covered).liquidationProbability).toBeLessThan(1e-9);
  });

  it('wrapped assets that move together cause no failure', () => {
    const market: PriceMarket = {
      assets: ['WETH', 'WBTC', 'USDC'],
      dailyCovariance: [
        [1e-3, 1e-3, 0],
        [1e-3, 1e-3, 0],
        [0, 0, 0],
      ],
    };
    const split = simulateGbm(positionAt(1.3, [1, 1]), market, options);
    const whole = simulateGbm(positionAt(1.3, [1]), market, options);
    expect(Math.abs(split.liquidationProbability - whole.liquidationProbability)).toBeLessThan(1e-6);
  });

  it('daily checks find fewer crossings than continuous monitoring', () => {
    const position = positionAt(1.2, [3, 2, 1]);
    const daily = simulateDailySteps(position, marketOf(), { ...options, paths: 8_192 });
    expect(daily.probability).toBeLessThan(0.95 * gbm(position).liquidationProbability);
  });
});

describe('simulateHistorical', () => {
  it('a staked asset against its underlying moves with it', () => {
    const loop = positionAt(1.1, [1], { WETH: 1 });
    expect(fhs(loop).liquidationProbability).toBe(0);
  });

  it('requires a history of the same days and of real prices', () => {
    const { assets, close, low, high } = historyOf();
    expect(() => filterHistory({ assets, close: close.map(() => [1]), low, high })).toThrow(RangeError);
    expect(() => filterHistory({ assets, close, low: low.slice(1), high })).toThrow(RangeError);
    const zero = low.map((row) => Array.from(row, (price, day) => (day === 390 ? 0 : price)));
    expect(() => filterHistory({ assets, close, low: zero, high })).toThrow(RangeError);
  });
});

describe('logHealthVolatility', () => {
  it('volatility is the asset’s own against a stable debt, and zero against itself', () => {
    expect(logHealthVolatility(positionAt(1.5, [1]), marketOf())).toBeCloseTo(0.75, 10);
    expect(logHealthVolatility(positionAt(1.1, [1], { WETH: 1 }), marketOf())).toBeCloseTo(0, 10);
    expect(logHealthVolatility({ ...positionAt(2, [1]), debt: [] }, marketOf())).toBeNull();
  });
});

describe('seedOf', () => {
  it('is the same for the same text and differs for another', () => {
    expect(seedOf('pos_1 30 5000')).toBe(seedOf('pos_1 30 5000'));
    expect(seedOf('pos_1 30 5000')).not.toBe(seedOf('pos_1 30 5001'));
  });
});

describe('closedTouchProbability', () => {
  it('is near the simulated one for several assets, and exact for one', () => {
    const market = marketOf();
    for (const healthFactor of [1.05, 1.2, 1.5]) {
      const position = positionAt(healthFactor, [3, 2, 1]);
      const { liquidationProbability } = simulateGbm(position, market, {
        horizonDays: 7,
        paths: 5_000,
        seed: 1,
      });
      const closed = closedTouchProbability(position, market, 7);
      expect(Math.abs(closed - liquidationProbability)).toBeLessThan(0.1 * liquidationProbability + 1e-4);
    }
    const single = positionAt(1.2, [1]);
    const exact = simulateGbm(single, market, { horizonDays: 7, paths: 1, seed: 1 });
    expect(closedTouchProbability(single, market, 7)).toBe(exact.liquidationProbability);
  });

  it('0 without debt, 1 below 1', () => {
    expect(closedTouchProbability(positionAt(1.2, [1], {}), marketOf(), 7)).toBe(0);
    expect(closedTouchProbability(positionAt(0.9, [1, 1]), marketOf(), 7)).toBe(1);
  });
});

describe('isCancelled', () => {
  it('ends both simulations between two blocks', () => {
    const position = positionAt(1.2, [1, 1]);
    let asked = 0;
    const options = { horizonDays: 30, paths: 100_000, seed: 1, isCancelled: () => (asked += 1) > 2 };
    expect(() => simulateGbm(position, marketOf(), options)).toThrow(SimulationCancelled);
    asked = 0;
    expect(() => simulateHistorical(position, filterHistory(historyOf()), options)).toThrow(
      SimulationCancelled,
    );
    expect(asked).toBe(3);
  });
});
