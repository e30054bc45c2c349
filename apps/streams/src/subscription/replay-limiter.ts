import type { StreamConnection } from '../connection/stream-connection';
import { LIMITS } from '../limits';
import type { StreamOffset } from '../log/cursor';
import type { Hold, StreamLog } from '../log/stream-log';

/**
 * Limits how often the events of one catch-up are read from Kafka. Memory keeps the events that arrive
 * meanwhile, so the catch-up ends.
 */
export class ReplayLimiter {
  private hold: Hold | undefined;
  private count = 0;
  private rewinds = 0;

  constructor(private readonly log: StreamLog) {}

  /** Returns false when the limit is reached. A connection that starts earlier still begins a new count. */
  mayBegin({ rewinds }: Pick<StreamConnection, 'rewinds'>): boolean {
    this.count = rewinds === this.rewinds ? this.count + 1 : 1;
    this.rewinds = rewinds;
    this.end();
    this.hold = this.log.hold(this.log.starts);
    return this.count <= LIMITS.seeksToCatchUp;
  }

  /** Events before this offset are no longer needed. */
  reached(streamOffset: StreamOffset): void {
    this.hold?.moveTo(streamOffset);
  }

  end(): void {
    this.hold?.release();
  }
}
