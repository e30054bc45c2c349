/** Header of every AI response. It names what wrote the text. */
export const ANSWER_GENERATOR_HEADER = 'x-answer-generator';
/** A language model, or the templates that replace it. Both use the same facts. */
export const ANSWER_GENERATORS = ['model', 'template'] as const;
export type AnswerGenerator = (typeof ANSWER_GENERATORS)[number];

/** Period that a briefing covers. */
export const TIMEFRAMES = ['24h', '7d', '30d'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

/** The action that a suggestion proposes. */
export const SUGGESTION_TYPES = [
  'add_collateral',
  'repay_debt',
  'reduce_volatility',
  'diversify_debt',
  'move_to_emode',
  'set_alert',
  'close_position',
] as const;
export type SuggestionType = (typeof SUGGESTION_TYPES)[number];

/** How urgent a suggestion is. */
export const SUGGESTION_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type SuggestionSeverity = (typeof SUGGESTION_SEVERITIES)[number];

/** The cause of an incident, as far as the facts show it. */
export const ROOT_CAUSES = [
  'price',
  'oracle',
  'debt_growth',
  'withdrawal',
  'protocol_change',
  'unknown',
] as const;
export type RootCause = (typeof ROOT_CAUSES)[number];

export const RECOMMENDATION_PRIORITIES = ['low', 'medium', 'high'] as const;
export type RecommendationPriority = (typeof RECOMMENDATION_PRIORITIES)[number];
