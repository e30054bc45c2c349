import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  createParamDecorator,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { IDENTITY_HEADER, type Identity, Problem } from '@plimsoll/contracts';
import type { FastifyRequest } from 'fastify';
import { ServiceConfig } from '../config/service.config';
import { parseIdentityKeys, verifyIdentity } from './signed-identity';

const PUBLIC = 'plimsoll:public';

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

/** Rejects every request without the gateway's signed identity. */
@Injectable()
export class IdentityGuard implements CanActivate {
  private readonly keys;

  constructor(
    config: ServiceConfig,
    private readonly reflector: Reflector,
  ) {
    this.keys = parseIdentityKeys(config.IDENTITY_KEYS);
  }

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<WithIdentity>();
    const header = request.headers[IDENTITY_HEADER];
    const identity = verifyIdentity(
      typeof header === 'string' ? header : undefined,
      this.keys,
      Math.floor(Date.now() / 1000),
    );
    if (!identity)
      throw new Problem(
        'missing_api_key',
        'Send the request through the gateway with an API key in x-api-key.',
      );
    request.identity = identity;
    return true;
  }
}
