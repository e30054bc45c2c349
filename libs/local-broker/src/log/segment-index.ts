/** The position of one batch in its segment. */
interface IndexEntry {
  offset: number;
  position: number;
  /** The largest timestamp of the segment before this batch. */
  timestampBefore: number;
}

/** The index in a file beside its segment. */
export interface StoredIndex {
  logSize: number;
  nextOffset: number;
  firstTimestamp: number;
  maxTimestamp: number;
  entries: [offset: number, position: number, timestampBefore: number][];
}

/** A sparse index of a segment by offset and by timestamp: one entry for each `intervalBytes` of log. */
export class SegmentIndex {
  readonly #entries: IndexEntry[] = [];
  #indexedTo = -Infinity;

  constructor(private readonly intervalBytes: number) {}

  add(offset: number, position: number, timestampBefore: number): void {
    if (position - this.#indexedTo < this.intervalBytes) return;
    this.#entries.push({ offset, position, timestampBefore });
    this.#indexedTo = position;
  }

  /** The position from which to search for the batch with the offset. */
  positionOfOffset(offset: number): number {
    return this.#lastWhere((entry) => entry.offset <= offset);
  }

  /**
   * The position from which to search for the first batch whose largest timestamp is at least `timestamp`.
   */
  positionOfTimestamp(timestamp: number): number {
    return this.#lastWhere((entry) => entry.timestampBefore < timestamp);
  }

  stored(): StoredIndex['entries'] {
    return this.#entries.map(({ offset, position, timestampBefore }) => [offset, position, timestampBefore]);
  }

  #lastWhere(holds: (entry: IndexEntry) => boolean): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry && holds(entry)) low = middle + 1;
      else high = middle;
    }
    return this.#entries[low - 1]?.position ?? 0;
  }
}

/** Undefined when the value is no index of a segment of this size. */
export function parseStoredIndex(value: unknown, logSize: number): StoredIndex | undefined {
  const stored = value as Partial<StoredIndex> | null | undefined;
  const fits =
    stored?.logSize === logSize &&
    Number.isSafeInteger(stored.nextOffset) &&
    typeof stored.firstTimestamp === 'number' &&
    typeof stored.maxTimestamp === 'number' &&
    Array.isArray(stored.entries);
  return fits ? (stored as StoredIndex) : undefined;
}
