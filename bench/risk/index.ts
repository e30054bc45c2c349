import { cholesky, simulateGbm, simulateHistorical, type FilteredHistory } from '@plimsoll/risk-math';
import { simulateWithObjects } from './object-simulation';
import { runNumpy, type CpuMs } from './run-numpy';

export const description =
  'CPU of a 30-day simulation of three assets: ours, numpy vectorised, plain objects';

const PATHS = [1_000, 5_000, 100_000] as const;
const DAYS = 30;
const ASSETS = ['ETH', 'BTC', 'LINK'];
const SIGMA = [0.75, 0.55, 0.95];
const CORRELATION = [
  [1, 0.8, 0.7],
  [0.8, 1, 0.65],
  [0.7, 0.65, 1],
];
const WEIGHTS = [35_000, 25_000, 10_000];
const DEBT = 50_000;
const STABLE = 'USDC';
const REPETITIONS = 25;
/** Runs before the clock starts: a worker that lives on is warm, and the optimising compiler needs its time. */
const WARM_UPS = 30;
const HISTORY_DAYS = 365;

const covariance = SIGMA.map((a, i) => SIGMA.map((b, j) => (a * b * CORRELATION[i]![j]!) / 365));
const position = {
  collateral: ASSETS.map((asset, i) => ({
    asset,
    amount: WEIGHTS[i]!,
    priceUsd: 1,
    liquidationThreshold: 1,
    liquidationBonus: 0,
  })),
  debt: [{ asset: STABLE, amount: DEBT, priceUsd: 1 }],
};
const market = {
  assets: [...ASSETS, STABLE],
  dailyCovariance: [...covariance.map((row) => [...row, 0]), [0, 0, 0, 0]],
};

/** A history of the right shape; what is in it does not change the work. */
function history(): FilteredHistory {
  const residuals = [...ASSETS, STABLE].map((asset, i) => {
    const wave = Float64Array.from(
      { length: HISTORY_DAYS },
      (_, day) => Math.sin(day * (i + 1)) * Math.SQRT2,
    );
    const isStable = asset === STABLE;
    const target = isStable ? 0 : covariance[i]![i]!;
    return {
      close: isStable ? wave.map(() => 0) : wave,
      low: isStable ? wave.map(() => 0) : wave.map((value) => Math.min(value, 0) - 0.3),
      high: isStable ? wave.map(() => 0) : wave.map((value) => Math.max(value, 0) + 0.3),
      parameters: { alpha: 0.06, beta: 0.92, target },
      nextVariance: target,
    };
  });
  return { assets: [...ASSETS, STABLE], days: HISTORY_DAYS, residuals };
}

function medianCpuMs(run: () => unknown, repetitions: number): number {
  const times = Array.from({ length: repetitions }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Number(times.toSorted((a, b) => a - b)[repetitions >> 1]!.toFixed(2));
}

function cpuByPaths(run: (paths: number) => unknown, isSlow = false): CpuMs {
  for (let i = 0; i < (isSlow ? 3 : WARM_UPS); i += 1) run(isSlow ? PATHS[0] : PATHS[1]);
  return Object.fromEntries(
    PATHS.map((paths) => [paths, medianCpuMs(() => run(paths), isSlow || paths > 10_000 ? 3 : REPETITIONS)]),
  );
}

function ratios(ours: CpuMs, theirs: CpuMs): CpuMs {
  return Object.fromEntries(
    PATHS.map((paths) => [paths, Number((ours[paths]! / theirs[paths]!).toFixed(2))]),
  );
}

/**
 * CPU time of one thread. `gbm` is the estimator of the product, with everything that makes it exact (case F of
 * test/reference/sample); numpy and the objects draw plain paths, `daily` looked at once a day, `bridge` with the touch
 * between the days.
 */
export async function run(): Promise<object> {
  const drift = covariance.map((row, i) => -row[i]! / 2);
  const task = { weights: WEIGHTS, debt: DEBT, drift, days: DAYS };
  const numpy = runNumpy({ ...task, covariance, paths: PATHS, repetitions: REPETITIONS });
  const options = { horizonDays: DAYS, seed: 1 };
  const gbm = cpuByPaths((paths) => simulateGbm(position, market, { ...options, paths }));
  const days = history();
  const fhs = cpuByPaths((paths) => simulateHistorical(position, days, { ...options, paths }));
  const factor = cholesky(covariance);
  const objects = cpuByPaths((paths) => simulateWithObjects({ ...task, factor }, paths), true);
  return {
    bench: 'risk',
    days: DAYS,
    assets: ASSETS.length,
    node: process.version,
    numpyVersion: numpy.version,
    cpuMs: { gbm, fhs, numpyDaily: numpy.daily, numpyBridge: numpy.bridge, objects },
    gbmOverNumpyBridge: ratios(gbm, numpy.bridge),
    gbmOverNumpyDaily: ratios(gbm, numpy.daily),
    fhsOverNumpyBridge: ratios(fhs, numpy.bridge),
    objectsOverGbm: ratios(objects, gbm),
    aim: { gbmOverNumpyBridge: 1, stretch: 0.4 },
  };
}
