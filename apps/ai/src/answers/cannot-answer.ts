import type { DraftAnswer } from '../facts/draft-answer';

/** The reasons why a question gets no answer. The texts are fixed and repeat nothing of the question. */
export const REASONS = {
  empty: 'The question contains no words.',
  not_covered:
    'This is not something that the facts here can answer. Ask about the health factor, liquidation price, distance, time or probability, collateral, debt, risk score, alerts or incidents of positions, about what happens if a price changes, what to repay or add, or about prices, protocols, large wallets and the risk index.',
  prediction:
    'This service does not predict prices or the index. Ask what happens to a position if a price changes, or how likely its liquidation is.',
  advice: 'This service gives no advice to buy, sell or invest. Ask about the risk of a position.',
  past: 'Answers here are about now. Past figures are in the history of positions, prices and the index.',
  private: 'Answers contain only data of this account: no keys, no secrets, nothing of other accounts.',
  unknown_position: 'There is no such position. Check its id.',
  unknown_incident: 'There is no such incident. Check its id.',
  unknown_asset: 'There is no price of that asset here.',
  unknown_protocol: 'There is no such protocol here.',
  no_asset: 'The question names no asset whose price is known here. Name one by its symbol.',
  no_protocol: 'The question names no protocol that is known here.',
  no_positions: 'There are no positions: the account watches no wallet that has one.',
  no_match: 'No position matches the question.',
  no_change: 'The question names no change of a price. State which asset changes by how many percent.',
  no_target: 'The question names no health factor to reach. Name one above the edge of liquidation.',
  not_held: 'The position has none of the assets that the question changes.',
  no_debt: 'The position owes nothing, so it cannot be liquidated.',
  horizon: 'The horizon is out of range: take days, up to a year.',
  change_range: 'A price can fall to zero at most, and rise at most a hundredfold.',
  unavailable: 'The necessary data could not be read now. Ask again in a moment.',
  no_history: 'The history that this figure needs is unavailable.',
} as const;
export type Reason = keyof typeof REASONS;

export function cannotAnswer(reason: Reason): DraftAnswer {
  return { claims: [], cannotAnswer: REASONS[reason] };
}

/** The text when no template fits the question. It is true only if all data was searched. */
const NOTHING_FITS: ReadonlySet<string> = new Set(
  (['no_positions', 'no_match', 'no_debt', 'not_held'] as const).map((reason) => REASONS[reason]),
);

/** If only a part could be read, a missing match proves nothing about the rest. */
export function ofAPart(draft: DraftAnswer): DraftAnswer {
  return NOTHING_FITS.has(draft.cannotAnswer ?? '') ? cannotAnswer('unavailable') : draft;
}

export function draftOf(...claims: DraftAnswer['claims']): DraftAnswer {
  return { claims, cannotAnswer: null };
}
