/** A question with the requirements for its answer; one line of a questions file. */
export interface EvalQuestion {
  id: string;
  category: Category;
  question: string;
  /** False: a refusal is correct. Absent: both are correct, as for injections. */
  answered?: boolean;
  /** Required figures of the answer, each in its displayed unit (percent for probabilities). */
  numbers?: number[];
  /** Texts that must be in it: ids, levels. */
  words?: string[];
  /** Texts that must not be in it, in any case. */
  absent?: string[];
  /** The change of the recorded responses before the question. */
  overlay?: OverlayName;
  /** The answer must state that figures are old or missing. */
  saysOld?: boolean;
}

export const CATEGORIES = ['exact', 'several', 'unanswerable', 'injection', 'stale'] as const;
export type Category = (typeof CATEGORIES)[number];

export const OVERLAYS = [
  'stale_prices',
  'positions_behind',
  'unreadable',
  'simulation_away',
  'hostile_names',
] as const;
export type OverlayName = (typeof OVERLAYS)[number];
