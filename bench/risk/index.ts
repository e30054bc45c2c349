import { cholesky, simulateGbm, simulateHistorical, type FilteredHistory } from '@plimsoll/risk-math';
import { simulateWithObjects } from './object-simulation';
import { type NumpyEstimator, NumpyProcess } from './numpy-process';
import { measureService } from './service-load';

export const description =
  'CPU of a 30-day simulation of three assets: ours, numpy, plain objects; the service under load';

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
const ROUNDS = 9;
const RUNS = 9;
const SLOW_ROUNDS = 3;
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

/** A history with the required shape. Its values do not change the work. */
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
      drift: 0,
    };
  });
  return { assets: [...ASSETS, STABLE], days: HISTORY_DAYS, residuals };
}

/** Median of the CPU milliseconds of so many runs, after one that does not count. */
type Measure = (runs: number) => number | Promise<number>;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const rounded = (value: number): number => Number(value.toFixed(2));

const ours =
  (run: () => unknown): Measure =>
  (runs) => {
    run();
    const times = Array.from({ length: runs }, () => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    return median(times);
  };

/** The measured functions take turns, so that a busy minute of the machine affects all of them. */
async function inTurns<Name extends string>(
  measures: Record<Name, Measure>,
  rounds: number,
  runs: number,
): Promise<Record<Name, number[]>> {
  const times = Object.fromEntries(Object.keys(measures).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries<Measure>(measures)) times[name]!.push(await measure(runs));
  }
  return times as Record<Name, number[]>;
}

const ratio = (times: readonly number[], others: readonly number[]): number =>
  rounded(median(times.map((time, round) => time / others[round]!)));

/**
 * CPU time of one thread. `gbm` is the estimator of the product, with everything that makes it exact (case F
 * of test/reference/sample). numpy and the objects draw plain paths, `daily` checked once a day, `bridge`
 * with the touch between the days. Ratios are medians over the rounds. `service` is the whole of monte-carlo
 * under fhs with 5,000 iterations, eight parallel calls.
 */
export async function run(): Promise<object> {
  const drift = covariance.map((row, i) => -row[i]! / 2);
  const task = { weights: WEIGHTS, debt: DEBT, drift, days: DAYS };
  const factor = cholesky(covariance);
  const days = history();
  const options = { horizonDays: DAYS, seed: 1 };
  const gbm = (paths: number): unknown => simulateGbm(position, market, { ...options, paths });
  const fhs = (paths: number): unknown => simulateHistorical(position, days, { ...options, paths });
  const objects = (paths: number): unknown => simulateWithObjects({ ...task, factor }, paths);
  const { numpy, version } = await NumpyProcess.start({ ...task, covariance });
  const numpyRun =
    (estimator: NumpyEstimator, paths: number): Measure =>
    (runs) =>
      numpy.measure(estimator, paths, runs);
  for (let i = 0; i < WARM_UPS; i += 1) for (const each of [gbm, fhs]) each(PATHS[1]);
  // The largest run comes first, so that the allocator keeps its memory for the smaller ones.
  for (const paths of PATHS.toReversed()) {
    for (const each of ['daily', 'bridge'] as const) await numpy.measure(each, paths, RUNS);
  }
  for (let i = 0; i < SLOW_ROUNDS; i += 1) objects(PATHS[0]);
  const byPaths = [];
  for (const paths of PATHS) {
    const [rounds, runs] = paths > 10_000 ? [SLOW_ROUNDS, 1] : [ROUNDS, RUNS];
    const times = await inTurns(
      {
        gbm: ours(() => gbm(paths)),
        numpyBridge: numpyRun('bridge', paths),
        fhs: ours(() => fhs(paths)),
        numpyDaily: numpyRun('daily', paths),
      },
      rounds,
      runs,
    );
    const slow = await inTurns({ objects: ours(() => objects(paths)) }, SLOW_ROUNDS, 1);
    byPaths.push({
      paths,
      rounds,
      runs,
      cpuMs: Object.fromEntries(
        Object.entries({ ...times, ...slow }).map(([name, values]) => [name, rounded(median(values))]),
      ),
      gbmOverNumpyBridge: ratio(times.gbm, times.numpyBridge),
      gbmOverNumpyDaily: ratio(times.gbm, times.numpyDaily),
      fhsOverNumpyBridge: ratio(times.fhs, times.numpyBridge),
      objectsOverGbm: rounded(median(slow.objects) / median(times.gbm)),
    });
  }
  await numpy.stop();
  return {
    bench: 'risk',
    days: DAYS,
    assets: ASSETS.length,
    node: process.version,
    numpyVersion: version,
    byPaths,
    service: await measureService(),
    aim: { gbmOverNumpyBridge: 1, stretch: 0.4, eventLoopDelayDifferenceMs: 20 },
  };
}
