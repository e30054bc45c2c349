import { Body, Get, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { Done, LogInBody, SessionInfo, type Tier } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import type { FastifyReply } from 'fastify';
import { accountLimits } from '../accounts/accounts';
import { LogIn } from '../accounts/log-in';
import { ClientAddress, CurrentSession, IsSecure } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SessionGuard } from './session.guard';
import { endedCookie, sessionCookie } from '../sessions/browser-session';
import type { Session } from '../sessions/sessions';

@AccountRoutes('account/v1')
export class SessionController {
  constructor(private readonly sessions: LogIn) {}

  @Post('log-in')
  @HttpCode(200)
  @Documented({
    operationId: 'logIn',
    tag: 'Account',
    summary: 'Log in',
    description:
      'Sets the session cookie. Pages of this origin may then use this API and `/v1`, with the account’s tier and every scope. The sessions of an account have 600 requests a minute, separate from the limits of its keys.',
    responses: [
      { status: 200, description: 'The signed-in account and the end of its session.', schema: SessionInfo },
    ],
    errors: ['invalid_credentials', 'email_not_verified'],
  })
  async logIn(
    @Body() body: LogInBody,
    @ClientAddress() address: string,
    @IsSecure() isSecure: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionInfo> {
    const { token, session } = await this.sessions.logIn(body, address);
    const maxAgeSeconds = Math.floor((session.endsAt.getTime() - Date.now()) / 1_000);
    void reply.header('Set-Cookie', sessionCookie(token, isSecure, maxAgeSeconds));
    return toSessionInfo(session);
  }

  @Post('log-out')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  @Documented({
    operationId: 'logOut',
    tag: 'Account',
    signedIn: true,
    summary: 'Log out',
    description: 'Ends this session. Other sessions of the account continue.',
    responses: [{ status: 200, description: 'The cookie is removed.', schema: Done }],
  })
  async logOut(
    @CurrentSession() session: Session,
    @ClientAddress() address: string,
    @IsSecure() isSecure: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Done> {
    await this.sessions.logOut(session, address);
    void reply.header('Set-Cookie', endedCookie(isSecure));
    return { success: true };
  }

  @Get('session')
  @UseGuards(SessionGuard)
  @Documented({
    operationId: 'getSession',
    tag: 'Account',
    signedIn: true,
    summary: 'Show the session',
    description: 'The account and the session of the cookie.',
    responses: [
      { status: 200, description: 'The signed-in account and the end of its session.', schema: SessionInfo },
    ],
  })
  current(@CurrentSession() session: Session): SessionInfo {
    return toSessionInfo(session);
  }
}

/** Returns what a signed-in browser may see of its session. */
function toSessionInfo({ accountId, account, ...session }: Session): SessionInfo {
  const tier = account.tier as Tier;
  return {
    account: {
      id: accountId,
      email: account.email,
      emailVerifiedAt: account.emailVerifiedAt?.toISOString() ?? null,
      tier,
      createdAt: account.createdAt.toISOString(),
      limits: accountLimits(account),
    },
    session: {
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
    },
  };
}
