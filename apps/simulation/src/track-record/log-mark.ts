import type { PartitionProgress } from '@plimsoll/event-bus';

/**
 * Reports the time up to which all messages of the log have been processed. A busy topic always grows, so its
 * end of one round is compared with the progress in a later one.
 */
export class LogMark {
  private mark: { atMs: number; ends: ReadonlyMap<number, bigint> } | null = null;
  private handledMs: number | null = null;

  /**
   * @param nowMs time of the progress query
   * @returns a moment before which all messages are processed; null: none is known yet
   */
  see(progress: readonly PartitionProgress[], nowMs: number): number | null {
    const isHandledTo = (ends: ReadonlyMap<number, bigint>): boolean =>
      progress.every(({ partition, handled }) => handled >= (ends.get(partition) ?? 0n));
    const ends = new Map(progress.map(({ partition, end }) => [partition, end]));
    if (isHandledTo(ends)) {
      this.handledMs = nowMs;
      this.mark = null;
    } else if (!this.mark || isHandledTo(this.mark.ends)) {
      if (this.mark) this.handledMs = this.mark.atMs;
      this.mark = { atMs: nowMs, ends };
    }
    return this.handledMs;
  }
}
