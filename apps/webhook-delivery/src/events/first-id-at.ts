import { base62 } from '@plimsoll/contracts';

const ID_BYTES = 16;
const TIME_BYTES = 6;
/**
 * Largest difference between the time in an id and created_at of its row in a busy process, and between the
 * clocks of instances.
 */
const SLACK_MS = 60_000;

/**
 * Returns an id below that of every delivery created at this time or later. Ids sort by creation time, so the
 * index on ids also serves queries by time. created_at decides within the slack.
 */
export function firstIdAt(atMs: number): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.writeUIntBE(Math.max(0, atMs - SLACK_MS), 0, TIME_BYTES);
  return `del_${base62(bytes)}`;
}
