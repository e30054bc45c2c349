import { Injectable } from '@nestjs/common';
import {
  type LoggedStatus,
  type RequestLogItem,
  type RequestLogList,
  type RequestLogQuery,
  invalidRequest,
} from '@plimsoll/contracts';
import { Conditions, decodeCursor, encodeCursor, type Statement } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { LOGGED_DAYS } from './request-log-partitions';

const DAY_MS = 86_400_000;

/** Filters of GET /account/v1/requests. */
type RequestFilter = Pick<RequestLogQuery, 'requestId' | 'keyId' | 'source' | 'status'>;

interface LogRow extends Omit<RequestLogItem, 'createdAt'> {
  createdAt: Date;
  seq: string;
}

const COLUMNS = `request_id AS "requestId", method, path, status, duration_ms AS "durationMs", key_id AS "keyId",
  created_at AS "createdAt", seq`;

/** In the words of the indexes. */
const IS_SESSION = '(key_id IS NULL)';
const FIRST_DIGIT = 'coalesce(status / 100, 0)';
const DIGITS: Record<LoggedStatus, number> = { none: 0, '2xx': 2, '3xx': 3, '4xx': 4, '5xx': 5 };
const ALL_DIGITS = [0, 1, 2, 3, 4, 5];

/** Reads the request log of an account. */
@Injectable()
export class RequestLogReader {
  constructor(private readonly pool: Pool) {}

  /**
   * Newest first.
   * @throws Problem invalid_request for a cursor of another list
   */
  async list(
    accountId: string,
    { limit, cursor, ...filter }: RequestLogQuery,
    now = new Date(),
  ): Promise<RequestLogList> {
    const place = placeOf(cursor);
    // A partition is dropped when its last row is old enough.
    const since = new Date(now.getTime() - LOGGED_DAYS * DAY_MS);
    // A session has no key.
    if (filter.keyId !== undefined && filter.source === 'session')
      return { requests: [], count: 0, nextCursor: null };
    const { text, values } = listSql(accountId, filter, since, place, limit + 1);
    const { rows } = await this.pool.query<LogRow>(text, values);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const requests = rows.slice(0, limit).map(({ createdAt, seq: _seq, ...row }): RequestLogItem => ({
      ...row,
      createdAt: createdAt.toISOString(),
    }));
    const nextCursor = last ? encodeCursor([last.createdAt.getTime(), last.seq]) : null;
    return { requests, count: requests.length, nextCursor };
  }
}

/**
 * The query of a page. An index has the order of the list for one source or key and one status. Each has a page of its
 * own, and the newest rows of these pages are the page.
 */
function listSql(
  accountId: string,
  { requestId, keyId, source, status }: RequestFilter,
  since: Date,
  before: Place | null,
  limit: number,
): Statement {
  const conditions = new Conditions();
  const { values } = conditions;
  conditions.equal('account_id', accountId);
  conditions.where((from) => `created_at > ${from}`, since);
  if (before) {
    const [time, seq] = [conditions.parameter(before.createdAt), conditions.parameter(before.seq)];
    conditions.add(`(created_at, seq) < (${time}, ${seq}::bigint)`);
  }
  conditions.equal('key_id', keyId);
  const order = `ORDER BY created_at DESC, seq DESC LIMIT ${conditions.parameter(limit)}`;
  const page = (): string => `SELECT ${COLUMNS} FROM request_log WHERE ${conditions.sql}`;
  // Few requests have one id, so the index of the ids finds them, and not the order of the list.
  if (requestId !== undefined) {
    conditions.equal('request_id', requestId);
    conditions.where((digit) => `${FIRST_DIGIT} = ${digit}::int`, status && DIGITS[status]);
    conditions.where((is) => `${IS_SESSION} = ${is}::boolean`, source && source === 'session');
    return {
      text: `SELECT * FROM (${page()} OFFSET 0) AS of_id ${order.replace('created_at', '"createdAt"')}`,
      values,
    };
  }
  if (keyId === undefined && source === undefined && status === undefined)
    return { text: `${page()} ${order}`, values };
  const digits = status === undefined ? ALL_DIGITS : [DIGITS[status]];
  const from = [`unnest(${conditions.parameter(digits)}::int[]) AS status_of (digit)`];
  conditions.add(`${FIRST_DIGIT} = status_of.digit`);
  if (keyId === undefined) {
    const sessions = source === undefined ? [false, true] : [source === 'session'];
    from.push(`unnest(${conditions.parameter(sessions)}::boolean[]) AS source_of (is_session)`);
    conditions.add(`${IS_SESSION} = source_of.is_session`);
  }
  const text = `SELECT page.* FROM ${from.join(' CROSS JOIN ')} CROSS JOIN LATERAL (${page()} ${order}) AS page
    ${order.replace('created_at', '"createdAt"')}`;
  return { text, values };
}

interface Place {
  createdAt: Date;
  seq: string;
}

function placeOf(cursor: string | undefined): Place | null {
  const [time, seq] = decodeCursor(cursor, ['time', 'string']) ?? [];
  if (time === undefined) return null;
  if (!/^\d{1,18}$/.test(String(seq))) {
    const message = 'Send nextCursor of the previous page, unchanged.';
    throw invalidRequest([{ field: 'cursor', code: 'invalid_cursor', message }]);
  }
  return { createdAt: new Date(Number(time)), seq: String(seq) };
}
