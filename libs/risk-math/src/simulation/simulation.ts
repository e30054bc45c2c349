import type { Percentiles } from '../statistics/quantile';

/** The options of every simulation, beside the position and its market. */
export interface SimulationOptions {
  /** Whole days, 1–3,650. */
  horizonDays: number;
  /** Whole number, 1–10,000,000. */
  paths: number;
  /** 32-bit integer. The same inputs and seed give the same figures. @see seedOf */
  seed: number;
  /** Called every 128 paths. SimulationCancelled is thrown when it returns true. */
  isCancelled?: () => boolean;
}

/** `isCancelled` ended the simulation, so there is no result. */
export class SimulationCancelled extends Error {
  constructor() {
    super('The simulation was cancelled. Run it again for a result.');
    this.name = 'SimulationCancelled';
  }
}

/** @throws SimulationCancelled when no caller needs the result */
export function stopIfCancelled({ isCancelled }: Pick<SimulationOptions, 'isCancelled'>): void {
  if (isCancelled?.()) throw new SimulationCancelled();
}

/** The result of every simulation. */
export interface SimulationResult {
  /** Probability of HF < 1 at any time within the horizon, 0–1: 0 without debt, 1 when HF < 1 already. */
  liquidationProbability: number;
  /** Standard error of the probability, from independent replicates (`replicateError`). 0 if it is exact. */
  standardError: number;
  /** Upper bound of the probability at 95 %, if no path was liquidated. Null otherwise and if it is exact. */
  upperBound95: number | null;
  /** Percentiles of HF at the horizon, as if no liquidation happened. Null without debt. */
  percentiles: Percentiles | null;
  method: 'closed_form' | 'quasi_monte_carlo' | 'monte_carlo';
}

/** The result for a position without debt. */
export const WITHOUT_DEBT: SimulationResult = {
  liquidationProbability: 0,
  standardError: 0,
  upperBound95: null,
  percentiles: null,
  method: 'closed_form',
};

const MAX_DAYS = 3_650;
const MAX_PATHS = 10_000_000;

function assertWhole(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new RangeError(`${name} ${value} is out of range. Take a whole number from 1 to ${max}.`);
  }
}

/** @throws RangeError for a horizon or a number of paths out of range */
export function assertOptions({ horizonDays, paths }: SimulationOptions): void {
  assertWhole('horizonDays', horizonDays, MAX_DAYS);
  assertWhole('paths', paths, MAX_PATHS);
}
