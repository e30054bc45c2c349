import { Body, Delete, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import {
  type Done,
  type EndedSession,
  LogInBody,
  PasswordBody,
  type SessionInfo,
  type SessionItem,
  type SessionList,
  type Tier,
} from '@plimsoll/contracts';
import type { FastifyReply } from 'fastify';
import { accountLimits } from '../accounts/accounts';
import { LogIn } from '../accounts/log-in';
import { LimitedByAddress } from './account-door';
import type { Actor } from '../audit/audit-entry';
import type { Client } from '../accounts/devices';
import { CurrentClient, CurrentSession, IsSecure, SessionActor } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SessionGuard } from './session.guard';
import { deviceCookie, endedCookie, sessionCookie } from '../sessions/browser-session';
import { type Session, Sessions } from '../sessions/sessions';

@AccountRoutes('account/v1')
export class SessionController {
  constructor(
    private readonly sessions: LogIn,
    private readonly openSessions: Sessions,
  ) {}

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
    @SessionActor() by: Actor,
    @IsSecure() isSecure: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Done> {
    await this.sessions.logOut(session, by);
    void reply.header('Set-Cookie', endedCookie(isSecure));
    return { success: true };
  }

  @Get('sessions')
  @UseGuards(SessionGuard)
  async list(@CurrentSession() { id: currentId, accountId }: Session): Promise<SessionList> {
    const sessions = (await this.openSessions.list(accountId)).map((each) => toSessionItem(each, currentId));
    return { sessions, count: sessions.length };
  }

  @Delete('sessions/:id')
  @UseGuards(SessionGuard)
  async end(
    @CurrentSession() { accountId }: Session,
    @SessionActor() by: Actor,
    @Param('id') id: string,
  ): Promise<EndedSession> {
    await this.sessions.endSession(accountId, id, by);
    return { success: true, deleted: id };
  }

  @Post('session/confirm')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  async confirm(
    @CurrentSession() session: Session,
    @SessionActor() by: Actor,
    @Body() { password }: PasswordBody,
  ): Promise<Done> {
    await this.sessions.confirm(session, password, by);
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

function toSessionItem(session: Session, currentId: string): SessionItem {
  return {
    id: session.id,
    isCurrent: session.id === currentId,
    address: session.address,
    userAgent: session.userAgent,
    createdAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    authenticatedAt: session.authenticatedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}
