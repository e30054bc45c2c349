import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  createParamDecorator,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SERVICES, matchEndpoint } from '@plimsoll/access';
import { type Identity, Problem, tierIncludes } from '@plimsoll/contracts';
import type { FastifyRequest } from 'fastify';
import { currentCorrelation } from '../correlation-context';
import { ServiceIdentity, type VerifiedCall } from './service-identity';
import { ISSUER } from './signed-identity';

const PUBLIC = 'plimsoll:public';

/** GET of a service's readiness by the gateway. */
export const READINESS_PATH = '/inner/readiness';

/** Opens a route of the service itself (/health/live) to requests without an identity. */
export const WithoutIdentity = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

type WithIdentity = FastifyRequest & { identity?: Identity };

/** The caller, set by IdentityGuard. */
export const CurrentIdentity = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  const { identity } = context.switchToHttp().getRequest<WithIdentity>();
  if (!identity)
    throw new Problem('internal', 'This route was called without an identity. Report the request id.');
  return identity;
});

/** Rejects every request without a signed identity and the proof of the calling service. */
@Injectable()
export class IdentityGuard implements CanActivate {
  constructor(
    private readonly identity: ServiceIdentity,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<WithIdentity>();
    const { method, headers } = request;
    const path = request.raw.url ?? '';
    const verified = this.identity.verify({ method, path, headers }, Date.now());
    if (!verified)
      throw new Problem(
        'missing_api_key',
        'Send the request through the gateway with an API key in x-api-key.',
      );
    checkRights(verified, this.identity.service, method, path.split('?', 1)[0] ?? '');
    request.identity = { ...verified.identity, requestId: currentCorrelation().requestId ?? '' };
    return true;
  }
}

/**
 * Checks tier and scope of a client's request again. Between services, the calling one has checked its own
 * endpoint, and the table of calls limits what it can reach.
 * @param service that received the request
 * @throws tier_required, scope_required; route_not_found for a request that the gateway does not send
 */
function checkRights({ identity, from }: VerifiedCall, service: string, method: string, path: string): void {
  if (from !== ISSUER || path === READINESS_PATH) return;
  // Only a test has a service without endpoints: `identity-keys create` makes no keys for one.
  if (!SERVICES.some((each) => each === service)) return;
  const match = matchEndpoint(method, path);
  if (match.kind !== 'endpoint' || match.endpoint.service !== service)
    throw new Problem('route_not_found', 'This service has no such endpoint. See /docs.');
  const { tier, scope } = match.endpoint;
  if (!tierIncludes(identity.tier, tier))
    throw new Problem('tier_required', `This endpoint needs the ${tier} tier. Upgrade the account.`, {
      requiredTier: tier,
    });
  if (scope && !identity.scopes.includes(scope))
    throw new Problem('scope_required', `This endpoint needs the scope ${scope}. Use a key that has it.`);
}
