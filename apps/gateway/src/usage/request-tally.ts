import { Injectable } from '@nestjs/common';
import type { Endpoint } from '@plimsoll/access';
import type { Caller } from '../identity';

interface KeyRequests {
  accountId: string;
  /** The key is that of all sessions of the account. */
  isSession: boolean;
  lastMs: number;
  /** null: requests without an endpoint. */
  calls: Map<Endpoint | null, number>;
}

const MINUTE_MS = 60_000;

/** Admitted requests of one key, or of the sessions of an account, in one minute since the last call. */
export interface RequestCounts extends KeyRequests {
  keyId: string;
  /** The beginning of the minute. Milliseconds since 1970. */
  minuteMs: number;
}

/** Counts requests in memory, which is all that happens on each request. */
@Injectable()
export class RequestTally {
  private minutes = new Map<number, Map<string, KeyRequests>>();
  private current = new Map<string, KeyRequests>();
  private minute = -1;

  /** @param nowMs by the clock of the limits, so that usage and quota agree about the day */
  count({ keyId, accountId, subject }: Caller, endpoint: Endpoint | null, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.minute) this.turnTo(minute);
    // The sessions of an account are counted together.
    const isSession = subject.window === 'session';
    const id = isSession ? subject.id : keyId;
    let counted = this.current.get(id);
    if (!counted) this.current.set(id, (counted = { accountId, isSession, lastMs: nowMs, calls: new Map() }));
    counted.lastMs = nowMs;
    counted.calls.set(endpoint, (counted.calls.get(endpoint) ?? 0) + 1);
  }

  /** Returns and clears the counts. */
  drain(): RequestCounts[] {
    const minutes = this.minutes;
    this.minutes = new Map();
    this.minute = -1;
    return [...minutes].flatMap(([minute, keys]) =>
      [...keys].map(([keyId, counted]) => ({ minuteMs: minute * MINUTE_MS, keyId, ...counted })),
    );
  }

  private turnTo(minute: number): void {
    this.current = this.minutes.get(minute) ?? new Map<string, KeyRequests>();
    this.minutes.set(minute, this.current);
    this.minute = minute;
  }
}
