import { percentile } from '../flow/percentile';
import { CONTENDERS, type ContenderName } from './contenders';

/** The result of one contender in one round. */
export interface Observation {
  requestsPerSecond: number;
  /** CPU of the process and its children for a request, saturated. */
  cpuUs: number;
  cpuUsAtFixedRate: number;
  /** At the fixed rate. */
  p50Ms: number;
  p99Ms: number;
}
export interface Round {
  directP50Ms: number;
  contenders: Partial<Record<ContenderName, Observation>>;
}

const AIMS = { cpuToNginxLua: 2.0, cpuToFastify: 0.8, p50AddedMs: 1 };

const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** Medians over the rounds, the target ratios, and whether all of them are met. */
export function summarise(rounds: readonly Round[]): Record<string, unknown> {
  const median = (name: ContenderName, of: (observation: Observation, round: Round) => number): number =>
    percentile(
      rounds.flatMap((round) => {
        const observation = round.contenders[name];
        return observation ? [of(observation, round)] : [];
      }),
      0.5,
    );
  const present = CONTENDERS.filter((name) => rounds[0]?.contenders[name]);
  const contenders = Object.fromEntries(
    present.map((name) => [
      name,
      {
        cpuUs: rounded(
          median(name, ({ cpuUs }) => cpuUs),
          1,
        ),
        cpuUsAtFixedRate: rounded(
          median(name, ({ cpuUsAtFixedRate }) => cpuUsAtFixedRate),
          1,
        ),
        requestsPerSecond: Math.round(median(name, ({ requestsPerSecond }) => requestsPerSecond)),
        p50AddedMs: rounded(
          median(name, ({ p50Ms }, { directP50Ms }) => p50Ms - directP50Ms),
          3,
        ),
        p99Ms: rounded(
          median(name, ({ p99Ms }) => p99Ms),
          3,
        ),
      },
    ]),
  );
  // Both had the same machine in each round, so the ratio is computed there, and then its median.
  const ratio = (to: ContenderName): number | null =>
    present.includes('ours') && present.includes(to)
      ? rounded(median('ours', ({ cpuUs }, round) => cpuUs / round.contenders[to]!.cpuUs))
      : null;
  const results = {
    cpuToNginxLua: ratio('nginxLua'),
    cpuToFastify: ratio('fastify'),
    p50AddedMs: contenders['ours']?.p50AddedMs ?? null,
  };
  // An aim that was not measured, because a contender is missing, is not met.
  const passed = (Object.keys(AIMS) as (keyof typeof AIMS)[]).every(
    (key) => results[key] !== null && results[key] <= AIMS[key],
  );
  return {
    bench: 'gateway',
    node: process.version,
    rounds: rounds.length,
    contenders,
    results,
    aims: AIMS,
    passed,
    observations: rounds,
  };
}
