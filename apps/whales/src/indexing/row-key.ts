import { createHash } from 'node:crypto';
import type { ActivityReader } from '@plimsoll/protocols';

/**
 * Returns the key of what is read of a row. Another contract, or another event of its family, changes the
 * key.
 */
export function rowKey({ row, filter }: Pick<ActivityReader, 'row' | 'filter'>): string {
  const contracts = Object.entries(row.contracts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const read = JSON.stringify([row.family, contracts, [...filter().topics].toSorted()]);
  const digest = createHash('sha256').update(read.toLowerCase()).digest('hex').slice(0, 16);
  return `${row.protocol}|${row.market}|${digest}`;
}
