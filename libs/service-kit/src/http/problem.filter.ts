import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { PROBLEM_CONTENT_TYPE, Problem, REQUEST_ID_HEADER, problemBody } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentCorrelation } from '../correlation-context';

const FASTIFY_CODES: Record<string, Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Problem('unsupported_media_type', 'Send the body as application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new Problem('body_too_large', 'Send a body of at most 1 MiB.'),
  FST_ERR_CTP_INVALID_JSON_BODY: new Problem(
    'invalid_json',
    'The body is not valid JSON. Correct it and send it again.',
  ),
};

/** What an error means to the caller; anything unknown is a 500 that tells nothing of the inside. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, name, statusCode } = (error ?? {}) as { code?: string; name?: string; statusCode?: number };
  const known = code === undefined ? undefined : FASTIFY_CODES[code];
  if (known) return known;
  if (error instanceof HttpException && error.getStatus() === 404) {
    return new Problem(
      'route_not_found',
      'There is no such route. See the endpoint list for paths and methods.',
    );
  }
  if (name === 'SyntaxError' && statusCode === 400) {
    return new Problem('invalid_json', 'The body is not valid JSON. Correct it and send it again.');
  }
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
