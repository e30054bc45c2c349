import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { AccountLimits, type AccountWindow } from '../accounts/account-limits';
import type { AccountRequest } from './account-guard';
import { NOT_RECENT } from '../sessions/browser-session';
import { hashSecretToken, isRecent, Sessions } from '../sessions/sessions';
import { sessionToken } from '../sessions/browser-session';

/** Behind AccountGuard. Admits only a signed-in browser, within the limit of its account. */
@Injectable()
export class SessionGuard implements CanActivate {
  protected readonly window: AccountWindow = 'account-api';

  constructor(
    private readonly sessions: Sessions,
    private readonly limits: AccountLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AccountRequest>();
    await this.limits.ofAddress('session', request.address ?? '');
    const token = sessionToken(request.headers.cookie, request.isSecure === true);
    const session = token === undefined ? null : await this.sessions.find(hashSecretToken(token));
    if (!session) {
      await this.limits.ofAddress('signed-out', request.address ?? '');
      throw new Problem('not_signed_in', 'Log in first: POST /account/v1/log-in sets the session cookie.');
    }
    await this.limits.ofAccount(this.window, session.accountId);
    request.session = session;
    return true;
  }
}

/** A SessionGuard with the window of requests that pages repeat. */
@Injectable()
export class ActivityGuard extends SessionGuard {
  protected override readonly window = 'account-activity';
}

/** Behind SessionGuard. Admits only a session whose password was sent in the last ten minutes. */
@Injectable()
export class RecentLogInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { session } = context.switchToHttp().getRequest<AccountRequest>();
    if (session && isRecent(session.authenticatedAt)) return true;
    throw NOT_RECENT;
  }
}
