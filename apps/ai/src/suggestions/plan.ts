import type { PositionEMode, SuggestionType } from '@plimsoll/contracts';
import type { AmountChange } from '@plimsoll/risk-position';

/** What a suggestion aims at, and what reaching it means. */
export interface Aim {
  /** `debt_share`: of the largest debt; `distance`: fall of volatile collateral that liquidates, percent; `debt`: USD owed. */
  kind: 'health_factor' | 'distance' | 'debt_share' | 'debt';
  value: number;
}

/** A way to make a position safer, before anybody has proved it. */
export interface Plan {
  type: SuggestionType;
  aim: Aim;
  /** What to change; empty for an alert and an e-mode. */
  changes: AmountChange[];
  /** What is moved, USD; null for an alert and an e-mode. */
  usd: number | null;
  /** The e-mode to enter. */
  eMode?: PositionEMode;
}
