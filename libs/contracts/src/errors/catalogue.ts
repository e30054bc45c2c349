/** Every stable error code with its status and title (decisions.md, Errors). Clients branch on `code`, never on text. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_json: { status: 400, title: 'Invalid JSON' },
  tier_limit_exceeded: { status: 400, title: 'Above the cap of this tier' },
  unsupported_scenario: { status: 400, title: 'Unsupported scenario' },
  unsafe_url: { status: 400, title: 'Unsafe URL' },
  missing_api_key: { status: 401, title: 'Missing API key' },
  invalid_api_key: { status: 401, title: 'Invalid API key' },
  tier_required: { status: 403, title: 'A higher tier is required' },
  scope_required: { status: 403, title: 'A scope is required' },
  quota_reached: { status: 403, title: 'Quota reached' },
  not_found: { status: 404, title: 'Not found' },
  route_not_found: { status: 404, title: 'No such route' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  idempotency_mismatch: { status: 409, title: 'Idempotency key used with another body' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  daily_limit_exceeded: { status: 429, title: 'Daily limit exceeded' },
  internal: { status: 500, title: 'Internal error' },
  upstream_failed: { status: 502, title: 'A part of the service failed' },
  upstream_unavailable: { status: 503, title: 'A part of the service is unavailable' },
  upstream_timeout: { status: 504, title: 'A part of the service did not answer in time' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;
