/** Reports when every partition has been read up to its end at the start. */
export class CatchUp {
  readonly done: Promise<void>;
  readonly #missing = new Map<string, bigint>();
  #resolve: () => void = () => undefined;
  #complete = false;
  #isDone = false;

  constructor() {
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Adds a partition that starts at `offset` and ends at `high`. */
  expect(topic: string, partition: number, offset: bigint, high: bigint): void {
    if (offset < high) this.#missing.set(`${topic}|${partition}`, high);
  }

  /** States that no further partition follows. */
  allExpected(): void {
    this.#complete = true;
    this.#check();
  }

  /** Reports that everything below `next` has been read. */
  read(topic: string, partition: number, next: bigint): void {
    const key = `${topic}|${partition}`;
    const high = this.#missing.get(key);
    if (high !== undefined && next >= high) this.#missing.delete(key);
    this.#check();
  }

  #check(): void {
    if (!this.#complete || this.#missing.size > 0) return;
    this.#isDone = true;
    this.#resolve();
  }
}
