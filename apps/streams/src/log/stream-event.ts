import type {
  AlertChangeV1,
  AlertGroupV1,
  AlertV1,
  PositionV1,
  StreamAlert,
  StreamAlertGroup,
  StreamPosition,
  StreamWhale,
  WhaleV1,
} from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import {
  alertSubject,
  groupSubject,
  positionSubject,
  streamAlert,
  streamPosition,
  streamWhale,
  whaleSubject,
} from './stream-data';
import type { FilterSubject } from './stream-filter';
import { streamPartitionOf } from './stream-partitions';

/** Bytes of an event beside its body: an estimate for bounds. */
const OVERHEAD_BYTES = 400;

/** A Kafka event in the form in which streams store, filter and send it. */
export interface StreamEvent {
  /** Number of the stream partition, which is the topic's partition when the stream has one topic. */
  readonly partition: number;
  readonly offset: number;
  readonly id: string;
  /** When it was created, milliseconds since 1970. */
  readonly timeMs: number;
  /**
   * Account of the event. Null: it is for all accounts that watch the wallet of its position, or for all
   * accounts.
   */
  readonly accountId: string | null;
  readonly isForAll: boolean;
  readonly subject: FilterSubject;
  /** JSON of its frame from `eventId` to the end, which is the same for every client. */
  readonly body: string;
}

/** @param data the part that streams send */
export function positionEvent(event: ReceivedEvent<PositionV1>, data: StreamPosition): StreamEvent {
  return streamEvent(event, { accountId: null, isForAll: false }, positionSubject(data), data);
}

/** @throws never for an event with a value; the topics of alerts have no tombstones */
export function alertEvent(
  event: ReceivedEvent<AlertV1 | AlertChangeV1>,
  value: AlertV1 | AlertChangeV1,
): StreamEvent {
  const audience = { accountId: value.accountId, isForAll: false };
  const topic = 'change' in value ? 'alert-change.v1' : 'alert.v1';
  const partition = streamPartitionOf(topic, event.partition).number;
  return streamEvent({ ...event, partition }, audience, alertSubject(value), streamAlert(value, event.time));
}

/** @throws never for an event with a value; alert-group.v1 has no tombstones */
export function groupEvent(event: ReceivedEvent<AlertGroupV1>, value: AlertGroupV1): StreamEvent {
  const { accountId, ...group } = value;
  const partition = streamPartitionOf('alert-group.v1', event.partition).number;
  const audience = { accountId, isForAll: false };
  return streamEvent({ ...event, partition }, audience, groupSubject(value), { change: 'group', ...group });
}

/** @throws never for an event with a value; whale.v1 has no tombstones */
export function whaleEvent(event: ReceivedEvent<WhaleV1>, value: WhaleV1): StreamEvent {
  return streamEvent(event, { accountId: null, isForAll: true }, whaleSubject(value), streamWhale(value));
}

/**
 * Returns the event of any of the topics, or null for a tombstone. It does not check whether a position's
 * event is new.
 */
export function eventOf(
  event: ReceivedEvent<PositionV1 | AlertV1 | AlertChangeV1 | AlertGroupV1 | WhaleV1>,
): StreamEvent | null {
  const { value } = event;
  if (!value) return null;
  if ('activityId' in value) return whaleEvent(event as ReceivedEvent<WhaleV1>, value);
  if ('groupId' in value && 'table' in value) return groupEvent(event as ReceivedEvent<AlertGroupV1>, value);
  return 'accountId' in value
    ? alertEvent(event as ReceivedEvent<AlertV1 | AlertChangeV1>, value)
    : positionEvent(event as ReceivedEvent<PositionV1>, streamPosition(value));
}

export function bytesOf({ body }: StreamEvent): number {
  return body.length + OVERHEAD_BYTES;
}

function streamEvent(
  { partition, offset, id, time }: ReceivedEvent<unknown>,
  audience: Pick<StreamEvent, 'accountId' | 'isForAll'>,
  subject: FilterSubject,
  data: StreamPosition | StreamAlert | StreamAlertGroup | StreamWhale,
): StreamEvent {
  const timestamp = new Date(time).toISOString();
  const body = `"eventId":${JSON.stringify(id)},"timestamp":"${timestamp}","data":${JSON.stringify(data)}}`;
  return { partition, offset: Number(offset), id, timeMs: time, ...audience, subject, body };
}
