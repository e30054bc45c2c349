import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';

/** Id of the last item of the page before, or null for the first page. */
export function idOfCursor(cursor: string | undefined): string | null {
  const [id] = decodeCursor(cursor, ['string']) ?? [];
  return id === undefined ? null : String(id);
}

/** A page of `limit` items out of one more than that, where there are more. @param idOf what the list is ordered by */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  idOf: (item: T) => string,
): { items: T[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && found.length > limit ? encodeCursor([idOf(last)]) : null };
}
