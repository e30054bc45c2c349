import type { EventTopic } from './index';

/** The topics that a service may use. */
export interface TopicsOfService {
  publishes: readonly EventTopic[];
  consumes: readonly EventTopic[];
}

/**
 * Topics by service. Access control lists and the check at start come from here. A test compares it with the
 * sources of the apps.
 */
export const SERVICE_TOPICS: Readonly<Record<string, TopicsOfService>> = {
  ai: { publishes: [], consumes: [] },
  alerts: {
    publishes: ['alert-change.v1', 'alert-group.v1', 'alert.v1', 'automation.v1', 'rule.v1'],
    consumes: [
      'account.v1',
      'delivery.v1',
      'execution.v1',
      'oracle-price.v1',
      'parameter-change.v1',
      'position.v1',
      'price.v1',
      'wallet.v1',
      'webhook.v1',
      'whale.v1',
    ],
  },
  execution: { publishes: ['execution.v1'], consumes: ['automation.v1'] },
  gateway: { publishes: ['account.v1', 'key.v1', 'session.v1'], consumes: [] },
  'market-data': {
    publishes: ['covariance.v1', 'price-history.v1', 'price.v1'],
    consumes: ['chain.v1', 'position.v1'],
  },
  positions: {
    publishes: [
      'chain.v1',
      'oracle-price.v1',
      'parameter-change.v1',
      'position.v1',
      'receipt-root.v1',
      'wallet.v1',
    ],
    consumes: ['account.v1', 'alert.v1', 'covariance.v1', 'rule.v1'],
  },
  sandbox: { publishes: [], consumes: [] },
  simulation: { publishes: [], consumes: ['covariance.v1', 'position.v1', 'price-history.v1'] },
  streams: {
    publishes: [],
    consumes: [
      'account.v1',
      'alert-change.v1',
      'alert-group.v1',
      'alert.v1',
      'key.v1',
      'position.v1',
      'session.v1',
      'wallet.v1',
      'whale.v1',
    ],
  },
  'webhook-delivery': {
    publishes: ['delivery.v1', 'webhook.v1'],
    consumes: ['account.v1', 'alert-change.v1', 'alert-group.v1', 'alert.v1', 'position.v1', 'wallet.v1'],
  },
  whales: { publishes: ['whale.v1'], consumes: [] },
};
