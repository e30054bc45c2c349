import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from '../schema-fields';
import { TIERS, type Tier } from '../tiers';
import { PROBLEMS, type ProblemCode } from './catalogue';

/** One invalid field of a 400. */
export const FieldError = Type.Object({
  field: Type.String({
    description:
      'Path of the field, such as `scenarios[0].asset`, or name of the parameter. Empty for the body as a whole.',
  }),
  code: Type.String({ description: 'A stable word for the error.' }),
  message: Type.String({ description: 'The necessary change, as text.' }),
  suggestion: Type.Optional(
    Type.String({
      description:
        'The nearest known name or word. Only for unknown_field, unknown_parameter and is_in, and only when one is similar.',
    }),
  ),
});
export type FieldError = Static<typeof FieldError>;

/** Body of every error response: RFC 9457 `application/problem+json`. */
export const ProblemBody = Type.Object({
  type: Type.String({
    description: 'Page that describes the code, relative to the address of the API: `/docs/errors/<code>`.',
  }),
  title: Type.String({ description: 'The kind of problem, as text.' }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
  detail: Type.String({ description: 'The cause and the next step, as text.' }),
  instance: Type.String({ description: 'Path of the request.' }),
  code: Type.Unsafe<ProblemCode>(
    Type.Union(
      Object.keys(PROBLEMS).map((code) => Type.Literal(code)),
      { description: 'A stable code. Branch on this, never on texts.' },
    ),
  ),
  requestId: Type.String({ description: 'The X-Request-Id of the response. Report it.' }),
  errors: Type.Optional(
    Type.Array(FieldError, { description: 'The invalid fields of a 400, one entry for each mistake.' }),
  ),
  requiredTier: Type.Optional(
    oneOf(TIERS, {
      description:
        'The lowest tier that permits this request. For tier_required, and for tier_limit_exceeded and quota_reached when a tier does.',
    }),
  ),
  upgradeUrl: Type.Optional(
    Type.String({
      format: 'uri',
      description:
        'Page where an account gets requiredTier. Absent where the operator of the platform has set none.',
    }),
  ),
});
export type ProblemBody = Static<typeof ProblemBody>;

/** The error that services throw. The filter of service-kit and the gateway turn it into a ProblemBody. */
export class Problem extends Error {
  readonly status: number;

  /**
   * @param code decides status and title
   * @param detail public text: the cause and what the client does next; never text of an upstream
   * @param options `errors` for a 400, `requiredTier` when a tier permits the request, `headers` of the response. `cause`
   * goes to the log only
   */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly options: {
      errors?: FieldError[];
      requiredTier?: Tier;
      upgradeUrl?: string;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
  }
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** The page of the code, which the gateway serves. A reference, because a service does not know its public address. */
export const problemType = (code: ProblemCode): string => `/docs/errors/${code}`;

/** Returns the body of a problem. `instance` is the path of the request. */
export function problemBody(problem: Problem, instance: string, requestId: string): ProblemBody {
  const { code, detail, options } = problem;
  return {
    type: problemType(code),
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    detail,
    instance,
    code,
    requestId,
    ...(options.errors && { errors: options.errors }),
    ...(options.requiredTier && { requiredTier: options.requiredTier }),
    ...(options.upgradeUrl && { upgradeUrl: options.upgradeUrl }),
  };
}

/**
 * Returns the problem with the page where an account gets the required tier.
 * @param upgradeUrl of the deployment; empty: it has none
 */
export function withUpgradeUrl(problem: Problem, upgradeUrl: string): Problem {
  if (!problem.options.requiredTier || upgradeUrl === '') return problem;
  return new Problem(problem.code, problem.detail, { ...problem.options, upgradeUrl });
}

/**
 * Returns a 404 for a record that does not exist or belongs to another account. The response is the same for
 * both.
 */
export function notFound(what: string): Problem {
  return new Problem(
    'not_found',
    `No such ${what}. Check the id; the list endpoint gives those of this account.`,
  );
}

/** Returns a 400 with the invalid fields. */
export function invalidRequest(errors: FieldError[]): Problem {
  const fields = errors.map(({ field }) => field || 'the body').join(', ');
  return new Problem(
    'invalid_request',
    `Correct the fields listed under errors (${fields}) and send it again.`,
    {
      errors,
    },
  );
}
