import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { addressSubject } from '../../limits/client-address';
import { RateLimiter } from '../../limits/rate-limiter';
import { type Figures, retryAfterSeconds, type Subject, windowOffsetMs } from '../../limits/verdict';

/** Limits of the account API. Each is counted like the limits of /v1, and by this process without Redis. */
const FIGURES = {
  /** Per client address. */
  'sign-up': { perMinute: 5, perDay: 50 },
  'log-in': { perMinute: 20, perDay: 1_000 },
  mail: { perMinute: 5, perDay: 50 },
  token: { perMinute: 10, perDay: 200 },
  'signed-out': { perMinute: 60, perDay: null },
  /** Before the session lookup, because many clients may share an address. */
  session: { perMinute: 1_200, perDay: null },
  /** Per e-mail address, with or without an account. */
  'log-in-email': { perMinute: 5, perDay: 100 },
  'mail-email': { perMinute: 3, perDay: 20 },
  /** Per account, over all its sessions. */
  'account-api': { perMinute: 120, perDay: null },
} as const satisfies Record<string, Figures>;

export type AddressLimit = 'sign-up' | 'log-in' | 'mail' | 'token' | 'signed-out' | 'session';

/** Limits of the account API, separate from those of /v1. */
@Injectable()
export class AccountLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /** @throws Problem rate_limited */
  ofAddress(what: AddressLimit, address: string): Promise<void> {
    return this.take(what, addressSubject(address).id);
  }

  /** @throws Problem rate_limited */
  ofEmail(what: 'log-in-email' | 'mail-email', email: string): Promise<void> {
    return this.take(what, createHash('sha256').update(email).digest('base64url'));
  }

  /** @throws Problem rate_limited */
  ofAccount(accountId: string): Promise<void> {
    return this.take('account-api', accountId);
  }

  private async take(what: keyof typeof FIGURES, of: string): Promise<void> {
    const verdict = await this.limiter.take(subjectOf(`${what}:${of}`), FIGURES[what]);
    if (verdict.admitted) return;
    const seconds = retryAfterSeconds(verdict);
    throw new Problem('rate_limited', `Too many calls of this kind. Try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

function subjectOf(id: string): Subject {
  return { id, offsetMs: windowOffsetMs(id) };
}
