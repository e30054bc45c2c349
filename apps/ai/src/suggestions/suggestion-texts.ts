import type { SuggestionType } from '@plimsoll/contracts';
import type { Claim } from '../facts/draft-answer';
import { type Phrase, say } from '../answers/say';
import type { Fact } from '../facts/fact';
import type { PositionFacts } from '../facts/position-facts';

/** The figures of a suggestion as facts. */
export interface ProvedFacts {
  /** The name of the e-mode to enter. */
  eMode: Fact | null;
  usd: Fact | null;
  before: Fact;
  after: Fact;
  aim: Fact;
  chanceBefore: Fact | null;
  chanceAfter: Fact | null;
  days: Fact | null;
  /** Fall of all collateral that triggers an alert. */
  fall: Fact | null;
}

export const TITLES: Readonly<Record<SuggestionType, string>> = {
  repay_debt: 'Repay a part of the debt',
  add_collateral: 'Add collateral',
  reduce_volatility: 'Swap volatile collateral into stable collateral',
  diversify_debt: 'Spread the debt over two assets',
  move_to_emode: 'Enter an e-mode',
  close_position: 'Repay everything and close the debt',
  set_alert: 'Have yourself alerted before the next risk level',
};

function chances({ chanceBefore, chanceAfter, days }: ProvedFacts): Phrase {
  if (!chanceBefore || !chanceAfter || !days) return { text: '', factIds: [] };
  return say`, the probability of liquidation within ${days} from ${chanceBefore} to ${chanceAfter}`;
}

/** The action and its effect. */
export function suggestionText(type: SuggestionType, position: PositionFacts, facts: ProvedFacts): Claim {
  const { usd, before, after, aim, fall, eMode } = facts;
  const moved: Phrase | Fact = usd ?? { text: '', factIds: [] };
  const more = chances(facts);
  switch (type) {
    case 'repay_debt':
      return say`Repay ${moved}: the health factor of position ${position.id} goes from ${before} to ${after}${more}.`;
    case 'add_collateral':
      return say`Add ${moved} of collateral: the health factor of position ${position.id} goes from ${before} to ${after}${more}.`;
    case 'reduce_volatility':
      return say`Swap ${moved} of the volatile collateral of position ${position.id} into its stable collateral: it survives a fall of ${aim}; the health factor goes from ${before} to ${after}${more}.`;
    case 'diversify_debt':
      return say`Refinance ${moved} of the largest debt of position ${position.id} in the asset owed beside it: the health factor stays at ${after}${more}.`;
    case 'move_to_emode':
      return say`Enter the e-mode ${eMode ?? { text: '', factIds: [] }}: its collateral counts for more there, and the health factor of position ${position.id} goes from ${before} to ${after}${more}.`;
    case 'close_position':
      return say`Repay ${moved}, all that position ${position.id} owes: nothing can be liquidated then${more}.`;
    case 'set_alert':
      return fall
        ? say`Make a rule that fires when the health factor of position ${position.id}, now ${before}, is below ${aim}: it comes after a fall of all collateral by ${fall}.`
        : say`Make a rule that fires when the health factor of position ${position.id}, now ${before}, is below ${aim}.`;
  }
}
