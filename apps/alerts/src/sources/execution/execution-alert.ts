import { type AlertV1, type ExecutionV1, chainName, protocolName } from '@plimsoll/contracts';
import { alertWithoutPosition } from '../../lifecycle/alert-without-position';
import { positionEvent } from '../../lifecycle/alert-event';
import { type AlertText, formatHealthFactor } from '../position/alert-text';
import type { PositionState } from '../../positions/position-state';

/** An alert about failed executions of a position. Times are in milliseconds since 1970. */
export interface ExecutionAlert {
  id: string;
  accountId: string;
  positionId: string;
  /** The rule that requested it. Null when a request did. */
  ruleId: string | null;
  title: string;
  message: string;
  createdAtMs: number;
}

/** The action to protect a position failed. */
export const EXECUTION_ALERT_SEVERITY = 'high';

/** Such an alert stays active this long, unless it ends earlier. */
export const EXECUTION_ALERT_MS = 86_400_000;

export function failedText(event: ExecutionV1): AlertText {
  const { executionId, protocol, chainId, targetHealthFactor, status, failure } = event;
  const what = status === 'cancelled' ? 'was cancelled' : 'failed';
  const why = failure?.message ?? 'It did not happen.';
  return {
    title: `Execution ${what}: target ${formatHealthFactor(targetHealthFactor)} in ${protocolName(protocol)} on ${chainName(chainId)}`,
    message: `${why} GET /v1/execution/status?id=${executionId} shows each step, so check there what the position still needs.`,
  };
}

/** Why such an alert ends. */
export type EndReason = 'executed' | 'rule_cleared' | 'closed' | 'old';

export function endedText(reason: EndReason): AlertText {
  const messages: Record<EndReason, string> = {
    executed: 'A later execution of the position reached its target.',
    rule_cleared: 'The condition of its rule no longer holds.',
    closed: 'The position is closed.',
    old: 'It failed more than a day ago.',
  };
  return { title: 'Failed execution no longer matters', message: messages[reason] };
}

/** @param position its stored state; null: no event of it was received */
export function executionAlertEvent(
  alert: ExecutionAlert,
  { title, message }: AlertText,
  position: PositionState | null,
  resolvedAtMs: number | null,
): AlertV1 {
  const { ruleId, ...of } = alert;
  const severity = EXECUTION_ALERT_SEVERITY;
  const fields = { ...of, title, message, resolvedAtMs, severity, confidenceScore: 1 } as const;
  return {
    ...alertWithoutPosition({ ...fields, type: 'execution_failed' }),
    position: position && positionEvent(position),
    ...(ruleId !== null && { ruleId }),
  };
}
