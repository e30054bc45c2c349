import { Injectable } from '@nestjs/common';
import { Counter, register } from 'prom-client';
import { GatewayConfig } from '../config';
import type { Caller } from '../identity';

/** Rows wait while Postgres is unavailable. Above this many, rows are dropped. */
const MAX_WAITING_ROWS = 20_000;
const MAX_PATH_CHARS = 200;
/** An account may send any number of requests above its limit, which cost the gateway almost nothing otherwise. */
const REFUSED_PER_SECOND = 1;

/** A finished request, without its body and query. */
export interface FinishedRequest {
  /** Milliseconds since 1970. */
  createdAtMs: number;
  requestId: string;
  method: string;
  path: string;
  /** Null: the client disconnected before the response. */
  status: number | null;
  durationMs: number;
}

/** The separator of the fields of a row. No field has it, nor a line break. */
export const SEPARATOR = '\t';
/** Characters of a path that would end a field or a row. The parser of Node lets none of them pass today. */
const ENDING = /[\t\n\r\0]/g;

/** Requests that wait to be written. An account has a number of rows per second. */
@Injectable()
export class RequestLog {
  /** One text for each row, which costs less than an object that is converted later. */
  private waiting: string[] = [];
  /** Rows of each account in this second. */
  private readonly taken = new Map<string, number>();
  /** Those of them that were above a limit. */
  private readonly refused = new Map<string, number>();
  private overRate = 0;
  private readonly rowsPerSecond: number;

  constructor({ REQUEST_LOG_ROWS_PER_SECOND }: GatewayConfig) {
    this.rowsPerSecond = REQUEST_LOG_ROWS_PER_SECOND;
  }

  get isEnabled(): boolean {
    return this.rowsPerSecond > 0;
  }

  /**
   * Returns false for a request that is not logged, because the account has too many. It is counted.
   * @param isAdmitted false: it is above a limit of the account
   */
  takesOf({ accountId }: Caller, isAdmitted: boolean): boolean {
    const isTaken =
      (isAdmitted || takeOne(this.refused, accountId, REFUSED_PER_SECOND)) &&
      takeOne(this.taken, accountId, this.rowsPerSecond);
    if (!isTaken) this.overRate += 1;
    return isTaken;
  }

  add({ accountId, keyId, subject }: Caller, request: FinishedRequest): void {
    if (this.waiting.length >= MAX_WAITING_ROWS) return countRows('dropped', 1);
    const { createdAtMs, requestId, method, status, durationMs } = request;
    const path = request.path.slice(0, MAX_PATH_CHARS).replace(ENDING, '?');
    const by = subject.window === 'session' ? '' : keyId;
    // Whole microseconds, because the text of a long fraction costs more.
    const durationUs = Math.round(durationMs * 1_000);
    this.waiting.push(
      `${accountId}\t${createdAtMs}\t${requestId}\t${method}\t${path}\t${status ?? ''}\t${durationUs}\t${by}`,
    );
  }

  /** Begins a new second for all accounts. */
  nextSecond(): void {
    this.taken.clear();
    this.refused.clear();
    // The metric costs more than the rest of a request that is not logged.
    if (this.overRate > 0) countRows('over_rate', this.overRate);
    this.overRate = 0;
  }

  /** Removes and returns the oldest rows. */
  take(most: number): string[] {
    return this.waiting.splice(0, most);
  }

  /** Adds rows again that could not be written. The oldest of all are dropped above the bound. */
  putBack(rows: readonly string[]): void {
    const all = [...rows, ...this.waiting];
    const excess = Math.max(0, all.length - MAX_WAITING_ROWS);
    this.waiting = all.slice(excess);
    if (excess > 0) countRows('dropped', excess);
  }
}

/** Returns whether the account had fewer than `most`. */
function takeOne(taken: Map<string, number>, accountId: string, most: number): boolean {
  const before = taken.get(accountId) ?? 0;
  if (before >= most) return false;
  taken.set(accountId, before + 1);
  return true;
}

/** Counts rows: written, over_rate (above the rows per second of an account), or dropped while Postgres was unavailable. */
export function countRows(outcome: 'written' | 'over_rate' | 'dropped', rows: number): void {
  rowsTotal().inc({ outcome }, rows);
}

function rowsTotal(): Counter {
  const existing = register.getSingleMetric('gateway_request_log_rows_total') as Counter | undefined;
  return (
    existing ??
    new Counter({
      name: 'gateway_request_log_rows_total',
      help: 'Rows of the request log by outcome',
      labelNames: ['outcome'],
    })
  );
}
