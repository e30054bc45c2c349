import type { ExecutionStatus } from '@plimsoll/contracts';

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
