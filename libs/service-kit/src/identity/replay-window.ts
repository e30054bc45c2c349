/** A number that is this much lower than the highest is refused, because nothing remembers it. */
const WINDOW = 65_536;
/** Processes of one key that are remembered: 8 KiB each. */
const MAX_PROCESSES = 256;
const BITS = 32;

/** The numbers of one process, as one bit each. */
class Numbers {
  usedAtMs = 0;
  private highest = 0;
  private readonly bits = new Uint32Array(WINDOW / BITS);

  use(number: number): boolean {
    if (number <= this.highest - WINDOW) return false;
    const skipped = number - this.highest;
    if (skipped >= WINDOW) this.bits.fill(0);
    else for (let at = 1; at <= skipped; at += 1) this.clear(this.highest + at);
    this.highest = Math.max(this.highest, number);
    const [word, bit] = [Math.floor((number % WINDOW) / BITS), 1 << (number % BITS)];
    if (((this.bits[word] ?? 0) & bit) !== 0) return false;
    this.bits[word] = (this.bits[word] ?? 0) | bit;
    return true;
  }

  private clear(number: number): void {
    const word = Math.floor((number % WINDOW) / BITS);
    this.bits[word] = (this.bits[word] ?? 0) & ~(1 << (number % BITS));
  }
}

/**
 * The nonces that were used: each is a random name of the sending process, and a number that it raises. Memory
 * is bounded, and a nonce that may have been forgotten is refused.
 */
export class ReplayWindow {
  private readonly processes = new Map<string, Map<string, Numbers>>();

  /** @param validMs a proof is rejected after this time, so its nonce may be forgotten */
  constructor(private readonly validMs: number) {}

  /**
   * Records a nonce. @returns false when it was used before, is too old, or its key has too many processes
   * @param from id of the key of the sender
   */
  use(from: string, process: string, number: number, nowMs: number): boolean {
    const ofKey = this.processes.get(from) ?? new Map<string, Numbers>();
    this.processes.set(from, ofKey);
    let numbers = ofKey.get(process);
    if (!numbers) {
      if (ofKey.size >= MAX_PROCESSES) this.forgetUnused(ofKey, nowMs);
      if (ofKey.size >= MAX_PROCESSES) return false;
      numbers = new Numbers();
      ofKey.set(process, numbers);
    }
    numbers.usedAtMs = nowMs;
    return numbers.use(number);
  }

  /** Forgets keys that no longer exist, whose proofs are rejected. @param isKnown of a key's id */
  keep(isKnown: (id: string) => boolean): void {
    for (const id of this.processes.keys()) if (!isKnown(id)) this.processes.delete(id);
  }

  private forgetUnused(ofKey: Map<string, Numbers>, nowMs: number): void {
    for (const [process, { usedAtMs }] of ofKey) if (nowMs - usedAtMs > this.validMs) ofKey.delete(process);
  }
}
