/** Knows when every partition has been read up to where its end was at the start. */
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

  /** A partition that starts at `offset` and whose end is `high`. */
  expect(topic: string, partition: number, offset: bigint, high: bigint): void {
    if (offset < high) this.#missing.set(`${topic}|${partition}`, high);
  }

  /** No partition is to be named any more. */
  allExpected(): void {
    this.#complete = true;
    this.#check();
  }

  /** Everything below `next` has been read. */
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
