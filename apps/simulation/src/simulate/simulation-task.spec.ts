import type { PositionDetail } from '@plimsoll/contracts';
import { riskPosition } from '@plimsoll/risk-position';
import { closes, sampleCovariance, sampleHistory, samplePosition } from '../../test/samples';
import { Covariances } from '../market/covariances';
import { PriceHistories } from '../market/price-histories';
import { runJob } from '../pool/run-job';
import { type SimulationRequest, prepareSimulation } from './simulation-task';

const SYMBOLS = ['ETH', 'BTC', 'USDC'];
const histories = new PriceHistories();
const covariances = new Covariances();
for (const symbol of SYMBOLS) histories.apply(symbol, sampleHistory(symbol));
covariances.apply(sampleCovariance(SYMBOLS));

const prepare = (detail: PositionDetail, changes: Partial<SimulationRequest> = {}) =>
  prepareSimulation(
    detail,
    riskPosition(detail),
    { model: 'fhs', horizonDays: 30, iterations: 2_000, ...changes },
    histories,
    covariances,
  );

function resultOf(detail: PositionDetail, changes: Partial<SimulationRequest> = {}) {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const response = runJob({ id: 1, task: prepare(detail, changes).task, cancelled });
  if (!('result' in response)) throw new Error(JSON.stringify(response));
  return response.result;
}

const position = samplePosition('here', { WETH: 10, WBTC: 0.2 }, { USDC: 30_000 });

describe('the seed', () => {
  const seedOf = (detail: PositionDetail, changes?: Partial<SimulationRequest>): number =>
    prepare(detail, changes).task.options.seed;

  it('is the same for equal positions on another chain, in another wallet, under another id and of another size', () => {
    const copy = samplePosition('there', { WBTC: 0.2, WETH: 10 }, { USDC: 30_000 });
    const elsewhere = { ...copy, chainId: 8_453, wallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' };
    expect(seedOf(elsewhere)).toBe(seedOf(position));
    expect(resultOf(elsewhere)).toEqual(resultOf(position));
    const double = samplePosition('double', { WETH: 20, WBTC: 0.4 }, { USDC: 60_000 });
    expect(resultOf(double)).toEqual(resultOf(position));
  });

  it('differs for other assets, another side, model, drift and history', () => {
    const others = [
      seedOf(samplePosition('one', { WETH: 10 }, { USDC: 16_000 })),
      seedOf(samplePosition('turned', { USDC: 60_000 }, { WETH: 10, WBTC: 0.2 })),
      seedOf(position, { model: 'gbm' }),
      seedOf(position, { drift: 0.5 }),
    ];
    expect(new Set([seedOf(position), ...others]).size).toBe(others.length + 1);
  });
});

describe('the drift', () => {
  it('is zero by default, the same as a drift of 0', () => {
    const { basis } = prepare(position);
    expect(basis.drift).toEqual({ method: 'none', annualised: { ETH: 0, BTC: 0, USDC: 0 } });
    const seed = 5;
    expect(resultOf(position, { drift: 0, seed })).toEqual(resultOf(position, { seed }));
  });

  it('of the past is the growth of the log price over the window, under both models', () => {
    const prices = closes('ETH').slice(-366);
    for (const model of ['fhs', 'gbm'] as const) {
      const { basis } = prepare(position, { model, drift: 'historical' });
      expect(basis.drift.method).toBe('historical');
      expect(basis.drift.annualised['ETH']).toBeCloseTo(Math.log(prices.at(-1)! / prices[0]!), 8);
    }
  });

  it('moves the median by the given growth, and leaves stable coins unchanged', () => {
    const single = samplePosition('one', { WETH: 10 }, { USDC: 16_000 });
    for (const model of ['fhs', 'gbm'] as const) {
      expect(prepare(single, { model, drift: 2 }).basis.drift.annualised).toEqual({ ETH: 2, USDC: 0 });
      const median = (drift: number) =>
        resultOf(single, { model, drift, seed: 3, iterations: 8_192 }).percentiles!.p50;
      expect(median(0) / single.healthFactor!).toBeCloseTo(1, 1);
      expect(Math.log(median(2) / median(0))).toBeCloseTo((2 * 30) / 365, 2);
    }
  });
});

describe('the time to liquidation', () => {
  it('and the probability within 30 days come from the same paths as a simulation of 30 days', () => {
    const ahead = resultOf(position, { horizonDays: 365, withinDays: 30 });
    expect(ahead.liquidationProbability).toBe(resultOf(position).liquidationProbability);
    const { p50 } = ahead.firstPassageDays!;
    expect(p50 !== null && p50 <= 30).toBe(ahead.liquidationProbability >= 0.5);
  });
});
