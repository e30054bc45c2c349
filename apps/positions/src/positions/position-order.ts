import { invalidRequest } from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';

/** The fields that determine the order of the list. */
export interface Ordered {
  id: string;
  healthFactorRaw: string | null;
}

/**
 * Lowest health factor first, those without debt last. Equal ones are ordered by id, so that pages never
 * overlap.
 */
export function compareByHealth(a: Ordered, b: Ordered): number {
  if (a.healthFactorRaw !== b.healthFactorRaw) {
    if (a.healthFactorRaw === null) return 1;
    if (b.healthFactorRaw === null) return -1;
    return BigInt(a.healthFactorRaw) < BigInt(b.healthFactorRaw) ? -1 : 1;
  }
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** One page of an ordered list, after the cursor. @throws invalid_request for a cursor of another list */
export function pageByHealth<T extends Ordered>(
  ordered: readonly T[],
  limit: number,
  cursor: string | undefined,
): { page: T[]; nextCursor: string | null } {
  const after = parseCursor(cursor);
  const rest = after ? ordered.filter((item) => compareByHealth(item, after) > 0) : ordered;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = last && rest.length > limit ? encodeCursor([last.healthFactorRaw ?? '', last.id]) : null;
  return { page, nextCursor };
}

function parseCursor(cursor: string | undefined): Ordered | null {
  const parts = decodeCursor(cursor, ['string', 'string']);
  if (!parts) return null;
  const [healthFactorRaw, id] = parts.map(String) as [string, string];
  if (/^\d{0,78}$/.test(healthFactorRaw)) return { healthFactorRaw: healthFactorRaw || null, id };
  throw invalidRequest([
    { field: 'cursor', code: 'invalid_cursor', message: 'Send nextCursor of the previous page, unchanged.' },
  ]);
}
