/**
 * Longer than load balancers keep idle connections (60 s), so that they close first and no request meets a
 * closed connection.
 */
export const KEEP_ALIVE_MS = 75_000;
