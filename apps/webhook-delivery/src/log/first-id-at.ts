import { base62 } from '@plimsoll/contracts';

const ID_BYTES = 16;
const TIME_BYTES = 6;
/** Between an id and the created_at of its row, however busy the process; and between the clocks of instances. */
const SLACK_MS = 60_000;

/**
 * An id below that of every delivery created at a moment or later: the index on ids, which sort by the time they were
 * made, then serves as one on time. What lies within the slack is left to created_at.
 */
export function firstIdAt(atMs: number): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.writeUIntBE(Math.max(0, atMs - SLACK_MS), 0, TIME_BYTES);
  return `del_${base62(bytes)}`;
}
