import { type Check, check } from '../attack';
import type { Sent } from '../client';

/** A refusal by the gateway before the operation read the input. */
const BEFORE_VALIDATION = new Set([
  'missing_api_key',
  'invalid_api_key',
  'not_signed_in',
  'foreign_origin',
  'tier_required',
  'scope_required',
  'recent_log_in_required',
  'route_not_found',
  'method_not_allowed',
  'rate_limited',
  'daily_limit_exceeded',
  'too_many_in_flight',
]);
/** Traces of our own code in a response. */
const INTERNALS = /node_modules|\.[jt]s:\d+|Prisma|SQLSTATE|ECONN|\bat \w+ \(|\/apps\/|\/libs\//;
/** A server may close the connection of a larger body that it refuses. */
const REFUSED_UNREAD_BYTES = 4_096;
const MOST_FAILURES = 5;

/** The responses to the requests of one operation. */
export class Tally {
  sent = 0;
  /** Requests whose input the operation read: it accepted or rejected the input itself. */
  validated = 0;
  serverErrors = 0;
  slowestMs = 0;
  slowestAcceptedMs = 0;
  readonly failures: string[] = [];
  private readonly statuses: Record<string, number> = {};

  constructor(
    readonly operation: string,
    private readonly limitMs: number,
  ) {}

  /** @param ms the median of several times when the first response was slow */
  add({ status, body, text }: Sent, ms: number, bytes: number, request: string): void {
    this.sent += 1;
    const code = typeof body['code'] === 'string' ? body['code'] : '';
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const isUnread = status === 0 && bytes > REFUSED_UNREAD_BYTES;
    if (status !== 0 && !BEFORE_VALIDATION.has(code)) this.validated += 1;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (status < 300) this.slowestAcceptedMs = Math.max(this.slowestAcceptedMs, ms);
    if (status >= 500) this.serverErrors += 1;
    const reasons = [
      ...(status >= 500 ? [`${status} ${code}`] : []),
      ...(status === 0 && !isUnread ? ['no response'] : []),
      ...(ms > this.limitMs ? [`${Math.round(ms)} ms`] : []),
      ...(status >= 400 && INTERNALS.test(text) ? ['shows internals'] : []),
      ...(status >= 400 && code === '' ? [`${status} without a problem`] : []),
    ];
    if (reasons.length === 0) return;
    if (this.failures.length < MOST_FAILURES) this.failures.push(`${reasons.join(', ')}: ${request}`);
  }

  toCheck(): Check {
    const statuses = Object.entries(this.statuses).map(([status, count]) => `${count} × ${status}`);
    const summary = `${this.validated} of ${this.sent} validated, ${statuses.join(', ')}, at most ${Math.round(this.slowestMs)} ms`;
    const isOk = this.failures.length === 0 && this.validated > 0;
    return check(this.operation, isOk, [summary, ...this.failures].join('; '));
  }
}
