import { Body, Get, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { type Done, LogInBody, type SessionInfo, type Tier } from '@plimsoll/contracts';
import type { FastifyReply } from 'fastify';
import { accountLimits } from '../accounts/accounts';
import { LogIn } from '../accounts/log-in';
import { LimitedByAddress } from './account-door';
import type { Client } from '../accounts/devices';
import { ClientAddress, CurrentClient, CurrentSession, IsSecure } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SessionGuard } from './session.guard';
import { deviceCookie, endedCookie, sessionCookie } from '../sessions/browser-session';
import type { Session } from '../sessions/sessions';

@AccountRoutes('account/v1')
export class SessionController {
  constructor(private readonly sessions: LogIn) {}

  @Post('log-in')
  @LimitedByAddress('log-in')
  @HttpCode(200)
  async logIn(
    @Body() body: LogInBody,
    @CurrentClient() client: Client,
    @IsSecure() isSecure: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionInfo> {
    const { token, session, newDevice } = await this.sessions.logIn(body, client);
    const maxAgeSeconds = Math.floor((session.endsAt.getTime() - Date.now()) / 1_000);
    const device = newDevice === null ? [] : [deviceCookie(newDevice, isSecure)];
    void reply.header('Set-Cookie', [sessionCookie(token, isSecure, maxAgeSeconds), ...device]);
    return toSessionInfo(session);
  }

  @Post('log-out')
  @HttpCode(200)
  @UseGuards(SessionGuard)
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
