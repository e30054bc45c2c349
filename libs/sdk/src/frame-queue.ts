/** A bounded queue between a socket that pushes and a consumer that pulls. */
export class FrameQueue<T> {
  private readonly waiting: T[] = [];
  private wake: (() => void) | undefined;

  constructor(private readonly most: number) {}

  /** Returns whether the queue is full now. */
  push(item: T): boolean {
    this.waiting.push(item);
    this.wake?.();
    return this.waiting.length >= this.most;
  }

  shift(): T | undefined {
    return this.waiting.shift();
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Resolves when an item is there or `notify` was called. */
  async next(): Promise<void> {
    if (!this.isEmpty) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    this.wake = undefined;
  }

  notify(): void {
    this.wake?.();
  }
}
