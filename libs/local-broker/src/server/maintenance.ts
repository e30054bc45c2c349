import { setTimeout as delay } from 'node:timers/promises';
import { compactLog } from '../log/compaction';
import type { PartitionLog } from '../log/partition-log';
import { applyRetention, rollByAge } from '../log/retention';
import type { BrokerState } from './broker-state';

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
