import { percentile } from '../flow/percentile';
import type { ContenderName, Load, Measurement } from './types';

const FIGURES = [
  'deliveredPerSecond',
  'shareWithin250Ms',
  'p50Ms',
  'p99Ms',
  'cpuUsPerDelivery',
  'userInstructionsPerDelivery',
  'memoryKbPerConnection',
  'bytesPerMessage',
] as const;
type Figures = Record<(typeof FIGURES)[number], number | null>;

/** Medians over the rounds, and the bars. */
export function summarise(load: Load, measurements: readonly Measurement[]): object {
  const medians = mediansOf(measurements);
  const reach = (a: ContenderName, b: ContenderName, atMost: number): object => {
    const ratios = cpuRatios(measurements, a, b);
    return { value: median(ratios), atMost, byRound: ratios };
  };
  return {
    load,
    medians,
    reach: {
      ratios: 'of the CPU of two contenders in each round, which follow each other there; then the median',
      cpuToPrebuiltFrame: reach('ours', 'bareWsPrebuiltFrame', 1.3),
      cpuToBareWs: reach('ours', 'bareWsSharedBuffer', 1),
      socketIoToBareSocketIo: reach('oursSocketIo', 'bareSocketIo', 1.2),
      memoryKbPerConnection: { value: medians.ours?.memoryKbPerConnection ?? null, atMost: 12 },
      shareWithin250Ms: { value: medians.ours?.shareWithin250Ms ?? null, atLeast: 0.98 },
    },
  };
}

/** The medians of each contender, over its rounds. */
export function mediansOf(measurements: readonly Measurement[]): Partial<Record<ContenderName, Figures>> {
  return Object.fromEntries(
    [...new Set(measurements.map(({ contender }) => contender))].map((name) => {
      const own = measurements.filter(({ contender }) => contender === name);
      return [
        name,
        Object.fromEntries(FIGURES.map((figure) => [figure, median(own.map((each) => each[figure]))])),
      ];
    }),
  );
}

/** Both had the same machine in each round, so its other work affects both, and not their ratio. */
function cpuRatios(measurements: readonly Measurement[], a: ContenderName, b: ContenderName): number[] {
  return measurements.flatMap(({ contender, round, cpuUsPerDelivery }) => {
    const other = measurements.find((each) => each.contender === b && each.round === round);
    return contender === a && other ? [Number((cpuUsPerDelivery / other.cpuUsPerDelivery).toFixed(3))] : [];
  });
}

/** Null: there is none. */
function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? percentile(known, 0.5) : null;
}
