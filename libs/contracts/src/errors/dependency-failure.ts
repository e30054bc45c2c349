/**
 * A handler of events throws it when a dependency is unavailable. The topic is paused, and the same events
 * arrive again until they succeed. Any other error counts as a fault of the events, except the broken
 * connections that `isDependencyFailure` recognises.
 */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}

/** Words of Node and undici for an unreachable peer, and of Prisma for an unreachable database. */
const UNREACHABLE = new RegExp(
  '^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH' +
    '|UND_ERR_(CONNECT_TIMEOUT|SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT)|P1001|P1002|P1008|P1017|P2024|P2034)$',
);

/**
 * Postgres: connection lost (08), out of resources (53), shutting down (57P), serialization and deadlock
 * (40), cancelled by a timeout (57014), lock not available (55P03), read-only after a failover (25006), I/O
 * (58), and a missing schema or privilege (42P01, 42703, 42883, 3F000, 42501: a release ahead of its
 * migration).
 */
const SQL_STATE = /^(08...|53...|57P..|40...|57014|55P03|25006|58...|42P01|42703|42883|3F000|42501)$/;

/** Driver errors without a code. */
const MESSAGE =
  /^(Can't reach database|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end|Connection is closed)/;

/**
 * Returns true when the error means that a dependency is unavailable. The request or event is then not the
 * cause, and the same work can succeed later. It checks causes and aggregates.
 */
export function isDependencyFailure(error: unknown): boolean {
  return isUnavailable(error, 5);
}

function isUnavailable(error: unknown, depth: number): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  if (error instanceof TransientError || error.name.startsWith('KafkaJS') || MESSAGE.test(error.message))
    return true;
  if (error.name === 'MaxRetriesPerRequestError') return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (UNREACHABLE.test(code) || SQL_STATE.test(code))) return true;
  if (error instanceof AggregateError && error.errors.some((each) => isUnavailable(each, depth - 1)))
    return true;
  return isUnavailable(error.cause, depth - 1);
}
