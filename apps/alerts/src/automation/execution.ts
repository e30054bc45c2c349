import type { AutomationV1, ExecutionStatus } from '@plimsoll/contracts';
import type { Deleverage } from './deleverage';

/** A rule has fired: what is done, and how far it is; times in milliseconds since 1970. */
export interface NewExecution {
  id: string;
  ruleId: string;
  accountId: string;
  alertId: string;
  /** Of the alert.v1 that tells it; deliveries name it. */
  eventId: string;
  /** The endpoint that is told; null: the alert is all there is to do. */
  webhookId: string | null;
  status: ExecutionStatus;
  result: string;
  triggeredAtMs: number;
  finishedAtMs: number | null;
}

/** For so long after its rule fired an execution may be sent; as of a call that names no deadline. */
const DEADLINE_MS = 600_000;

/** What the execution service is asked for. */
export function automationEvent(
  { positionId }: { positionId: string },
  { place, ...asked }: Deleverage,
  { id: executionId, ruleId, accountId, triggeredAtMs }: NewExecution,
): AutomationV1 {
  return {
    executionId,
    accountId,
    ruleId,
    position: { id: positionId, ...place },
    ...asked,
    triggeredAt: new Date(triggeredAtMs).toISOString(),
    deadline: new Date(triggeredAtMs + DEADLINE_MS).toISOString(),
  };
}
