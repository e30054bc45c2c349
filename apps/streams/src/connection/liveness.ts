import { LIMITS } from '../limits';

/** What is due on a connection, or what is wrong with it. */
export type Due = 'heartbeat' | 'no_pong' | 'stalled' | null;

/** Heartbeats, and whether the other end still answers and takes what it is sent. Times in milliseconds. */
export class Liveness {
  /** Heartbeats so far, the one that is due included. */
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

  /** A pong came. */
  answered(): void {
    this.isPongDue = false;
  }

  /** With every heartbeat goes a ping, which must be answered before the next one. */
  tick(nowMs: number, unsentBytes: number): Due {
    // Less unsent than before, or nothing: something was taken. A socket that takes nothing only gets fuller.
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
