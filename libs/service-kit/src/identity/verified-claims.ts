import type { Claims } from './signed-identity';

/**
 * A cache of claims by their signed text, so that a signature is verified once. It has two periods of `validMs`, and
 * drops the older one when a new one begins. Expired claims would otherwise fill it within hours.
 */
export class VerifiedClaims {
  private recent = new Map<string, Claims>();
  private former = new Map<string, Claims>();
  private turnedAtMs = -Infinity;

  /**
   * @param validMs length of a period: claims expire within it
   * @param most largest number of claims in a period; one more begins the next period
   */
  constructor(
    private readonly validMs: number,
    private readonly most: number,
  ) {}

  get size(): number {
    return this.recent.size + this.former.size;
  }

  get(identity: string): Claims | undefined {
    return this.recent.get(identity) ?? this.former.get(identity);
  }

  add(identity: string, claims: Claims, nowMs: number): void {
    if (nowMs - this.turnedAtMs >= this.validMs || this.recent.size >= this.most) {
      this.former = nowMs - this.turnedAtMs < 2 * this.validMs ? this.recent : new Map<string, Claims>();
      this.recent = new Map<string, Claims>();
      this.turnedAtMs = nowMs;
    }
    this.recent.set(identity, claims);
  }

  clear(): void {
    this.recent.clear();
    this.former.clear();
  }
}
