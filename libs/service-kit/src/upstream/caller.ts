import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { IDENTITY_HEADER } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './service-calls';

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
