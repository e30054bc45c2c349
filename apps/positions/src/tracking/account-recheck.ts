import type { Address } from 'viem';

/** The time in which every account is read again once. */
const ROUND_SECONDS = 6 * 3_600;

/**
 * A safeguard for the logs that name changed accounts, because a node may omit some. A few accounts are read
 * again with every block, so that all have been read within the hours of a round.
 */
export class AccountRecheck {
  private at = 0;
  /** The share of an account. */
  private share = 0;

  /** The wallets to read now, this much time after the previous turn. */
  next(tracked: readonly Address[], seconds: bigint): Address[] {
    this.share += (tracked.length * Number(seconds)) / ROUND_SECONDS;
    const count = Math.min(Math.floor(this.share), tracked.length);
    this.share = Math.min(this.share - count, 1);
    if (this.at >= tracked.length) this.at = 0;
    const turn = tracked.slice(this.at, this.at + count);
    const again = tracked.slice(0, count - turn.length);
    this.at = again.length > 0 ? again.length : this.at + turn.length;
    return [...turn, ...again];
  }
}
