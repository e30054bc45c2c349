import type { PostmortemAnswer, RootCause } from '@plimsoll/contracts';
import type { Claim } from '../facts/draft-answer';
import { say } from '../answers/say';
import type { Fact } from '../facts/fact';
import type { DeleverageFacts } from '../facts/risk.reader';

type Recommendation = PostmortemAnswer['recommendations'][number];

const BY_CAUSE: Readonly<Record<RootCause, Recommendation>> = {
  price: {
    title: 'Keep more distance to liquidation',
    description:
      'Hold more collateral or less debt than before, or swap a part of the volatile collateral into stable collateral, so that the next fall of this size is survived.',
    priority: 'medium',
  },
  oracle: {
    title: 'Watch the price feed',
    description:
      'Follow the alerts of type oracle_stale for these assets, and keep enough distance for a price that comes late and at once.',
    priority: 'high',
  },
  debt_growth: {
    title: 'Bring the debt down again',
    description:
      'Repay what was borrowed last, or the interest that has added up, and set a rule on the debt of the position.',
    priority: 'medium',
  },
  withdrawal: {
    title: 'Check the withdrawals',
    description:
      'Make sure that the withdrawals were intended, and that no other wallet may act for this one. Supply the missing collateral again.',
    priority: 'high',
  },
  protocol_change: {
    title: 'Follow the changes of the protocol',
    description:
      'The protocol counts the collateral for less than before. Read its announcements, and keep a distance that outlasts such a change.',
    priority: 'high',
  },
  unknown: {
    title: 'Keep a history of the position',
    description:
      'Watch the wallet before something happens: then there are figures from before to compare with.',
    priority: 'low',
  },
};
const RULE: Recommendation = {
  title: 'Have yourself alerted earlier',
  description:
    'Make a rule on the health factor of the position at a higher level than that at which the incident began.',
  priority: 'low',
};

/** Heading of the claim with the actions that make the position safe now. */
export const SAFE_NOW = 'Make the position safe now';

/** The actions that make a position safe now. None when it is safe. */
export function safeNowClaims(positionId: Fact, healthFactor: Fact, plan: DeleverageFacts): Claim[] {
  if (!(Number(plan.repayUsd.value) > 0)) return [];
  const claim = say`Position ${positionId} has a health factor of ${healthFactor}. Repaying ${plan.repayUsd} takes it to a health factor of ${plan.target}.`;
  return [{ ...claim, section: SAFE_NOW }];
}

/**
 * @param safeNow the verified actions that make the position safe now; empty: none is necessary, or they are
 * unknown
 */
export function recommendations(cause: RootCause, safeNow: string): Recommendation[] {
  const urgent: Recommendation[] =
    safeNow === '' ? [] : [{ title: SAFE_NOW, description: safeNow, priority: 'high' }];
  const rank = { high: 0, medium: 1, low: 2 } as const;
  return [...urgent, BY_CAUSE[cause], RULE].toSorted((a, b) => rank[a.priority] - rank[b.priority]);
}
