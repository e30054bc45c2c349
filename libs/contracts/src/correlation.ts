/** Header names that correlate one request over HTTP, Kafka and webhooks. */
export const REQUEST_ID_HEADER = 'x-request-id';
export const TRACEPARENT_HEADER = 'traceparent';

/** Ids that pass from a request to everything that it causes. */
export interface Correlation {
  requestId?: string | undefined;
  /** W3C trace context, version 00. */
  traceparent?: string | undefined;
}

/**
 * Returns true for a valid request id: 1–128 characters of [A-Za-z0-9._-]. The gateway keeps a valid id of
 * the client.
 */
export function isRequestId(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(text);
}

/** Returns true for a W3C traceparent of version 00 with non-zero ids. */
export function isTraceparent(text: string | undefined): text is string {
  return text !== undefined && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}
