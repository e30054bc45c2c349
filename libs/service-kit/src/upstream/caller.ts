import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { IDENTITY_HEADER } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './inner-client';

/** The signed identity of the call, to be passed on to another service. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers[IDENTITY_HEADER];
  return { signedIdentity: String(header) };
});

/** Aborted when the client leaves before its answer is sent, so that what is worked out for it can stop. */
export const ClientLeft = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  // It may have left while the call waited for its turn.
  if (raw.destroyed) return AbortSignal.abort();
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
});
