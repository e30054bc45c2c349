import type { Topic } from '../questions/question';
import { ALERT_TOPICS } from './alert-topics';
import type { TopicWriter } from './ask';
import { MARKET_TOPICS } from './market-topics';
import { POSITION_TOPICS } from './position-topics';
import { RISK_TOPICS } from './risk-topics';

/** The writer of each topic. */
export const TOPIC_WRITERS: Readonly<Record<Topic, TopicWriter>> = {
  ...POSITION_TOPICS,
  ...RISK_TOPICS,
  ...MARKET_TOPICS,
  ...ALERT_TOPICS,
};
