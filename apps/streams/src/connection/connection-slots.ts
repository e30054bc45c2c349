import type { StreamConnection } from './stream-connection';

/** Gives each open connection a small number, in the order of arrival when no freed number is available. */
export class ConnectionSlots {
  private readonly taken: (StreamConnection | undefined)[] = [];
  private readonly free: number[] = [];

  acquire(connection: StreamConnection): number {
    const slot = this.free.pop() ?? this.taken.length;
    this.taken[slot] = connection;
    return slot;
  }

  release(slot: number): void {
    this.taken[slot] = undefined;
    this.free.push(slot);
  }

  /** Undefined after the connection has left. */
  at(slot: number): StreamConnection | undefined {
    return this.taken[slot];
  }
}
