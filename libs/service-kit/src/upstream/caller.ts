import { type Identity, derivedId, newId, IDENTITY_HEADER } from '@plimsoll/contracts';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseIdentityKeys, signIdentity } from '../identity/signed-identity';
import type { Caller } from './inner-client';

/** The signed identity of the request, to pass on to another service. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers[IDENTITY_HEADER];
  return { signedIdentity: String(header) };
});

/** Aborted when the client disconnects before its response is sent, so that work for it can stop. */
export const RequestAborted = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  // The client may have disconnected while the request waited in a queue.
  if (raw.destroyed) return AbortSignal.abort();
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
});

/**
 * Returns the identity under which a service reads from others when no caller exists. It is valid for 30 s.
 * See docs/architecture/README.md.
 * @param service its name
 * @param identityKeys value of IDENTITY_KEYS
 * @param nowMs milliseconds since 1970
 * @throws Error without a key
 */
export function serviceCaller(service: string, identityKeys: string, nowMs: number): Caller {
  const [key] = parseIdentityKeys(identityKeys);
  if (!key) throw new Error('IDENTITY_KEYS contains no key. Set it to the key of the gateway.');
  const identity: Identity = {
    accountId: derivedId('acc', `service:${service}`),
    keyId: derivedId('key', `service:${service}`),
    tier: 'enterprise',
    scopes: ['positions:read'],
    limits: { wallets: null, webhooks: null },
    requestId: newId('req'),
    issuedAt: Math.floor(nowMs / 1_000),
  };
  return { signedIdentity: signIdentity(identity, key) };
}
