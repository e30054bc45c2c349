import { invalidRequest } from '@plimsoll/contracts';

/** An opaque cursor that holds where a page ended: base64url of a JSON array. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Where the page before ended; null without a cursor.
 * @param shape `string` or `number` for each part
 * @throws invalid_request for a cursor that this list did not give
 */
export function decodeCursor(
  cursor: string | undefined,
  shape: readonly ('string' | 'number')[],
): (string | number)[] | null {
  if (cursor === undefined || cursor === '') return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = null;
  }
  if (
    Array.isArray(parts) &&
    parts.length === shape.length &&
    shape.every((type, i) => typeof parts[i] === type)
  ) {
    return parts as (string | number)[];
  }
  throw invalidRequest([
    { field: 'cursor', code: 'invalid_cursor', message: 'Send nextCursor of the page before, unchanged.' },
  ]);
}
