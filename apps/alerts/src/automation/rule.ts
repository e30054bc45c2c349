import type { ActionType } from '@plimsoll/contracts';
import type { Condition } from './condition';
import type { Deleverage } from './deleverage';

/** An automation rule of an account on one position; times in milliseconds since 1970. */
export interface Rule extends Condition {
  id: string;
  accountId: string;
  positionId: string;
  name: string;
  actionType: ActionType;
  /** The one endpoint that is told; null unless actionType is webhook. */
  webhookId: string | null;
  /** That endpoint was deleted since: the rule fires, and tells nobody. */
  isEndpointDeleted: boolean;
  /** Null unless actionType is deleverage. */
  deleverage: Deleverage | null;
  /** Its account's tier has executions. */
  mayExecute: boolean;
  isActive: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}
