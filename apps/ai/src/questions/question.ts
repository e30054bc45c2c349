import type { Reason } from '../answers/cannot-answer';

/** The topic of a question, if a template exists for it. */
export type Topic =
  | 'what_if'
  | 'repay_to_target'
  | 'add_to_target'
  | 'liquidation_probability'
  | 'liquidation_time'
  | 'liquidation_price'
  | 'liquidation_distance'
  | 'risk_score'
  | 'index'
  | 'portfolio_risk'
  | 'alerts'
  | 'incidents'
  | 'whales'
  | 'tvl'
  | 'utilisation'
  | 'protocol_risk'
  | 'riskiest'
  | 'safest'
  | 'largest'
  | 'at_risk'
  | 'position_count'
  | 'net_worth'
  | 'ltv'
  | 'collateral'
  | 'debt'
  | 'health_factor'
  | 'price_change'
  | 'price';

/** A hypothetical change of a price in a question. */
export interface Move {
  /** Symbol as written. `*` for all collateral. */
  asset: string;
  /** Percent, or the resulting price in USD. */
  change: { percent: number } | { priceUsd: number };
}

/** A parsed question. None of its own words are passed on. */
export interface Question {
  topic: Topic | null;
  /** The reason to refuse it, whatever its topic. */
  refusal: Reason | null;
  positionIds: string[];
  incidentIds: string[];
  wallets: string[];
  /** Symbols as they were written. */
  assets: string[];
  moves: Move[];
  /** A health factor in the question: a target or a threshold. */
  level: number | null;
  /** The named number of days ahead or back. */
  days: number | null;
  /** Lower-case words, for the names of protocols. */
  words: string;
}
