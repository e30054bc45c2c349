import { ERROR, ProtocolError } from '../protocol/error-codes';
import type { RecordBatch } from '../protocol/record-batch';

/** As in Kafka, a retry is recognised as long as it is among the last five batches. */
const REMEMBERED_BATCHES = 5;
const MAX_PRODUCERS = 10_000;
const SEQUENCES = 2 ** 31;

interface AppendedBatch {
  baseSequence: number;
  lastSequence: number;
  baseOffset: number;
}

/** The state of one idempotent producer in a partition. */
export interface ProducerEntry {
  producerId: number;
  epoch: number;
  /** Milliseconds of the epoch of the last append. */
  lastSeen: number;
  batches: AppendedBatch[];
}

/** Recognises duplicates and gaps in the batches of idempotent producers, for one partition. */
export class ProducerState {
  /** In the order of their last append. */
  readonly #entries = new Map<number, ProducerEntry>();

  /**
   * The base offset of an earlier append of this batch. Undefined when it must be appended. Throws
   * ProtocolError when it must not be.
   */
  check(batch: RecordBatch): number | undefined {
    const { producerId, producerEpoch, baseSequence } = batch;
    const entry = this.#entries.get(producerId);
    if (producerId < 0 || !entry) return undefined;
    if (producerEpoch < entry.epoch) {
      throw new ProtocolError(
        ERROR.INVALID_PRODUCER_EPOCH,
        `producer ${producerId} has epoch ${entry.epoch}, the batch has ${producerEpoch}`,
      );
    }
    if (producerEpoch > entry.epoch) {
      if (baseSequence === 0) return undefined;
      throw outOfOrder(producerId, 0, baseSequence);
    }
    const lastSequence = sequenceAfter(baseSequence, batch.lastOffsetDelta);
    const duplicate = entry.batches.find(
      (each) => each.baseSequence === baseSequence && each.lastSequence === lastSequence,
    );
    if (duplicate) return duplicate.baseOffset;
    const expected = sequenceAfter(entry.batches.at(-1)?.lastSequence ?? -1, 1);
    if (baseSequence !== expected) throw outOfOrder(producerId, expected, baseSequence);
    return undefined;
  }

  /** Notes a batch that is in the log. */
  note(batch: RecordBatch, now: number): void {
    const { producerId, producerEpoch, baseSequence, baseOffset } = batch;
    if (producerId < 0) return;
    const known = this.#entries.get(producerId);
    const batches = known?.epoch === producerEpoch ? known.batches : [];
    batches.push({
      baseSequence,
      lastSequence: sequenceAfter(baseSequence, batch.lastOffsetDelta),
      baseOffset,
    });
    if (batches.length > REMEMBERED_BATCHES) batches.shift();
    this.#entries.delete(producerId);
    this.#entries.set(producerId, { producerId, epoch: producerEpoch, lastSeen: now, batches });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > MAX_PRODUCERS && !oldest.done) this.#entries.delete(oldest.value);
  }

  /** Removes the producers whose last append was before this time. */
  expire(before: number): void {
    for (const { producerId, lastSeen } of this.#entries.values()) {
      if (lastSeen < before) this.#entries.delete(producerId);
    }
  }

  snapshot(): ProducerEntry[] {
    return [...this.#entries.values()];
  }

  restore(entries: readonly ProducerEntry[]): void {
    for (const entry of entries) this.#entries.set(entry.producerId, entry);
  }
}

function sequenceAfter(sequence: number, steps: number): number {
  return (sequence + steps) % SEQUENCES;
}

function outOfOrder(producerId: number, expected: number, found: number): ProtocolError {
  return new ProtocolError(
    ERROR.OUT_OF_ORDER_SEQUENCE_NUMBER,
    `producer ${producerId} sends sequence ${found} where ${expected} is next`,
  );
}
