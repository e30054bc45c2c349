import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';

/** Returns the id of the last item of the previous page, or null for the first page. */
export function idOfCursor(cursor: string | undefined): string | null {
  const [id] = decodeCursor(cursor, ['string']) ?? [];
  return id === undefined ? null : String(id);
}

/**
 * Returns a page of `limit` items. `rows` has one more when another page follows.
 * @param idOf id that orders the list
 */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  idOf: (item: T) => string,
): { items: T[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && found.length > limit ? encodeCursor([idOf(last)]) : null };
}
