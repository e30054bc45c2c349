import { accountV1, type AccountV1 } from './account.v1';
import { alertV1, type AlertV1 } from './alert.v1';
import type { EventDefinition } from './define-event';
import { deliveryV1, type DeliveryV1 } from './delivery.v1';
import { keyV1, type KeyV1 } from './key.v1';
import { positionV1, type PositionV1 } from './position.v1';
import { ruleV1, type RuleV1 } from './rule.v1';
import { walletV1, type WalletV1 } from './wallet.v1';

/** Value of each topic. */
export interface EventValues {
  'account.v1': AccountV1;
  'key.v1': KeyV1;
  'wallet.v1': WalletV1;
  'position.v1': PositionV1;
  'alert.v1': AlertV1;
  'delivery.v1': DeliveryV1;
  'rule.v1': RuleV1;
}
export type EventTopic = keyof EventValues;
export type EventValue<T extends EventTopic> = EventValues[T];

/** Every topic of the log that exists today. */
export const EVENTS: { readonly [T in EventTopic]: EventDefinition<EventValues[T]> } = {
  'account.v1': accountV1,
  'key.v1': keyV1,
  'wallet.v1': walletV1,
  'position.v1': positionV1,
  'alert.v1': alertV1,
  'delivery.v1': deliveryV1,
  'rule.v1': ruleV1,
};

export type { EventDefinition } from './define-event';
export type { AccountV1 } from './account.v1';
export type { AlertPositionV1, AlertV1 } from './alert.v1';
export type { DeliveryV1 } from './delivery.v1';
export { KEY_ENDINGS, type KeyV1 } from './key.v1';
export type { PositionLegV1, PositionV1 } from './position.v1';
export type { RuleV1 } from './rule.v1';
export { parseWalletKey, walletKey, type WalletV1 } from './wallet.v1';
