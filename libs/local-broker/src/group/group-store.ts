import { ERROR, ProtocolError } from '../protocol/error-codes';
import { decodeRecords, newBatch } from '../protocol/records';
import type { Flusher } from '../log/flusher';
import type { PartitionLog } from '../log/partition-log';
import type { StoredMember } from './member';

export interface CommittedOffset {
  offset: number;
  metadata: string;
  /** Milliseconds of the epoch. */
  committedAt: number;
}

/** The members of a generation that has its assignment. */
export interface StoredMembers {
  protocolName: string;
  leaderId: string;
  members: StoredMember[];
}

export interface StoredGroup {
  generation: number;
  protocolType: string;
  /** Absent while a generation has no members or no assignment. */
  stable?: StoredMembers;
}

type Key = ['offset', group: string, topic: string, partition: number] | ['group', group: string];

/** One change of the stored groups. A value of null removes it. */
export type GroupChange =
  | { group: string; topic: string; partition: number; value: CommittedOffset | null }
  | { group: string; value: StoredGroup | null };

/**
 * Keeps committed offsets, generations and their members in a compacted log, as Kafka does in its topic of consumer offsets.
 */
export class GroupStore {
  constructor(
    private readonly log: PartitionLog,
    private readonly flusher: Flusher,
    private readonly now: () => number,
  ) {}

  /** Every stored change, in order. */
  *load(): Generator<GroupChange> {
    for (const segment of this.log.segments) {
      for (const { batch } of segment.scan(0, false)) {
        for (const { key, value } of decodeRecords(batch)) {
          const [kind, group, topic, partition] = JSON.parse(String(key)) as Key;
          const parsed = value === null ? null : (JSON.parse(String(value)) as unknown);
          if (kind === 'group') yield { group, value: parsed as StoredGroup | null };
          else yield { group, topic, partition, value: parsed as CommittedOffset | null };
        }
      }
    }
  }

  /** Resolves when the changes are durable. Throws ProtocolError when they cannot be. */
  async write(changes: readonly GroupChange[]): Promise<void> {
    if (changes.length === 0) return;
    this.#append(changes);
    await this.flusher.flush([this.log]);
    if (this.log.failure) throw new ProtocolError(ERROR.KAFKA_STORAGE_ERROR, this.log.failure.message);
  }

  /** Returns without waiting for the disk. When the disk fails, the next `write` reports it. */
  writeLater(changes: readonly GroupChange[]): void {
    void this.write(changes).catch(() => undefined);
  }

  #append(changes: readonly GroupChange[]): void {
    const timestamp = this.now();
    const records = changes.map((change) => {
      const key: Key =
        'topic' in change
          ? ['offset', change.group, change.topic, change.partition]
          : ['group', change.group];
      return {
        key: Buffer.from(JSON.stringify(key)),
        value: change.value === null ? null : Buffer.from(JSON.stringify(change.value)),
        timestamp,
      };
    });
    this.log.append(newBatch(records));
  }
}
