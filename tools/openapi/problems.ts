import {
  PROBLEMS,
  PROBLEM_CONTENT_TYPE,
  Problem,
  ProblemBody,
  type ProblemCode,
  problemBody,
  problemType,
} from '@plimsoll/contracts';
import type { Components, Json } from './components';
import { headerRefs } from './headers';

/** Names of the error responses. A status that is missing here is not a response of a known operation. */
const RESPONSES: Readonly<Record<number, { name: string; description: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid: `errors` names the fields.',
  },
  401: { name: 'Unauthorized', description: 'The request has no valid API key or session.' },
  403: { name: 'Forbidden', description: 'The key is valid but lacks the permission.' },
  404: { name: 'NotFound', description: 'The record does not exist, or belongs to another account.' },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time: send it again.' },
  409: { name: 'Conflict', description: 'The request conflicts with the current state.' },
  413: { name: 'ContentTooLarge', description: 'The body is larger than 1 MiB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json.' },
  429: { name: 'TooManyRequests', description: 'A limit is exceeded: wait for Retry-After.' },
  500: { name: 'InternalError', description: 'Something failed here: report X-Request-Id.' },
  502: { name: 'BadGateway', description: 'A part of the service failed.' },
  503: {
    name: 'ServiceUnavailable',
    description: 'A part of the service is unavailable: try again after Retry-After.',
  },
  504: { name: 'GatewayTimeout', description: 'A part of the service did not respond in time.' },
};

/** Returns references to the responses of these codes, by status. Each lists its possible codes. */
export function problemResponses(codes: readonly ProblemCode[]): Json {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => PROBLEMS[code].status === status).map((code) => `\`${code}\``);
      const { name, description } = responseOf(status);
      return [
        String(status),
        { $ref: `#/components/responses/${name}`, description: `${description} Codes: ${own.join(', ')}.` },
      ];
    }),
  );
}

function responseOf(status: number): { name: string; description: string } {
  const response = RESPONSES[status];
  if (!response) throw new Error(`The document has no response for ${status}: add it to problems.ts`);
  return response;
}

/** Returns the response of every error status, with all its codes. */
export function problemComponents(components: Components): Json {
  return Object.fromEntries(
    Object.entries(RESPONSES).map(([status, { name, description }]) => [
      name,
      problemResponse(Number(status), description, components),
    ]),
  );
}

function problemResponse(status: number, description: string, components: Components): Json {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => PROBLEMS[code].status === status);
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
  return {
    description,
    headers: headerRefs(...(status === 429 || status === 503 ? (['Retry-After'] as const) : [])),
    content: { [PROBLEM_CONTENT_TYPE]: { schema: problemSchema(codes, components), examples } },
  };
}

/**
 * Returns the schema of an error with one of these codes. `code` states which one.
 * @param operationId of the only operation with these codes; by default they are those of a status
 */
export function problemSchema(codes: readonly ProblemCode[], components: Components, operationId = ''): Json {
  const schemas = codes.map((code) => components.named(nameOf(code), schemaOf(code)));
  const [first] = codes;
  if (first === undefined || schemas.length === 1) return schemas[0]!;
  const mapping = Object.fromEntries(codes.map((code, at) => [code, schemas[at]!['$ref']]));
  const { name, description } = responseOf(PROBLEMS[first].status);
  // Without a name, generators number these types.
  return components.named(`${capitalised(operationId)}${name}Error`, {
    description,
    oneOf: schemas,
    discriminator: { propertyName: 'code', mapping },
  });
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `rate_limited` → `RateLimitedProblem`. */
function nameOf(code: ProblemCode): string {
  return `${code.split('_').map(capitalised).join('')}Problem`;
}

/** Codes whose problems name fields, and those that name a tier. */
const NAMES_FIELDS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'invalid_request',
  'tier_limit_exceeded',
  'unsupported_scenario',
  'unsupported_execution',
  'unsafe_url',
  'execution_refused',
]);
const NAMES_TIER: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'tier_required',
  'tier_limit_exceeded',
  'quota_reached',
]);

/** One flat schema for each code: generators have no type for an allOf with constants. */
function schemaOf(code: ProblemCode): Json {
  const { errors, requiredTier, upgradeUrl, ...common } = ProblemBody.properties;
  const { status, title } = PROBLEMS[code];
  return {
    type: 'object',
    description: `${title}.`,
    required: ProblemBody.required,
    properties: {
      ...common,
      type: constant('string', problemType(code), common.type),
      status: constant('integer', status, common.status),
      code: constant('string', code, { description: 'The stable code.' }),
      ...(NAMES_FIELDS.has(code) && { errors }),
      ...(NAMES_TIER.has(code) && { requiredTier, upgradeUrl }),
    },
  };
}

const constant = (type: string, value: unknown, { description }: Json): Json => ({
  type,
  const: value,
  description,
});

function exampleOf(code: ProblemCode): ProblemBody {
  const problem = new Problem(code, 'The error, and the next step.', {
    ...(code === 'invalid_request' && {
      errors: [{ field: 'limit', code: 'max', message: 'limit must be at most 200.' }],
    }),
    ...(code === 'tier_required' && { requiredTier: 'business' as const }),
  });
  return problemBody(problem, '/v1/wallets', 'req_01aBcDeFgHiJkLmNoPqRsT');
}
