/** A change. Store `cursor` after handling it, to continue there after a restart. */
export interface StreamEvent<T> {
  type: 'event';
  cursor: string;
  eventId: string;
  timestamp: string;
  /** True when it contains several changes that a slow client did not take in time. */
  conflated?: true;
  data: T;
}

/** The current positions, in several frames when there are many. */
export interface StreamSnapshot<T> {
  type: 'snapshot';
  data: T[];
  last: boolean;
}

/** Events were not sent and will not be, for example after an interruption of more than ten minutes. */
export interface StreamGap {
  type: 'gap';
  reason: string;
}

export type StreamFrame<T> = StreamEvent<T> | StreamSnapshot<T> | StreamGap;

/** Options of everything that yields frames: streams and `events.follow`. */
export interface ResumeOptions {
  /** Cursor of the last event that was handled. Default: from now on. */
  since?: string;
  signal?: AbortSignal;
  /** Milliseconds without a connection after which the iteration ends with an error. Default: one hour. */
  giveUpAfterMs?: number;
}

export const GIVE_UP_AFTER_MS = 3_600_000;
