import type { Reason } from '../answers/cannot-answer';

/** The topic of a question, as far as the templates know it. */
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

/** A change of a price that a question supposes. */
export interface Move {
  /** Symbol as it was written; `*` for all collateral. */
  asset: string;
  /** Percent, or the price in USD that it comes to. */
  change: { percent: number } | { priceUsd: number };
}

/** A question taken apart; nothing of its own words goes any further. */
export interface Question {
  topic: Topic | null;
  /** Why it is not answered, whatever its topic. */
  refusal: Reason | null;
  positionIds: string[];
  incidentIds: string[];
  wallets: string[];
  /** Symbols as they were written. */
  assets: string[];
  moves: Move[];
  /** A health factor that is named: to reach, or as a threshold. */
  level: number | null;
  /** Days ahead or back that are named. */
  days: number | null;
  /** Lower-case words, for the names of protocols. */
  words: string;
}
