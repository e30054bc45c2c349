import { invalidRequest } from '@plimsoll/contracts';
import { hasNul } from './json-body';

/** Times after the year 9999 have no ISO form that Postgres accepts. */
const LAST_TIME_MS = Date.UTC(10_000, 0) - 1;

const BASE64URL = /^[A-Za-z0-9_-]+$/;

const IS = {
  string: (part: unknown): boolean => typeof part === 'string' && !hasNul(part),
  number: (part: unknown): boolean => Number.isFinite(part),
  integer: (part: unknown): boolean => Number.isSafeInteger(part),
  time: (part: unknown): boolean =>
    Number.isInteger(part) && Number(part) >= 0 && Number(part) <= LAST_TIME_MS,
} as const;

/** Returns an opaque cursor that contains where a page ended: base64url of a JSON array. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Returns where the previous page ended, or null without a cursor.
 * @param shape type of each part: `string` (without NUL), `number` (finite), `integer` (safe) or `time`
 * (milliseconds since 1970)
 * @throws invalid_request for a cursor that this list did not issue
 */
export function decodeCursor(
  cursor: string | undefined,
  shape: readonly (keyof typeof IS)[],
): (string | number)[] | null {
  if (cursor === undefined || cursor === '') return null;
  let parts: unknown;
  try {
    // Buffer would ignore characters outside of base64url.
    parts = BASE64URL.test(cursor) ? JSON.parse(Buffer.from(cursor, 'base64url').toString()) : null;
  } catch {
    parts = null;
  }
  if (
    Array.isArray(parts) &&
    parts.length === shape.length &&
    shape.every((kind, at) => IS[kind]((parts as unknown[])[at]))
  ) {
    return parts as (string | number)[];
  }
  throw invalidRequest([
    { field: 'cursor', code: 'invalid_cursor', message: 'Send nextCursor of the previous page, unchanged.' },
  ]);
}

/**
 * Returns the id of the last item of the previous page, or null for the first page.
 * @throws invalid_request as decodeCursor
 */
export function idOfCursor(cursor: string | undefined): string | null {
  const [id] = decodeCursor(cursor, ['string']) ?? [];
  return id === undefined ? null : String(id);
}

/**
 * Returns a page of at most `limit` items and the cursor of the next page, null on the last one.
 * @param found has one item more than `limit` when another page follows
 * @param placeOf what the cursor contains: where the list continues after this item
 */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  placeOf: (last: T) => readonly (string | number)[],
): { items: T[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && found.length > limit ? encodeCursor(placeOf(last)) : null };
}
