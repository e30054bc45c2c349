import type { PositionEMode, SuggestionType } from '@plimsoll/contracts';
import type { AmountChange } from '@plimsoll/risk-position';

/** The target of a suggestion, and the condition under which it is reached. */
export interface Aim {
  /**
   * `debt_share`: of the largest debt; `distance`: fall of volatile collateral that liquidates, percent;
   * `debt`: USD owed.
   */
  kind: 'health_factor' | 'distance' | 'debt_share' | 'debt';
  value: number;
}

/** A way to make a position safer, before a simulation confirms it. */
export interface Plan {
  type: SuggestionType;
  aim: Aim;
  /** The changes of amounts. Empty for an alert and an e-mode. */
  changes: AmountChange[];
  /** The moved amount, USD. Null for an alert and an e-mode. */
  usd: number | null;
  /** The e-mode to enter. */
  eMode?: PositionEMode;
}
