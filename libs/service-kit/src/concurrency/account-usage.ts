/** Time after its last request for which an account is active, and over which its use of the resource decays. */
const WINDOW_MS = 1_000;

interface Use {
  /** Milliseconds of use, each with a weight that decays with its age. */
  usedMs: number;
  atMs: number;
}

/** Which accounts used a resource in the last second, and how much. */
export class AccountUsage {
  /** The account that was active longest ago is first. */
  readonly #uses = new Map<string, Use>();

  /** Records that an account is active. `usedMs`: the time for which it used the resource. */
  record(account: string, usedMs: number, nowMs: number): void {
    const use = { usedMs: this.#usedMs(account, nowMs) + usedMs, atMs: nowMs };
    this.#uses.delete(account);
    this.#uses.set(account, use);
    for (const [each, { atMs }] of this.#uses) {
      if (nowMs - atMs <= WINDOW_MS) break;
      this.#uses.delete(each);
    }
  }

  /** Returns whether others were active in the last second and none of them used more. */
  isHeaviest(account: string, nowMs: number): boolean {
    const own = this.#usedMs(account, nowMs);
    let isBesideOthers = false;
    for (const [each, { atMs }] of this.#uses) {
      if (each === account || nowMs - atMs > WINDOW_MS) continue;
      if (this.#usedMs(each, nowMs) > own) return false;
      isBesideOthers = true;
    }
    return isBesideOthers;
  }

  #usedMs(account: string, nowMs: number): number {
    const use = this.#uses.get(account);
    return use ? use.usedMs * Math.exp((use.atMs - nowMs) / WINDOW_MS) : 0;
  }
}
