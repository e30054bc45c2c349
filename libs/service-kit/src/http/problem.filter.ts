import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import {
  Problem,
  PROBLEM_CONTENT_TYPE,
  REQUEST_ID_HEADER,
  isDependencyFailure,
  problemBody,
  withUpgradeUrl,
} from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceConfig } from '../config/service.config';
import { currentCorrelation } from '../correlation-context';

/** Nest passes on what Fastify rejects before a handler runs as an HttpException that only has a status. */
const BY_STATUS: Record<number, Problem> = {
  404: new Problem('route_not_found', 'There is no such route. See the endpoint list for paths and methods.'),
  413: bodyTooLarge(1_048_576),
  415: new Problem('unsupported_media_type', 'Send the body as application/json.'),
};
/** The problem for a request that Fastify cannot parse. */
export const MALFORMED = new Problem(
  'invalid_request',
  'The request is malformed. Check that its path and body are UTF-8, and the length of its body.',
);

/**
 * Returns the problem for an error. An unavailable dependency becomes a 503, and an unknown error a 500, both
 * without internal details.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = error instanceof HttpException ? error.getStatus() : 500;
  if (status < 500) return BY_STATUS[status] ?? MALFORMED;
  if (isDependencyFailure(error)) {
    return new Problem(
      'upstream_unavailable',
      'Something that this request needs does not respond at the moment. Try again in a second.',
      { headers: { 'Retry-After': '1' }, cause: error },
    );
  }
  return new Problem(
    'internal',
    'Something failed on our side. Try again; if it fails again, report the X-Request-Id.',
    { cause: error },
  );
}

/** @param limitBytes the limit of the route */
function bodyTooLarge(limitBytes: number): Problem {
  const limit = limitBytes < 1_048_576 ? `${limitBytes / 1_024} KiB` : `${limitBytes / 1_048_576} MiB`;
  return new Problem('body_too_large', `Send a body of at most ${limit}.`);
}

/** Turns every error of a service's HTTP routes into `application/problem+json`. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  constructor(private readonly config: ServiceConfig) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { bodyLimit } = request.routeOptions;
    const known = withUpgradeUrl(toProblem(error), this.config.UPGRADE_URL);
    const problem = known.code === 'body_too_large' ? bodyTooLarge(bodyLimit) : known;
    const requestId = currentCorrelation().requestId ?? String(request.id);
    if (problem.status >= 500)
      this.logger.error({ err: problem.options.cause ?? problem, path: request.url, requestId });
    sendProblem(reply, problem, request.url, requestId);
  }
}

/** Sends a problem as the response. `path` may have a query, which is not repeated. */
export function sendProblem(reply: FastifyReply, problem: Problem, path: string, requestId: string): void {
  void reply
    .status(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.options.headers, [REQUEST_ID_HEADER]: requestId })
    .type(PROBLEM_CONTENT_TYPE)
    .send(problemBody(problem, path.split('?')[0] ?? '/', requestId));
}
