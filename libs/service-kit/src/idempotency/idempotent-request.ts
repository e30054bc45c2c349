import { createHash } from 'node:crypto';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type Identity, Problem, invalidRequest } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Header of a client that may repeat a request and wants its effect once. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** `true` on the stored response of an earlier request. */
export const IDEMPOTENCY_REPLAYED_HEADER = 'Idempotency-Replayed';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** The parts of a request that Idempotency needs. */
export interface IdempotentRequest {
  accountId: string;
  method: string;
  /** Path without the query. */
  path: string;
  /** Null when the client sent no key. Every request then has its effect. */
  key: string | null;
  /** SHA-256 of the parsed body. White space does not change it. The order of fields does. */
  requestHash: Buffer;
  /** Receives the status and headers of the response. */
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

/** The current request, as a parameter of a POST handler that uses Idempotency. */
export const CurrentRequest = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest => {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { identity?: Identity; sentBody?: unknown }>();
    if (!request.identity)
      throw new Problem('internal', 'This route was called without an identity. Report the request id.');
    return {
      accountId: request.identity.accountId,
      method: request.method,
      path: request.url.split('?')[0] ?? '/',
      key: idempotencyKey(request.headers[IDEMPOTENCY_KEY_HEADER]),
      requestHash: createHash('sha256')
        .update(JSON.stringify(request.sentBody ?? request.body ?? null))
        .digest(),
      reply: http.getResponse<FastifyReply>(),
    };
  },
);
