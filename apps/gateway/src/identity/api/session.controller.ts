import { Body, Delete, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import {
  Done,
  EndedSession,
  LogInBody,
  PasswordBody,
  SessionInfo,
  type SessionItem,
  SessionList,
  type Tier,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
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
  @Documented({
    operationId: 'logIn',
    tag: 'Account',
    summary: 'Log in',
    description:
      'Sets the session cookie. Pages of this origin may then use this API and `/v1`, with the account’s tier and every scope. The sessions of an account share a window of 60 (open), 120 (pro), 300 (business) or 1,000 (enterprise) requests a minute, and count in its daily quota. After five failures, a client waits before its next log-in to this account.',
    responses: [
      { status: 200, description: 'The signed-in account and the end of its session.', schema: SessionInfo },
    ],
    errors: ['invalid_credentials', 'email_not_verified'],
  })
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
  @Documented({
    operationId: 'listSessions',
    tag: 'Account',
    signedIn: true,
    summary: 'Sessions',
    description: 'The open sessions of the account, newest first.',
    responses: [{ status: 200, description: 'All open sessions.', schema: SessionList }],
  })
  async list(@CurrentSession() { id: currentId, accountId }: Session): Promise<SessionList> {
    const sessions = (await this.openSessions.list(accountId)).map((each) => toSessionItem(each, currentId));
    return { sessions, count: sessions.length };
  }

  @Delete('sessions/:id')
  @UseGuards(SessionGuard)
  @Documented({
    operationId: 'endSession',
    tag: 'Account',
    signedIn: true,
    summary: 'End a session',
    description: 'The session stops working within a second.',
    path: { id: recordId('ses', 'Id of the session.') },
    responses: [{ status: 200, description: 'The session has ended.', schema: EndedSession }],
    errors: ['not_found'],
  })
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
  @Documented({
    operationId: 'confirmSession',
    tag: 'Account',
    signedIn: true,
    summary: 'Confirm the password',
    description:
      'Creating and rotating keys, and secrets of webhooks, need a password that was sent in the last ten minutes, at the log-in or here. Otherwise they respond with 403 recent_log_in_required.',
    responses: [
      {
        status: 200,
        description: 'The session may manage keys and secrets for ten minutes.',
        schema: Done,
      },
    ],
  })
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
