import type { Claims } from './signed-identity';

/**
 * Claims by their signed text, so that a signature is verified once. It forgets them between one and two times
 * `validMs` later, because expired claims would otherwise fill it within hours.
 */
export class VerifiedClaims {
  private recent = new Map<string, Claims>();
  private former = new Map<string, Claims>();
  private turnedAtMs = -Infinity;

  /**
   * @param validMs claims are rejected after this time, so they may be forgotten
   * @param most claims of this time; more begin anew
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
