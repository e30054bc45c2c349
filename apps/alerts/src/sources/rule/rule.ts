import type { ActionType } from '@plimsoll/contracts';
import type { Condition } from './condition';
import type { Deleverage } from './deleverage';

/** An automation rule of an account on one position. Times are in milliseconds since 1970. */
export interface Rule extends Condition {
  id: string;
  accountId: string;
  positionId: string;
  name: string;
  actionType: ActionType;
  /** The only endpoint to notify. Null unless actionType is webhook. */
  webhookId: string | null;
  /** The endpoint was deleted since. The rule still fires but notifies no endpoint. */
  isEndpointDeleted: boolean;
  /** Null unless actionType is deleverage. */
  deleverage: Deleverage | null;
  /** True when the account's tier includes executions. */
  mayExecute: boolean;
  isActive: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}
