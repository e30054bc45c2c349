/** Time after its last request for which an account is active, and over which its demand decays. */
const WINDOW_MS = 1_000;
/** A request that is in progress for longer mostly waits for another system. No other request yields to it then. */
const RECENT_MS = 500;
/** Demand of a request that has just begun. */
const EXPECTED_MS = 10;
/** An account with at most this share of the demand of another one is lighter. */
const LIGHTER = 0.25;

interface Use {
  /** Milliseconds of requests in progress until `atMs`, each with a weight that decays with its age. */
  demandMs: number;
  inProgress: number;
  /** Those of them that use the resource. The others wait for it. */
  using: number;
  atMs: number;
  enteredAtMs: number;
}

/**
 * The demand of accounts for a resource. The demand of an account is the time of its requests from their
 * arrival to their end, also while they wait. Only their time of use would count against an account whose
 * requests take long because of others, and for one whose requests have to wait.
 */
export class AccountUsage {
  readonly #uses = new Map<string, Use>();

  /** Records that a request of the account arrived. */
  enter(account: string, nowMs: number): void {
    const unused = { demandMs: 0, inProgress: 0, using: 0, atMs: nowMs, enteredAtMs: nowMs };
    const use = this.#uses.get(account) ?? unused;
    this.#uses.set(account, { ...changed(use, 1, nowMs), enteredAtMs: nowMs });
    for (const [each, { inProgress, atMs }] of this.#uses)
      if (inProgress === 0 && nowMs - atMs > WINDOW_MS) this.#uses.delete(each);
  }

  /** Records that a request that entered now uses the resource. */
  begin(account: string): void {
    const use = this.#uses.get(account);
    if (use) use.using += 1;
  }

  /** Records that a request that began ended. */
  end(account: string, nowMs: number): void {
    const use = this.#uses.get(account);
    if (use) use.using -= 1;
    this.giveUp(account, nowMs);
  }

  /** Records that a request left before it began. */
  giveUp(account: string, nowMs: number): void {
    const use = this.#uses.get(account);
    if (use) this.#uses.set(account, changed(use, -1, nowMs));
  }

  /** Returns whether an account with less demand was active in the last second. */
  demandsMore(account: string, nowMs: number): boolean {
    return this.#isAny(account, nowMs, isActive, (other, own) => other < own);
  }

  /** Returns whether a lighter account was active in the last second. */
  isHeavy(account: string, nowMs: number): boolean {
    return this.#isAny(account, nowMs, isActive, isLighter);
  }

  /**
   * Returns whether a lighter account uses the resource with a request that arrived within the last 500 ms. One that
   * waits for the resource gets it only when those that use it continue.
   */
  isBesideLighter(account: string, nowMs: number): boolean {
    return this.#isAny(account, nowMs, isUsing, isLighter);
  }

  /** Whether the demand of any other account of a kind compares with that of this account. */
  #isAny(
    account: string,
    nowMs: number,
    isCounted: (use: Use, nowMs: number) => boolean,
    compares: (otherMs: number, ownMs: number) => boolean,
  ): boolean {
    const own = this.#uses.get(account);
    if (!own) return false;
    const ownMs = demandMs(own, nowMs);
    for (const [each, use] of this.#uses)
      if (each !== account && isCounted(use, nowMs) && compares(demandMs(use, nowMs), ownMs)) return true;
    return false;
  }
}

const isActive = ({ inProgress, atMs }: Use, nowMs: number): boolean =>
  inProgress > 0 || nowMs - atMs <= WINDOW_MS;

const isUsing = ({ using, enteredAtMs }: Use, nowMs: number): boolean =>
  using > 0 && nowMs - enteredAtMs <= RECENT_MS;

const isLighter = (otherMs: number, ownMs: number): boolean => otherMs <= ownMs * LIGHTER;

function changed(use: Use, by: 1 | -1, nowMs: number): Use {
  return { ...use, demandMs: pastDemandMs(use, nowMs), inProgress: use.inProgress + by, atMs: nowMs };
}

function pastDemandMs({ demandMs: before, inProgress, atMs }: Use, nowMs: number): number {
  const left = Math.exp((atMs - nowMs) / WINDOW_MS);
  return before * left + inProgress * WINDOW_MS * (1 - left);
}

const demandMs = (use: Use, nowMs: number): number => pastDemandMs(use, nowMs) + use.inProgress * EXPECTED_MS;
