import { accountV1, type AccountV1 } from './account.v1';
import { alertChangeV1, type AlertChangeV1 } from './alert-change.v1';
import { alertGroupV1, type AlertGroupV1 } from './alert-group.v1';
import { alertV1, type AlertV1 } from './alert.v1';
import { automationV1, type AutomationV1 } from './automation.v1';
import { chainV1, type ChainV1 } from './chain.v1';
import { covarianceV1, type CovarianceV1 } from './covariance.v1';
import type { EventDefinition } from './define-event';
import { deliveryV1, type DeliveryV1 } from './delivery.v1';
import { executionV1, type ExecutionV1 } from './execution.v1';
import { keyV1, type KeyV1 } from './key.v1';
import { oraclePriceV1, type OraclePriceV1 } from './oracle-price.v1';
import { parameterChangeV1, type ParameterChangeV1 } from './parameter-change.v1';
import { positionV1, type PositionV1 } from './position.v1';
import { priceHistoryV1, type PriceHistoryV1 } from './price-history.v1';
import { priceV1, type PriceV1 } from './price.v1';
import { receiptRootV1, type ReceiptRootV1 } from './receipt-root.v1';
import { ruleV1, type RuleV1 } from './rule.v1';
import { sessionV1, type SessionV1 } from './session.v1';
import { walletV1, type WalletV1 } from './wallet.v1';
import { webhookV1, type WebhookV1 } from './webhook.v1';
import { whaleV1, type WhaleV1 } from './whale.v1';

/** Value of each topic. */
export interface EventValues {
  'account.v1': AccountV1;
  'key.v1': KeyV1;
  'session.v1': SessionV1;
  'wallet.v1': WalletV1;
  'position.v1': PositionV1;
  'alert.v1': AlertV1;
  'alert-change.v1': AlertChangeV1;
  'alert-group.v1': AlertGroupV1;
  'delivery.v1': DeliveryV1;
  'rule.v1': RuleV1;
  'webhook.v1': WebhookV1;
  'price.v1': PriceV1;
  'price-history.v1': PriceHistoryV1;
  'oracle-price.v1': OraclePriceV1;
  'parameter-change.v1': ParameterChangeV1;
  'covariance.v1': CovarianceV1;
  'chain.v1': ChainV1;
  'whale.v1': WhaleV1;
  'execution.v1': ExecutionV1;
  'automation.v1': AutomationV1;
  'receipt-root.v1': ReceiptRootV1;
}
export type EventTopic = keyof EventValues;
export type EventValue<T extends EventTopic> = EventValues[T];

/** Every Kafka topic of the platform. */
export const EVENTS: { readonly [T in EventTopic]: EventDefinition<EventValues[T]> } = {
  'account.v1': accountV1,
  'key.v1': keyV1,
  'session.v1': sessionV1,
  'wallet.v1': walletV1,
  'position.v1': positionV1,
  'alert.v1': alertV1,
  'alert-change.v1': alertChangeV1,
  'alert-group.v1': alertGroupV1,
  'delivery.v1': deliveryV1,
  'rule.v1': ruleV1,
  'webhook.v1': webhookV1,
  'price.v1': priceV1,
  'price-history.v1': priceHistoryV1,
  'oracle-price.v1': oraclePriceV1,
  'parameter-change.v1': parameterChangeV1,
  'covariance.v1': covarianceV1,
  'chain.v1': chainV1,
  'whale.v1': whaleV1,
  'execution.v1': executionV1,
  'automation.v1': automationV1,
  'receipt-root.v1': receiptRootV1,
};

export type { EventDefinition } from './define-event';
export type { AccountV1 } from './account.v1';
export type { AlertChangeV1 } from './alert-change.v1';
export type { AlertGroupV1 } from './alert-group.v1';
export type { AlertPositionV1, AlertV1 } from './alert.v1';
export type { AutomationV1 } from './automation.v1';
export type { ChainMarketV1, ChainV1 } from './chain.v1';
export type { CovarianceV1 } from './covariance.v1';
export { firstEventType } from './delivery.v1';
export type { DeliveryV1 } from './delivery.v1';
export type { ExecutionV1 } from './execution.v1';
export { KEY_ENDINGS, type KeyV1 } from './key.v1';
export { MOST_ORACLE_PRICES, type OraclePriceV1 } from './oracle-price.v1';
export {
  MOST_PARAMETER_CHANGES,
  MOST_PARAMETER_EFFECTS,
  PARAMETER_CHANGE_ENDS,
  type ParameterChangeEnd,
  type ParameterChangeV1,
} from './parameter-change.v1';
export { ownReceiptHash, type PositionLegV1, type PositionV1 } from './position.v1';
export type { PriceHistoryV1 } from './price-history.v1';
export type { PriceQuoteV1, PriceV1 } from './price.v1';
export type { ReceiptRootV1 } from './receipt-root.v1';
export type { RuleV1 } from './rule.v1';
export { type SessionEnding, SESSION_ENDINGS, type SessionV1 } from './session.v1';
export { parseWalletKey, walletKey, type WalletV1 } from './wallet.v1';
export type { WebhookV1 } from './webhook.v1';
export type { WhaleV1 } from './whale.v1';
