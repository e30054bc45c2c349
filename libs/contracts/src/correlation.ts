/** Header names that correlate one call over HTTP, Kafka and webhooks (decisions.md, Headers). */
export const REQUEST_ID_HEADER = 'x-request-id';
export const TRACEPARENT_HEADER = 'traceparent';

/** What is carried from the call that caused something to everything it causes. */
export interface Correlation {
  requestId?: string | undefined;
  /** W3C trace context, version 00. */
  traceparent?: string | undefined;
}

/** A caller's own request id is kept when it is 1–128 characters of [A-Za-z0-9._-] (decisions.md, Headers). */
export function isRequestId(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(text);
}

/** True for a W3C traceparent of version 00 with non-zero ids. */
export function isTraceparent(text: string | undefined): text is string {
  return text !== undefined && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}
