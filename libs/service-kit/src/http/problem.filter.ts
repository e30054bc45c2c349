import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { PROBLEM_CONTENT_TYPE, Problem, REQUEST_ID_HEADER, problemBody } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentCorrelation } from '../correlation-context';

/** Nest hands on what Fastify refuses before a handler runs as an HttpException that has only the status left. */
const BY_STATUS: Record<number, Problem> = {
  400: new Problem('invalid_json', 'The body is not valid JSON. Correct it and send it again.'),
  404: new Problem('route_not_found', 'There is no such route. See the endpoint list for paths and methods.'),
  413: new Problem('body_too_large', 'Send a body of at most 1 MiB.'),
  415: new Problem('unsupported_media_type', 'Send the body as application/json.'),
};

/** What an error means to the caller; anything unknown is a 500 that tells nothing of the inside. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = error instanceof HttpException ? BY_STATUS[error.getStatus()] : undefined;
  if (known) return known;
  return new Problem(
    'internal',
    'Something failed on our side. Try again; if it stays, report the X-Request-Id.',
    { cause: error },
  );
}

/** Turns every error of a service's HTTP routes into `application/problem+json` (decisions.md, Errors). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = toProblem(error);
    const requestId = currentCorrelation().requestId ?? String(request.id);
    if (problem.status >= 500)
      this.logger.error({ err: problem.options.cause ?? problem, path: request.url, requestId });
    void reply
      .status(problem.status)
      .headers({ ...problem.options.headers, [REQUEST_ID_HEADER]: requestId })
      .type(PROBLEM_CONTENT_TYPE)
      .send(problemBody(problem, request.url.split('?')[0] ?? '/', requestId));
  }
}
