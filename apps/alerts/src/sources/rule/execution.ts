import type { AutomationV1, ExecutionStatus } from '@plimsoll/contracts';
import type { Deleverage } from './rule';

/** An action of a rule that fired, with its progress. Times are in milliseconds since 1970. */
export interface NewExecution {
  id: string;
  ruleId: string;
  accountId: string;
  alertId: string;
  /** Id of the alert.v1 event. Deliveries refer to it. */
  eventId: string;
  /** The endpoint to notify. Null when the alert is the whole action. */
  webhookId: string | null;
  status: ExecutionStatus;
  result: string;
  triggeredAtMs: number;
  finishedAtMs: number | null;
}

/** An execution may be sent for this long after its rule fired, as with a request that names no deadline. */
const DEADLINE_MS = 600_000;

/** Returns the request to the execution service. */
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
