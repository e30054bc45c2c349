import { Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { within } from '@plimsoll/service-kit';
import type { AccountChanges } from '../changes/account-changes';
import type { Caller } from './caller';
import { CallerCache } from './caller-cache';

/** Changes are pushed. This bounds the effect of a lost push. */
const MAX_AGE_MS = 5_000;
/** The same while pushes may be lost. A revoked key works for less than a second longer. */
const MAX_AGE_UNHEARD_MS = 800;
/** A lookup fails when the database takes longer than a request should wait. */
const DEADLINE_MS = 2_000;

const UNAVAILABLE = new Problem(
  'upstream_unavailable',
  'API keys and sessions cannot be checked at the moment. Try again in a second.',
  { headers: { 'Retry-After': '1' } },
);

/** Callers by the hash of their secret, cached until their account changes. */
export class LiveCallers {
  private readonly logger = new Logger('callers');
  private readonly cache: CallerCache;

  /**
   * @param find the lookup; null without such a secret
   * @param invalid the problem of an unknown, revoked or expired secret
   */
  constructor(
    private readonly changes: AccountChanges,
    find: (hash: string) => Promise<Caller | null>,
    private readonly invalid: Problem,
  ) {
    this.cache = new CallerCache(find);
    changes.listen({
      changed: (accountId) => this.cache.forgetAccount(accountId),
      missed: () => this.cache.clear(),
    });
  }

  /** Returns a cached caller, or undefined when a lookup is necessary. */
  peek(hash: string): Caller | Problem | undefined {
    const known = this.cache.peek(hash, performance.now(), this.maxAgeMs());
    return known && this.liveOrInvalid(known);
  }

  /**
   * Immediate for a cached secret.
   * @param mayGuess false for a client that sent too many invalid secrets. Only secrets that were valid before
   * are then looked up.
   */
  get(hash: string, mayGuess: () => boolean): Caller | Problem | Promise<Caller | Problem> {
    if (!this.cache.has(hash) && !mayGuess()) return this.invalid;
    const found = this.cache.get(hash, performance.now(), this.maxAgeMs());
    if (!(found instanceof Promise)) return this.liveOrInvalid(found);
    const late = (): Error => new Error(`no response from the database within ${DEADLINE_MS} ms`);
    return within(DEADLINE_MS, found, late).then(
      (caller) => this.liveOrInvalid(caller),
      (error: unknown) => {
        this.logger.error({ msg: 'a lookup failed', err: error });
        return UNAVAILABLE;
      },
    );
  }

  private maxAgeMs(): number {
    return this.changes.isLive() ? MAX_AGE_MS : MAX_AGE_UNHEARD_MS;
  }

  private liveOrInvalid(caller: Caller | null): Caller | Problem {
    const isExpired = caller !== null && caller.expiresAtMs !== null && caller.expiresAtMs <= Date.now();
    return caller === null || isExpired ? this.invalid : caller;
  }
}
