import { Injectable } from '@nestjs/common';
import type { Endpoint } from '@plimsoll/access';
import type { Caller } from '../identity';
import { DAY_MS } from './usage-report';

interface KeyRequests {
  accountId: string;
  lastMs: number;
  /** null: requests without an endpoint. */
  calls: Map<Endpoint | null, number>;
}

/** Admitted requests of one key, or of the sessions of an account, on one UTC day since the last call. */
export interface RequestCounts extends KeyRequests {
  keyId: string;
  /** UTC days since 1970. */
  day: number;
}

/** Counts requests in memory, which is all that happens on each request. */
@Injectable()
export class RequestTally {
  private days = new Map<number, Map<string, KeyRequests>>();
  private today = new Map<string, KeyRequests>();
  private day = -1;

  /** @param nowMs by the clock of the limits, so that usage and quota agree about the day */
  count({ keyId, accountId, subject }: Caller, endpoint: Endpoint | null, nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.day) this.turnTo(day);
    // The sessions of an account are counted together.
    const id = subject.window === 'session' ? subject.id : keyId;
    let counted = this.today.get(id);
    if (!counted) this.today.set(id, (counted = { accountId, lastMs: nowMs, calls: new Map() }));
    counted.lastMs = nowMs;
    counted.calls.set(endpoint, (counted.calls.get(endpoint) ?? 0) + 1);
  }

  /** Returns and clears the counts. */
  drain(): RequestCounts[] {
    const days = this.days;
    this.days = new Map();
    this.day = -1;
    return [...days].flatMap(([day, keys]) =>
      [...keys].map(([keyId, counted]) => ({ day, keyId, ...counted })),
    );
  }

  private turnTo(day: number): void {
    this.today = this.days.get(day) ?? new Map<string, KeyRequests>();
    this.days.set(day, this.today);
    this.day = day;
  }
}
