import { PROBLEMS, type ProblemCode } from './catalogue';

/** One wrong field of a 400: `field` is its JSON path, `code` a stable word, `message` what to change. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
}

/** Body of every error answer: RFC 9457 `application/problem+json` (decisions.md, Errors). */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ProblemCode;
  requestId: string;
  errors?: FieldError[];
}

/** What services throw; the filter of service-kit and the gateway turn it into a ProblemBody. */
export class Problem extends Error {
  readonly status: number;

  /**
   * @param code decides status and title
   * @param detail public text: what was wrong and what the caller does next; never upstream text
   * @param options `errors` for a 400; `headers` to send along; `cause` goes to the log only
   */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly options: { errors?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
  }
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** The body of a problem at a path (`instance`) of a request. */
export function problemBody(problem: Problem, instance: string, requestId: string): ProblemBody {
  const { code, detail, options } = problem;
  return {
    type: `urn:plimsoll:problem:${code}`,
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    detail,
    instance,
    code,
    requestId,
    ...(options.errors && { errors: options.errors }),
  };
}

/** 404 for a record that is not there or is another account's: the two are never told apart (decisions.md, Errors). */
export function notFound(what: string): Problem {
  return new Problem(
    'not_found',
    `No such ${what}. Check the id; the list endpoint gives those of this account.`,
  );
}

/** 400 with the fields that are wrong. */
export function invalidRequest(errors: FieldError[]): Problem {
  const fields = errors.map((error) => error.field).join(', ');
  return new Problem(
    'invalid_request',
    `Correct the fields listed under errors (${fields}) and send it again.`,
    {
      errors,
    },
  );
}
