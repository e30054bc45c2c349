import type { PartitionLog } from './partition-log';

/** Ends a segment that is older than segment.ms, so that retention and compaction can process it. */
export function rollByAge(log: PartitionLog, now: number): void {
  const active = log.segments.at(-1);
  if (!active || active.size === 0) return;
  const { segmentMs, retentionMs, isDeleted } = log.config;
  const isExpired = isDeleted && active.maxTimestamp < now - retentionMs;
  if (isExpired || active.maxTimestamp < now - segmentMs) log.roll();
}

/** Removes the segments whose records are all older than retention.ms, and the first ones beyond retention.bytes. */
export async function applyRetention(log: PartitionLog, now: number): Promise<void> {
  if (!log.config.isDeleted) return;
  await log.exclusively(async () => {
    const { retentionMs, retentionBytes } = log.config;
    const segments = log.segments;
    let excess = segments.reduce((sum, { size }) => sum + size, 0) - retentionBytes;
    let count = 0;
    for (const { size, maxTimestamp } of segments.slice(0, -1)) {
      const isOld = maxTimestamp < now - retentionMs;
      if (!isOld && excess < size) break;
      excess -= size;
      count += 1;
    }
    await log.dropFirstSegments(count);
  });
}
