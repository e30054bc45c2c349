import { type IdPrefix, invalidRequest, isId } from '@plimsoll/contracts';
import { decodeCursor } from '@plimsoll/service-kit';

/**
 * Returns where the previous page ended in a list by time and id, newest first, or null without a cursor.
 * @throws Problem invalid_request for a cursor that this kind of list did not issue
 */
export function pageAfter(
  cursor: string | undefined,
  prefix: IdPrefix,
): { createdAt: Date; id: string } | null {
  const parts = decodeCursor(cursor, ['number', 'string']);
  if (!parts) return null;
  const createdAt = new Date(Number(parts[0]));
  const id = String(parts[1]);
  if (isId(prefix, id) && !Number.isNaN(createdAt.getTime())) return { createdAt, id };
  const message = 'Send nextCursor of the page before, unchanged.';
  throw invalidRequest([{ field: 'cursor', code: 'invalid_cursor', message }]);
}
