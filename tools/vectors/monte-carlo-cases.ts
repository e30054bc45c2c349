import {
  DAYS_PER_YEAR,
  simulateDailySteps,
  simulateGbm,
  type PriceMarket,
  type RiskPosition,
} from '@plimsoll/risk-math';
import { numberOf, type Figures, type VectorCase } from './case';

const SEEDS = 40;
const PATH_COUNTS = [1_000, 5_000] as const;

interface Leg {
  weightedUsd: number;
  side: string;
  sigma: number;
  mu: number;
}

/** Every leg of a case is a separate asset with its weighted value. */
function marketOf(legs: readonly Leg[], corr: number[][]): { position: RiskPosition; market: PriceMarket } {
  const assets = legs.map((_, i) => `leg ${i}`);
  const isDebt = ({ side }: Leg): boolean => side.startsWith('debt');
  const legAt = (i: number) => ({ asset: assets[i]!, amount: legs[i]!.weightedUsd, priceUsd: 1 });
  const indices = legs.map((_, i) => i);
  return {
    position: {
      collateral: indices
        .filter((i) => !isDebt(legs[i]!))
        .map((i) => ({ ...legAt(i), liquidationThreshold: 1, liquidationBonus: 0 })),
      debt: indices.filter((i) => isDebt(legs[i]!)).map(legAt),
    },
    market: {
      assets,
      dailyCovariance: indices.map((i) =>
        indices.map((j) => (legs[i]!.sigma * legs[j]!.sigma * corr[i]![j]!) / DAYS_PER_YEAR),
      ),
      dailyDrift: legs.map(({ mu }) => mu / DAYS_PER_YEAR),
    },
  };
}

/** Mean and root-mean-square error against `continuous` over the seeds 1 to 40, at 1,000 and at 5,000 paths. */
export function monteCarloFigures(vector: VectorCase): Figures {
  const { position, market } = marketOf(vector['legs'] as Leg[], vector['corr'] as number[][]);
  const continuous = numberOf(vector['continuous'], 'continuous');
  const horizonDays = numberOf(vector['days'], 'days');
  const byPaths = PATH_COUNTS.map((paths): [string, { mean: number; rmse: number } & Figures] => {
    const runs = Array.from({ length: SEEDS }, (_, i) =>
      simulateGbm(position, market, { horizonDays, paths, seed: i + 1 }),
    );
    const meanOf = (of: (run: (typeof runs)[number]) => number): number =>
      runs.reduce((sum, run) => sum + of(run) / SEEDS, 0);
    return [
      String(paths),
      {
        mean: meanOf((run) => run.liquidationProbability),
        rmse: Math.sqrt(meanOf((run) => (run.liquidationProbability - continuous) ** 2)),
        standardError: meanOf((run) => run.standardError),
        method: runs[0]!.method,
        percentiles: runs[0]!.percentiles,
      },
    ];
  });
  const daily = simulateDailySteps(position, market, { horizonDays, paths: 16_384, seed: 1 });
  return {
    continuous: byPaths.at(-1)![1].mean,
    ...('dailyMonitoring' in vector ? { dailyMonitoring: daily.probability } : {}),
    ...('percentiles' in vector ? { percentiles: byPaths[0]![1]['percentiles'] } : {}),
    ...Object.fromEntries(byPaths),
  };
}
