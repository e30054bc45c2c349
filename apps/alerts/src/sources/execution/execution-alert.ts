import type { ExecutionV1 } from '@plimsoll/contracts';
import { formatHealthFactor, venueName } from '../../content/format-figures';
import type { AlertText } from '../../lifecycle/alert';

/** Such an alert stays active this long, unless it ends earlier. */
export const EXECUTION_ALERT_MS = 86_400_000;

export function failedText(event: ExecutionV1): AlertText {
  const { executionId, protocol, chainId, targetHealthFactor, status, failure } = event;
  const what = status === 'cancelled' ? 'was cancelled' : 'failed';
  const why = failure?.message ?? 'It did not happen.';
  return {
    title: `Execution ${what}: target ${formatHealthFactor(targetHealthFactor)} in ${venueName({ protocol, chainId })}`,
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
