const TIMEOUT_MS = 3_000;

/** An open alert for operators, with the service that opened it. */
export interface ListedAlert {
  /** The operations address of the service. */
  at: string;
  kind: string;
  subject: string;
  detail: string;
  /** The next step. */
  remedy: string;
  openedAt: string;
}

/** The alerts of all services that responded, and those that did not, with the reason. */
export interface ListedAlerts {
  alerts: ListedAlert[];
  count: number;
  unavailable: { at: string; reason: string }[];
}

/** Reads /operator-alerts of each operations address. Alerts are oldest first. */
export async function listOperatorAlerts(addresses: readonly string[]): Promise<ListedAlerts> {
  const results = await Promise.allSettled(addresses.map(alertsAt));
  const alerts = results
    .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    .toSorted((a, b) => Number(a.openedAt > b.openedAt) - Number(a.openedAt < b.openedAt));
  const unavailable = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ at: addresses[index]!, reason: reasonOf(result.reason) }] : [],
  );
  return { alerts, count: alerts.length, unavailable };
}

async function alertsAt(at: string): Promise<ListedAlert[]> {
  const response = await fetch(new URL('/operator-alerts', at), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = (await response.json()) as { alerts?: Omit<ListedAlert, 'at'>[]; reason?: string };
  if (!response.ok || !body.alerts) throw new Error(body.reason ?? `it returned ${response.status}`);
  return body.alerts.map((alert) => ({ at, ...alert }));
}

/** fetch states the reason of a refused connection only in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}
