/** So many events for endpoints in one batch: most likely more waits behind it. */
const CROWD_EVENTS = 250;
/** For as long after it began, and after it was committed. */
const CROWD_MS = 200;

/**
 * Whether more events come in than are taken. What comes in goes first then: a backlog of one endpoint that is sent as fast
 * as it can be would hold up the events of all others, which wait behind it in the log.
 */
export class Crowd {
  #untilMs = -Infinity;

  /** A batch of so many events for endpoints is taken. */
  cameIn(events: number, nowMs: number): void {
    if (events >= CROWD_EVENTS) this.#untilMs = nowMs + CROWD_MS;
  }

  isThere(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }
}
