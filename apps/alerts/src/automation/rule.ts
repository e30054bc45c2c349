import type { Condition } from './condition';

/** Actions that can be done today: deleverage waits for the execution service. */
export type AvailableActionType = 'alert' | 'webhook';

/** An automation rule of an account on one position; times in milliseconds since 1970. */
export interface Rule extends Condition {
  id: string;
  accountId: string;
  positionId: string;
  name: string;
  actionType: AvailableActionType;
  /** The one endpoint that is told; null unless actionType is webhook. */
  webhookId: string | null;
  isActive: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}
