import type { SuggestionType } from '@plimsoll/contracts';
import type { Claim } from '../facts/draft-answer';
import { type Phrase, listed, say } from '../answers/say';
import type { Fact } from '../facts/fact';
import type { PositionFacts } from '../facts/position-facts';
import type { ChancesFacts } from '../facts/risk.reader';

/** A probability of liquidation and its error. */
export type ChanceFacts = Pick<ChancesFacts, 'probability' | 'standardError' | 'upperBound95'>;

/** The figures of a suggestion as facts. */
export interface ProvedFacts {
  /** The name of the e-mode to enter. */
  eMode: Fact | null;
  usd: Fact | null;
  before: Fact;
  after: Fact;
  aim: Fact;
  /** Null while the price history is not there. */
  chances: { before: ChanceFacts; after: ChanceFacts; days: Fact } | null;
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

function chances({ chances: found }: ProvedFacts): Phrase {
  if (found === null) return { text: '', factIds: [] };
  const { before, after, days } = found;
  return say`, the probability of liquidation within ${days} from ${before.probability} to ${after.probability}${errors(before, after)}`;
}

/** The standard errors of two probabilities, and the bound of one of 0 paths. */
function errors(before: ChanceFacts, after: ChanceFacts): Phrase {
  const stated = [before, after].filter(({ standardError }) => standardError.value !== 0);
  const noun = stated.length === 1 ? 'standard error' : 'standard errors';
  const list = listed(stated.map(({ standardError }) => standardError));
  const bound = after.upperBound95;
  if (stated.length === 0) return bound ? say` (very likely below ${bound})` : { text: '', factIds: [] };
  return bound ? say` (${noun} ${list}; the second is very likely below ${bound})` : say` (${noun} ${list})`;
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
