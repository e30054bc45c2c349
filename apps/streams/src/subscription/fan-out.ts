import { Injectable } from '@nestjs/common';
import type { StreamName } from '@plimsoll/contracts';
import { Connections } from '../connection/connections';
import { EventFrame } from '../connection/event-frame';
import type { StreamEvent } from '../log/stream-event';
import { deliveries, eventToSocketSeconds } from '../metrics';
import { Audience } from './audience';
import { DeliveryBatch } from './delivery-batch';

const WORD_BITS = 32;

/** Slots of connections, each once, in order. */
export class SlotSet {
  private words = new Uint32Array(64);

  add(slot: number): void {
    const word = Math.floor(slot / WORD_BITS);
    if (word >= this.words.length) this.grow(word);
    this.words[word] = (this.words[word] as number) | (1 << (slot % WORD_BITS));
  }

  each(visit: (slot: number) => void): void {
    for (let word = 0; word < this.words.length; word += 1) {
      for (let bits = this.words[word] as number; bits !== 0; bits &= bits - 1) {
        const lowest = WORD_BITS - 1 - Math.clz32(bits & -bits);
        visit(word * WORD_BITS + lowest);
      }
    }
  }

  private grow(word: number): void {
    const words = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)));
    words.set(this.words);
    this.words = words;
  }
}

/**
 * Delivers each new event to the connections that may see it and match it. Its frame is created once for all
 * of them.
 */
@Injectable()
export class FanOut {
  constructor(
    private readonly connections: Connections,
    private readonly audience: Audience,
  ) {}

  /** @param cursor cursor after the event; `cursorBefore` is the one before it */
  deliver(stream: StreamName, event: StreamEvent, cursor: string, cursorBefore: string): void {
    // The set belongs to this event only. After a failure no connection stays marked for the next event,
    // which may belong to another account.
    const wanting = new SlotSet();
    const want = (slot: number): void => wanting.add(slot);
    for (const accountId of this.audience.of(stream, event)) {
      this.connections.match(stream, accountId, event.subject, want);
    }
    const batch = new DeliveryBatch(() => new EventFrame(event, cursor, cursorBefore));
    // In the order of arrival over all accounts, because connections that were created one after the other
    // are adjacent in memory, in the process and in the kernel. Once per connection for any number of
    // matching subscriptions.
    wanting.each((slot) => {
      const connection = this.connections.at(slot);
      if (connection) batch.add(connection);
    });
    batch.flush();
    if (batch.delivered === 0) return;
    deliveries.inc({ stream }, batch.delivered);
    eventToSocketSeconds.observe({ stream }, (Date.now() - event.timeMs) / 1_000);
  }
}
