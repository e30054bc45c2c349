import { type ListPositionsQuery, type PositionListItem, invalidRequest } from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';

/** The fields that determine the order of the list. */
export type Ordered = Pick<
  PositionListItem,
  'id' | 'healthFactorRaw' | 'totalDebtUsd' | 'totalCollateralUsd'
>;
type Sort = ListPositionsQuery['sort'];

/**
 * Compares positions in the order of a list: healthFactor has the lowest first and those without debt last; an amount
 * has the largest first. Equal ones are ordered by id, so that pages never overlap.
 */
export function compareBy(sort: Sort = 'healthFactor'): (a: Ordered, b: Ordered) => number {
  const compare = sort === 'healthFactor' ? byHealth : (a: Ordered, b: Ordered) => b[sort] - a[sort];
  return (a, b) => compare(a, b) || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

/** The order of lists without `sort`. */
export const compareByHealth = compareBy('healthFactor');

function byHealth(a: Ordered, b: Ordered): number {
  if (a.healthFactorRaw === b.healthFactorRaw) return 0;
  if (a.healthFactorRaw === null) return 1;
  if (b.healthFactorRaw === null) return -1;
  return BigInt(a.healthFactorRaw) < BigInt(b.healthFactorRaw) ? -1 : 1;
}

/** One page of an ordered list, after the cursor. @throws invalid_request for a cursor of another list */
export function pageOfPositions<T extends Ordered>(
  ordered: readonly T[],
  limit: number,
  { cursor, sort }: Pick<ListPositionsQuery, 'cursor' | 'sort'> = {},
): { page: T[]; nextCursor: string | null } {
  const after = parseCursor(cursor, sort);
  const compare = compareBy(sort);
  const rest = after ? ordered.filter((item) => compare(item, after) > 0) : ordered;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = last && rest.length > limit ? encodeCursor(placeOf(last, sort)) : null;
  return { page, nextCursor };
}

function placeOf(item: Ordered, sort: Sort = 'healthFactor'): (string | number)[] {
  return sort === 'healthFactor' ? [item.healthFactorRaw ?? '', item.id] : [sort, item[sort], item.id];
}

function parseCursor(cursor: string | undefined, sort: Sort = 'healthFactor'): Ordered | null {
  const amounts = { totalDebtUsd: 0, totalCollateralUsd: 0, healthFactorRaw: null };
  if (sort !== 'healthFactor') {
    const parts = decodeCursor(cursor, ['string', 'number', 'string']);
    if (parts && parts[0] !== sort) throw INVALID_CURSOR;
    return parts && { ...amounts, [sort]: Number(parts[1]), id: String(parts[2]) };
  }
  const parts = decodeCursor(cursor, ['string', 'string']);
  if (!parts) return null;
  const [healthFactorRaw, id] = parts.map(String) as [string, string];
  if (!/^\d{0,78}$/.test(healthFactorRaw)) throw INVALID_CURSOR;
  return { ...amounts, healthFactorRaw: healthFactorRaw || null, id };
}

const INVALID_CURSOR = invalidRequest([
  { field: 'cursor', code: 'invalid_cursor', message: 'Send nextCursor of the previous page, unchanged.' },
]);

/** Returns whether a position matches every filter of a query. */
export function matches(
  { protocol, chainId, riskLevel, maxHealthFactor, minDebtUsd }: ListPositionsQuery,
  position: PositionListItem,
): boolean {
  return (
    (protocol === undefined || position.protocol === protocol) &&
    (chainId === undefined || position.chainId === chainId) &&
    (riskLevel === undefined || position.riskLevel === riskLevel) &&
    (maxHealthFactor === undefined ||
      (position.healthFactor !== null && position.healthFactor <= maxHealthFactor)) &&
    (minDebtUsd === undefined || position.totalDebtUsd >= minDebtUsd)
  );
}
