import { Injectable } from '@nestjs/common';
import type { Endpoint } from '@plimsoll/access';
import type { ApiKeyRecord } from '../keys/api-key-record';

const DAY_MS = 86_400_000;

interface KeyCalls {
  accountId: string;
  lastMs: number;
  /** null: calls that met no endpoint. */
  calls: Map<Endpoint | null, number>;
}

/** Admitted calls of one key on one UTC day, as counted since the last time. */
export interface CountedCalls extends KeyCalls {
  keyId: string;
  /** UTC days since 1970. */
  day: number;
}

/** Counts calls in memory: what happens on each call is this, and no more. */
@Injectable()
export class CallTally {
  private days = new Map<number, Map<string, KeyCalls>>();
  private today = new Map<string, KeyCalls>();
  private day = -1;

  /** @param nowMs by the clock of the limits, so that usage and quota agree about the day */
  count({ keyId, accountId }: ApiKeyRecord, endpoint: Endpoint | null, nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.day) this.turnTo(day);
    let counted = this.today.get(keyId);
    if (!counted) this.today.set(keyId, (counted = { accountId, lastMs: nowMs, calls: new Map() }));
    counted.lastMs = nowMs;
    counted.calls.set(endpoint, (counted.calls.get(endpoint) ?? 0) + 1);
  }

  /** Takes out all that was counted. */
  drain(): CountedCalls[] {
    const days = this.days;
    this.days = new Map();
    this.day = -1;
    return [...days].flatMap(([day, keys]) =>
      [...keys].map(([keyId, counted]) => ({ day, keyId, ...counted })),
    );
  }

  private turnTo(day: number): void {
    this.today = this.days.get(day) ?? new Map<string, KeyCalls>();
    this.days.set(day, this.today);
    this.day = day;
  }
}
