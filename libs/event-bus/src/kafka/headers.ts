import { REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '@plimsoll/contracts';
import type { IHeaders } from 'kafkajs';

/** CloudEvents 1.0 in binary mode: the value contains the data, the headers describe it. */
export interface EventHead {
  id: string;
  topic: string;
  /** Name of the service that publishes. */
  source: string;
  /** Milliseconds since 1970. */
  time: number;
  key: string;
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

export function encodeHeaders(head: EventHead): Record<string, string> {
  return {
    ce_specversion: '1.0',
    ce_id: head.id,
    ce_type: head.topic,
    ce_source: `/${head.source}`,
    ce_time: new Date(head.time).toISOString(),
    ce_subject: head.key,
    'content-type': 'application/json',
    ...(head.requestId === undefined ? {} : { [REQUEST_ID_HEADER]: head.requestId }),
    ...(head.traceparent === undefined ? {} : { [TRACEPARENT_HEADER]: head.traceparent }),
  };
}

/**
 * Returns undefined when the message has no such header, or one of several lines. Returns the first of
 * several headers.
 */
export function headerText(headers: IHeaders | undefined, name: string): string | undefined {
  const found = headers?.[name];
  const first = Array.isArray(found) ? found[0] : found;
  const text = first?.toString();
  return text?.includes('\n') ? undefined : text;
}
