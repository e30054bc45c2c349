import { setTimeout as delay } from 'node:timers/promises';
import { compactLog } from '../log/compaction';
import type { PartitionLog } from '../log/partition-log';
import type { BrokerState } from './broker-state';

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

/** As in Kafka, an idempotent producer without a record for a day is removed. */
const PRODUCER_EXPIRY_MS = 86_400_000;

/** Repeats retention, compaction and expiry until the broker stops. */
export async function maintain(state: BrokerState, groupLog: PartitionLog): Promise<void> {
  const { options, stopping } = state;
  while (!stopping.aborted) {
    await delay(options.maintenanceIntervalMs, undefined, { signal: stopping, ref: false }).catch(
      () => undefined,
    );
    if (stopping.aborted) return;
    try {
      await maintainOnce(state, groupLog);
    } catch (error) {
      options.logger.error(`maintenance failed: ${(error as Error).message}`);
    }
  }
}

/** One round over every log and the groups. */
export async function maintainOnce(state: BrokerState, groupLog: PartitionLog): Promise<void> {
  const { options, topics, coordinator, stopping } = state;
  const logs = [...topics.list().flatMap(({ partitions }) => partitions), groupLog];
  for (const log of logs) {
    if (stopping.aborted) return;
    if (!log.isClosed && !log.failure) await maintainLog(log, options.now());
  }
  await coordinator.expire(options.offsetsRetentionMs);
}

async function maintainLog(log: PartitionLog, now: number): Promise<void> {
  log.producers.expire(now - PRODUCER_EXPIRY_MS);
  rollByAge(log, now);
  await applyRetention(log, now);
  if (log.config.isCompacted) await compactLog(log, now);
}
