/** How far a topic has been read; its cursor names the same place on every instance. */
export class LogPosition {
  private readonly next = new Map<number, string>();

  /** The event at this offset of the partition is read. */
  advance(partition: number, offset: string): void {
    this.next.set(partition, String(BigInt(offset) + 1n));
  }

  /** Opaque to clients: the next offset of each partition that has been read, in the order of partitions. */
  get cursor(): string {
    const offsets = [...this.next]
      .sort(([a], [b]) => a - b)
      .map(([partition, offset]) => `${partition}:${offset}`);
    return Buffer.from(offsets.join(',')).toString('base64url');
  }
}
