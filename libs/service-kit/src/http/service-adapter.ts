import { FastifyAdapter } from '@nestjs/platform-fastify';
import { REQUEST_ID_HEADER, notFound } from '@plimsoll/contracts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { continueCorrelation } from '../correlation-context';
import { MALFORMED, sendProblem } from './problem.filter';

/** 1 MiB, the largest body of a request. */
const BODY_LIMIT_BYTES = 1_048_576;

/** The gateway takes 16 KiB of a client, and adds an identity, its proof and the correlation. */
const HEADER_LIMIT_BYTES = 32_768;

/**
 * Responds to a request that Fastify's router rejects (a broken percent escape, an id of more than 100
 * characters). Such a request passes no hook and no filter.
 */
export function respondToRouterError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { requestId } = continueCorrelation(String(request.headers[REQUEST_ID_HEADER] ?? ''), undefined);
  const problem = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? notFound('record') : MALFORMED;
  sendProblem(reply, problem, request.raw.url ?? '/', requestId);
}

/** Returns the Fastify adapter of every service. */
export function serviceAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: 30_000,
    http: { maxHeaderSize: HEADER_LIMIT_BYTES },
    frameworkErrors: respondToRouterError,
    // A request that arrives while the service stops is handled normally (drain-connections).
    return503OnClosing: false,
  });
}
