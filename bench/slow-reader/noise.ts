import { setTimeout as delay } from 'node:timers/promises';
import { BANDS } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { type EventPublisher, samplePosition } from '@plimsoll/testing';

const BATCH_MS = 100;

/** Changes of many positions of one wallet, which only one account watches. */
export class Noise {
  /** Last published sequence of each position. */
  readonly latest = new Map<string, number>();
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly publisher: EventPublisher,
    private readonly wallet: string,
    private readonly positions: number,
  ) {}

  start(eventsPerSecond: number): void {
    this.running = this.publish(Math.round((eventsPerSecond * BATCH_MS) / 1_000));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async publish(perBatch: number): Promise<void> {
    const { signal } = this.stopping;
    const startedAtMs = performance.now();
    for (let batch = 0; !signal.aborted; batch += 1) {
      const events = Array.from({ length: perBatch }, (_, at) => this.next(batch * perBatch + at));
      await this.publisher.publish(...events);
      const waitMs = startedAtMs + (batch + 1) * BATCH_MS - performance.now();
      await delay(Math.max(0, waitMs), undefined, { signal }).catch(() => undefined);
    }
  }

  private next(count: number): ReturnType<typeof outgoing> {
    const number = count % this.positions;
    const id = `pos_${String(number).padStart(22, '0')}`;
    const sequence = (this.latest.get(id) ?? 0) + 1;
    this.latest.set(id, sequence);
    const band = BANDS[1 + (sequence % (BANDS.length - 1))] ?? 'high';
    return outgoing('position.v1', samplePosition(this.wallet, sequence, band, { id }));
  }
}
