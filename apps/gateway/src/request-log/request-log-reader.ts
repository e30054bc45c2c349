import { Injectable } from '@nestjs/common';
import {
  type LoggedStatus,
  type RequestLogItem,
  type RequestLogList,
  type RequestLogQuery,
  invalidRequest,
} from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { type Prisma, PrismaClient } from '../generated/prisma/client';
import { LOGGED_DAYS } from './request-log-partitions';

const DAY_MS = 86_400_000;

/** Reads the request log of an account. */
@Injectable()
export class RequestLogReader {
  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Newest first.
   * @throws Problem invalid_request for a cursor of another list
   */
  async list(
    accountId: string,
    { limit, cursor, requestId, keyId, source, status }: RequestLogQuery,
    now = new Date(),
  ): Promise<RequestLogList> {
    const from = placeOf(cursor);
    const rows = await this.prisma.requestLog.findMany({
      where: {
        accountId,
        // A partition is dropped when its last row is old enough.
        createdAt: {
          gt: new Date(now.getTime() - LOGGED_DAYS * DAY_MS),
          ...(from && { lte: from.createdAt }),
        },
        ...(requestId !== undefined && { requestId }),
        ...(source !== undefined && { keyId: source === 'key' ? { not: null } : null }),
        ...(keyId !== undefined && { keyId }),
        ...(status !== undefined && { status: statusRange(status) }),
        ...(from && olderThan(from)),
      },
      orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
      take: limit + 1,
    });
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const requests = rows.slice(0, limit).map(({ createdAt, ...row }): RequestLogItem => ({
      requestId: row.requestId,
      method: row.method,
      path: row.path,
      status: row.status,
      durationMs: row.durationMs,
      keyId: row.keyId,
      createdAt: createdAt.toISOString(),
    }));
    const nextCursor = last ? encodeCursor([last.createdAt.getTime(), String(last.seq)]) : null;
    return { requests, count: requests.length, nextCursor };
  }
}

function statusRange(status: LoggedStatus): Prisma.IntNullableFilter | null {
  if (status === 'none') return null;
  const first = Number(status[0]) * 100;
  return { gte: first, lt: first + 100 };
}

interface Place {
  createdAt: Date;
  seq: bigint;
}

function placeOf(cursor: string | undefined): Place | null {
  const [time, seq] = decodeCursor(cursor, ['time', 'string']) ?? [];
  if (time === undefined) return null;
  if (!/^\d{1,18}$/.test(String(seq))) {
    const message = 'Send nextCursor of the previous page, unchanged.';
    throw invalidRequest([{ field: 'cursor', code: 'invalid_cursor', message }]);
  }
  return { createdAt: new Date(Number(time)), seq: BigInt(seq!) };
}

function olderThan({ createdAt, seq }: Place): Prisma.RequestLogWhereInput {
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, seq: { lt: seq } }] };
}
