import type { StreamConnection } from '../connection/stream-connection';
import { LIMITS } from '../limits';
import type { Place } from '../log/cursor';
import type { Hold, StreamLog } from '../log/stream-log';

/** How often a connection that catches up had events read back: memory keeps what comes meanwhile, and it comes to an end. */
export class Seeks {
  private hold: Hold | undefined;
  private count = 0;
  private rewinds = 0;

  constructor(private readonly log: StreamLog) {}

  /** False: it was read back often enough. A connection that wants to begin earlier still begins to count anew. */
  mayBegin({ rewinds }: Pick<StreamConnection, 'rewinds'>): boolean {
    this.count = rewinds === this.rewinds ? this.count + 1 : 1;
    this.rewinds = rewinds;
    this.end();
    this.hold = this.log.hold(this.log.starts);
    return this.count <= LIMITS.seeksToCatchUp;
  }

  /** What is before it need not be kept any more. */
  reached(place: Place): void {
    this.hold?.moveTo(place);
  }

  end(): void {
    this.hold?.release();
  }
}
