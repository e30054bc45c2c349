import type { ChainStatus } from '@plimsoll/contracts';
import type { ChainTracker } from '../tracking/chain-tracker';

/** The inputs of a chain's status. */
export interface ChainCondition {
  /** The node did not respond to the last request for its head. */
  isUnreachable: boolean;
  /** Age of the newest block. Null before the first. */
  headAgeMs: number | null;
  /** Seconds. Null before it is measured. */
  blockTime: number | null;
  hasFailingRow: boolean;
}

const MAX_HEAD_AGE_MS = 60_000;
const MAX_BLOCK_TIMES = 10;
/**
 * The least head age, for blocks of less than a second: the time between two polls is not a delay of the
 * chain.
 */
const MIN_HEAD_AGE_MS = 10_000;

/** Returns the status of a chain. See docs/api/protocols-and-chains.md. */
export function chainStatus({
  isUnreachable,
  headAgeMs,
  blockTime,
  hasFailingRow,
}: ChainCondition): ChainStatus {
  if (isUnreachable || headAgeMs === null) return 'down';
  const allowedMs = blockTime === null ? MAX_HEAD_AGE_MS : MAX_BLOCK_TIMES * blockTime * 1_000;
  const isOld = headAgeMs > Math.max(MIN_HEAD_AGE_MS, Math.min(MAX_HEAD_AGE_MS, allowedMs));
  return isOld || hasFailingRow ? 'degraded' : 'operational';
}

/** The status of a chain that is followed. @param hasFailed whether a read that was just tried there failed */
export function statusOf(
  { latest, headFailure, blockTimes, markets }: ChainTracker,
  nowMs: number,
  hasFailed = false,
): ChainStatus {
  return chainStatus({
    isUnreachable: headFailure !== null,
    headAgeMs: latest ? nowMs - Number(latest.timestamp) * 1_000 : null,
    blockTime: blockTimes.averageSeconds,
    hasFailingRow: hasFailed || markets.some(({ failure }) => failure !== null),
  });
}
