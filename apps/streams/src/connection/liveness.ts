import { LIMITS } from '../limits';

/** The next action for a connection, or the reason to close it. */
export type Due = 'heartbeat' | 'no_pong' | 'stalled' | null;

/** Sends heartbeats and detects whether the client responds and reads. Times are in milliseconds. */
export class Liveness {
  /** Number of heartbeats, including the one that is due. */
  heartbeats = 0;
  private nextHeartbeatAtMs: number;
  private isPongDue = false;
  private unsentBytes = 0;
  private progressAtMs: number;

  constructor(
    private readonly heartbeatMs: number,
    nowMs: number,
  ) {
    this.nextHeartbeatAtMs = nowMs + heartbeatMs;
    this.progressAtMs = nowMs;
  }

  /** Records a pong. */
  pongReceived(): void {
    this.isPongDue = false;
  }

  /** Each heartbeat comes with a ping that needs a pong before the next one. */
  tick(nowMs: number, unsentBytes: number): Due {
    // Less unsent data than before, or none, means that the client read something. The socket of a client
    // that does not read only fills.
    if (unsentBytes === 0 || unsentBytes < this.unsentBytes) this.progressAtMs = nowMs;
    this.unsentBytes = unsentBytes;
    if (nowMs - this.progressAtMs >= LIMITS.stalledMs) return 'stalled';
    if (nowMs < this.nextHeartbeatAtMs) return null;
    if (this.isPongDue) return 'no_pong';
    this.isPongDue = true;
    this.heartbeats += 1;
    this.nextHeartbeatAtMs = nowMs + this.heartbeatMs;
    return 'heartbeat';
  }
}
