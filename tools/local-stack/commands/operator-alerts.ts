import type { OperatorAlert } from '@plimsoll/service-kit';
import { readRunState, type RunEntry } from '../processes/run-state';
import type { StackPaths } from '../settings/stack-paths';

const TIMEOUT_MS = 3_000;

/** An open alert for operators, with the service that opened it. */
export type StackAlert = Omit<OperatorAlert, 'openedAt'> & { service: string; openedAt: string };

/** Reads the open alerts of every service that responds. */
export async function readOperatorAlerts({ runFile }: Pick<StackPaths, 'runFile'>): Promise<StackAlert[]> {
  const entries = readRunState(runFile)?.entries ?? [];
  const services = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'service' && entry.operationsUrl ? [[entry.operationsUrl, entry]] : [],
    ),
  );
  return (await Promise.all([...services.values()].map(alertsOf))).flat();
}

/** None for a service that does not respond: its health shows that. */
async function alertsOf({ name, operationsUrl }: RunEntry): Promise<StackAlert[]> {
  try {
    const response = await fetch(`${operationsUrl}/operator-alerts`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return [];
    const { alerts } = (await response.json()) as { alerts: Omit<StackAlert, 'service'>[] };
    return alerts.map((alert) => ({ service: name, ...alert }));
  } catch {
    return [];
  }
}

/** The alerts as text: the finding of each, and below it the next step. Empty without any. */
export function alertLines(alerts: readonly StackAlert[]): string {
  return alerts
    .flatMap(({ service, kind, detail, remedy, openedAt }) => [
      '',
      `ALERT  ${service} ${kind}, since ${openedAt}: ${detail}`,
      ...(remedy === '' ? [] : [`       ${remedy}`]),
    ])
    .join('\n');
}
