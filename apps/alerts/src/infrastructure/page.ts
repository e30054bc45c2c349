import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';

/** Returns the id before which a page of a list begins. Null for the first page. */
export function beforeIdOf(cursor: string | undefined): string | null {
  const [id] = decodeCursor(cursor, ['string']) ?? [];
  return id === undefined ? null : String(id);
}

/** Builds a page from one record more than it contains. */
export function pageOf<T extends { id: string }>(
  found: readonly T[],
  limit: number,
): { items: T[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && found.length > limit ? encodeCursor([last.id]) : null };
}
