import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { addressSubject } from '../../limits/client-address';
import { RateLimiter } from '../../limits/rate-limiter';
import { type Figures, retryAfterSeconds, type Subject, windowOffsetMs } from '../../limits/verdict';
import { type Client, Devices } from './devices';

/** Limits of the account API. Each is counted like the limits of /v1, and by this process without Redis. */
const FIGURES = {
  /** Per client address. */
  'sign-up': { perMinute: 5, perDay: 50 },
  'log-in': { perMinute: 20, perDay: 1_000 },
  mail: { perMinute: 5, perDay: 50 },
  token: { perMinute: 10, perDay: 200 },
  'device-code': { perMinute: 10, perDay: 200 },
  'user-code': { perMinute: 10, perDay: 200 },
  /** Programs behind one address ask every five seconds. */
  'device-token': { perMinute: 240, perDay: null },
  /** Status and track record. Every process serves them from memory. */
  public: { perMinute: 60, perDay: null },
  'signed-out': { perMinute: 60, perDay: null },
  /** Before the session lookup, because many clients may share an address. */
  session: { perMinute: 1_200, perDay: null },
  /** Per e-mail address, with or without an account. */
  'log-in-email': { perMinute: 60, perDay: 5_000 },
  'mail-email': { perMinute: 10, perDay: 200 },
  /** Per e-mail address and client. */
  'mail-client': { perMinute: 3, perDay: 20 },
  /** Per account. */
  'change-password': { perMinute: 5, perDay: 100 },
  'user-code-account': { perMinute: 10, perDay: 100 },
  /** Per account, over all its sessions. */
  'account-api': { perMinute: 120, perDay: null },
  /** Requests of pages while nothing happens, apart from it. */
  'account-activity': { perMinute: 120, perDay: null },
} as const satisfies Record<string, Figures>;

export type AddressLimit =
  | 'sign-up'
  | 'log-in'
  | 'mail'
  | 'token'
  | 'device-code'
  | 'user-code'
  | 'device-token'
  | 'public'
  | 'signed-out'
  | 'session';

/** Windows of the sessions of an account. */
export type AccountWindow = 'account-api' | 'account-activity';

/** Limits of the account API, separate from those of /v1. */
@Injectable()
export class AccountLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly devices: Devices,
  ) {}

  /** @throws Problem rate_limited */
  ofAddress(what: AddressLimit, address: string): Promise<void> {
    return this.take(what, addressSubject(address).id);
  }

  /** @throws Problem rate_limited */
  ofEmail(what: 'log-in-email' | 'mail-email', email: string): Promise<void> {
    return this.take(what, hashOf(email));
  }

  /**
   * Mails to an e-mail address. Other clients cannot use up the mails of a known device.
   * @throws Problem rate_limited
   */
  async ofMails(email: string, { address, device }: Client): Promise<void> {
    const isKnown = await this.devices.isKnown(device, email);
    await this.take('mail-client', hashOf(`${isKnown ? device : addressSubject(address).id} ${email}`));
    if (!isKnown) await this.ofEmail('mail-email', email);
  }

  /** @throws Problem rate_limited */
  ofPasswordChange(accountId: string): Promise<void> {
    return this.take('change-password', accountId);
  }

  /** @throws Problem rate_limited */
  ofUserCode(accountId: string): Promise<void> {
    return this.take('user-code-account', accountId);
  }

  /** @throws Problem rate_limited */
  ofAccount(window: AccountWindow, accountId: string): Promise<void> {
    return this.take(window, accountId);
  }

  private async take(what: keyof typeof FIGURES, of: string): Promise<void> {
    const verdict = await this.limiter.take(subjectOf(`${what}:${of}`), FIGURES[what]);
    if (verdict.admitted) return;
    const seconds = retryAfterSeconds(verdict);
    throw new Problem('rate_limited', `Too many requests of this kind. Try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

function subjectOf(id: string): Subject {
  return { id, offsetMs: windowOffsetMs(id) };
}
