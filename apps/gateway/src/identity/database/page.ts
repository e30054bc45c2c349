import { type IdPrefix, invalidRequest, isId } from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';

/** The sort key of a list by time and id, newest first. */
interface Sorted {
  createdAt: Date;
  id: string;
}

/**
 * Returns where the previous page ended, or null without a cursor.
 * @throws Problem invalid_request for a cursor that this kind of list did not issue
 */
export function pageAfter(cursor: string | undefined, prefix: IdPrefix): Sorted | null {
  const parts = decodeCursor(cursor, ['number', 'string']);
  if (!parts) return null;
  const createdAt = new Date(Number(parts[0]));
  const id = String(parts[1]);
  if (isId(prefix, id) && !Number.isNaN(createdAt.getTime())) return { createdAt, id };
  const message = 'Send nextCursor of the page before, unchanged.';
  throw invalidRequest([{ field: 'cursor', code: 'invalid_cursor', message }]);
}

/**
 * Returns a page and the cursor of the next one.
 * @param rows one more than `limit` when there is a next page
 */
export function pageOf<T extends Sorted>(
  rows: readonly T[],
  limit: number,
): { page: T[]; nextCursor: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const nextCursor = last ? encodeCursor([last.createdAt.getTime(), last.id]) : null;
  return { page: rows.slice(0, limit), nextCursor };
}
