/** Events for endpoints in one batch from which more probably wait behind it. */
const PRESSURE_EVENTS = 250;
/** How long pressure counts as high after a batch began, and after it was committed. */
const PRESSURE_MS = 200;

/**
 * Detects that more events arrive than are handled. New events then have priority: sending the backlog of one
 * endpoint at full speed would delay the events of all others, which wait behind it in Kafka.
 */
export class IntakePressure {
  #untilMs = -Infinity;

  /** Records a batch of this many events for endpoints. */
  record(events: number, nowMs: number): void {
    if (events >= PRESSURE_EVENTS) this.#untilMs = nowMs + PRESSURE_MS;
  }

  isHigh(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }
}
