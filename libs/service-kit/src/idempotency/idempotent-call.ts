import { createHash } from 'node:crypto';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type Identity, Problem, invalidRequest } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Header of a caller that may have to repeat a call and wants its effect once (decisions.md, Errors). */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** `true` on an answer that is the stored one of an earlier call. */
export const IDEMPOTENCY_REPLAYED_HEADER = 'Idempotency-Replayed';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** A call as Idempotency needs it. */
export interface IdempotentCall {
  accountId: string;
  method: string;
  /** Without the query. */
  path: string;
  /** Null: the caller sent none, and every call has its effect. */
  key: string | null;
  /** SHA-256 of the body as it was parsed: white space does not tell two bodies apart, the order of fields does. */
  requestHash: Buffer;
  /** Gets the status and headers of the answer. */
  reply: FastifyReply;
}

/** @throws invalid_request for a key that is not 1–255 visible ASCII characters */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && VISIBLE_ASCII.test(header)) return header;
  throw invalidRequest([
    {
      field: 'Idempotency-Key',
      code: 'invalid_idempotency_key',
      message: 'Send one key of 1 to 255 visible ASCII characters, for example a UUID, or none.',
    },
  ]);
}

/** The call at hand, for a parameter of a POST handler that answers through Idempotency. */
export const CurrentCall = createParamDecorator((_: unknown, context: ExecutionContext): IdempotentCall => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest & { identity?: Identity }>();
  if (!request.identity)
    throw new Problem('internal', 'This route was called without an identity. Report the request id.');
  return {
    accountId: request.identity.accountId,
    method: request.method,
    path: request.url.split('?')[0] ?? '/',
    key: idempotencyKey(request.headers[IDEMPOTENCY_KEY_HEADER]),
    requestHash: createHash('sha256')
      .update(JSON.stringify(request.body ?? null))
      .digest(),
    reply: http.getResponse<FastifyReply>(),
  };
});
