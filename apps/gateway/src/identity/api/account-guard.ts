import type { IncomingHttpHeaders } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../audit/audit-entry';
import { GatewayConfig } from '../../config';
import { ClientAddresses } from '../../limits/client-address';
import type { Client } from '../accounts/devices';
import { FOREIGN, deviceToken, isForeignRequest, ownOrigin } from '../sessions/browser-session';
import type { Session } from '../sessions/sessions';

const MAX_USER_AGENT_CHARS = 300;

/** A request of the account API, with the results of its guards. */
export type AccountRequest = FastifyRequest & { address?: string; isSecure?: boolean; session?: Session };

/**
 * Protects every route of the account API: pages of other origins cannot use it, and caches do not keep its
 * responses.
 */
@Injectable()
export class AccountGuard implements CanActivate {
  constructor(
    private readonly config: GatewayConfig,
    private readonly addresses: ClientAddresses,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AccountRequest>();
    const own = ownOrigin(this.config.PUBLIC_URL, request.headers.host);
    request.address = this.addresses.of(request.raw);
    request.isSecure = own.startsWith('https:');
    void context.switchToHttp().getResponse<FastifyReply>().header('Cache-Control', 'no-store');
    if (isForeignRequest(request.headers, own, this.config.PORTAL_ORIGIN)) throw FOREIGN;
    return true;
  }
}

const ofRequest = <T>(pick: (request: AccountRequest) => T | undefined) =>
  createParamDecorator((_: unknown, context: ExecutionContext): T => {
    const found = pick(context.switchToHttp().getRequest<AccountRequest>());
    if (found !== undefined) return found;
    throw new Problem('internal', 'This route was reached without its guard. Report the X-Request-Id.');
  });

/** The client's address, from X-Forwarded-For of trusted proxies only. */
export const ClientAddress = ofRequest(({ address }) => address);

/** The client of a route, with the device of its cookie. */
export const CurrentClient = ofRequest(({ address, headers, isSecure }): Client | undefined =>
  address === undefined
    ? undefined
    : {
        address,
        userAgent: userAgentOf(headers),
        device: deviceToken(headers.cookie, isSecure === true),
      },
);

/** Whether the browser uses https and accepts a Secure cookie. */
export const IsSecure = ofRequest(({ isSecure }) => isSecure);

/** The session of a route behind SessionGuard. */
export const CurrentSession = ofRequest(({ session }) => session);

/** The actor of a route behind SessionGuard, for the audit log. */
export const SessionActor = ofRequest(
  ({ session, address, headers }): Actor | undefined =>
    session && {
      actor: 'session',
      address: address ?? null,
      sessionId: session.id,
      userAgent: userAgentOf(headers),
    },
);

function userAgentOf(headers: IncomingHttpHeaders): string | null {
  return headers['user-agent']?.slice(0, MAX_USER_AGENT_CHARS) ?? null;
}
