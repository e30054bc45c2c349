import { queryOptions } from '@tanstack/react-query';
import { type Schema, plimsoll } from '../api/client';
import type { HorizonDays } from './requests';

export type MonteCarlo = Schema<'MonteCarloAnswer'>;
export type Forecast = Schema<'ForecastAnswer'>;
export type StressResult = Schema<'StressTestAnswer'>['results'][number];
export type Scenario = Schema<'StressScenario'>;
type Tier = Schema<'SessionInfo'>['account']['tier'];

/** The days of a horizon at which a simulation is read. */
const READ_AT: Record<HorizonDays, readonly [number, ...number[]]> = {
  7: [1, 2, 3, 4, 5, 7],
  30: [2, 5, 10, 15, 20, 30],
  90: [5, 15, 30, 45, 60, 90],
};
export const DEFAULT_HORIZON: HorizonDays = 30;

/** Paths of a simulation: all that the plan permits, and enough for an error below a point. */
const PATHS: Record<Tier, number> = { open: 0, pro: 1_000, business: 5_000, enterprise: 10_000 };
/** An account runs at most four simulations at the same time. */
const AT_ONCE = 3;

/** The health factor at several days of one horizon. The requests have the same seed, so they have the same paths. */
export const fanQuery = (positionId: string, horizon: HorizonDays, tier: Tier) =>
  queryOptions({
    queryKey: ['monte-carlo', positionId, horizon, tier],
    queryFn: async ({ signal }): Promise<MonteCarlo[]> => {
      const days = READ_AT[horizon];
      const run = (horizonDays: number, seed?: number): Promise<MonteCarlo> =>
        plimsoll.simulate.monteCarlo(
          { positionId, iterations: PATHS[tier], horizonDays, ...(seed !== undefined && { seed }) },
          { signal },
        );
      const answers = [await run(days[0])];
      const { seed } = answers[0]!;
      for (let next = 1; next < days.length; next += AT_ONCE)
        answers.push(...(await Promise.all(days.slice(next, next + AT_ONCE).map((day) => run(day, seed)))));
      return answers;
    },
    staleTime: 'static',
  });

export const forecastQuery = (id: string) =>
  queryOptions({
    queryKey: ['forecast', id],
    queryFn: ({ signal }) => plimsoll.positions.forecast({ id }, { signal }),
    staleTime: 'static',
  });

const scenariosQuery = queryOptions({
  queryKey: ['scenarios'],
  queryFn: async ({ signal }) => (await plimsoll.simulate.scenarios({}, { signal })).scenarios,
  staleTime: 'static',
});

export interface Stressed {
  answer: Schema<'StressTestAnswer'>;
  scenarios: ReadonlyMap<string, Scenario>;
}

/** The position under every scenario. */
export const stressQuery = (positionId: string) =>
  queryOptions({
    queryKey: ['stress-test', positionId],
    queryFn: async ({ client, signal }): Promise<Stressed> => {
      const scenarios = await client.ensureQueryData(scenariosQuery);
      const answer = await plimsoll.simulate.stressTest(
        { positionId, scenarios: scenarios.map(({ id }) => id) },
        { signal },
      );
      return { answer, scenarios: new Map(scenarios.map((scenario) => [scenario.id, scenario])) };
    },
    staleTime: 'static',
  });

/** The worst first. Where no health factor exists, nothing is liquidated. */
export const byDanger = (results: readonly StressResult[]): StressResult[] =>
  [...results].sort(
    (a, b) =>
      (a.healthFactor ?? Infinity) - (b.healthFactor ?? Infinity) || b.estimatedLoss - a.estimatedLoss,
  );
